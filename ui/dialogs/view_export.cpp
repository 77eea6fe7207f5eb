// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/view_export.h"

#include "ui/tasks/write_file.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_picture.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kScale = 2; // sharp in print and on a large screen

} // namespace

ViewExport::ViewExport(TimelineCanvas& canvas, const TraceSession& session, const Palette& palette,
                       TaskRunner& runner, QWidget& window)
    : QObject(&window), m_canvas(canvas), m_session(session), m_palette(palette), m_runner(runner),
      m_window(window), m_export(new QAction(tr("&Export view…"), this)),
      m_copy(new QAction(tr("Copy p&icture"), this)) {
    m_export->setObjectName(u"exportView"_s);
    m_export->setShortcut(QKeySequence(u"Ctrl+E"_s));
    m_export->setToolTip(
        tr("Saves what the timeline shows, with title and legend, as PNG, SVG or PDF (Ctrl+E)."));
    m_copy->setObjectName(u"copyPicture"_s);
    m_copy->setShortcut(QKeySequence(u"Ctrl+Shift+C"_s));
    m_copy->setToolTip(
        tr("Puts what the timeline shows, with title and legend, on the clipboard (Ctrl+Shift+C)."));
    connect(m_export, &QAction::triggered, this, &ViewExport::chooseFile);
    connect(m_copy, &QAction::triggered, this, &ViewExport::copy);
    const auto follow = [this] {
        for (QAction* action : {m_export, m_copy})
            action->setEnabled(m_session.store() != nullptr);
    };
    connect(&m_session, &TraceSession::changed, this, follow);
    follow();
}

QImage ViewExport::image() const {
    return TimelinePicture(m_canvas, m_palette, m_session.title()).image(kScale);
}

void ViewExport::copy() const {
    if (m_session.store())
        QApplication::clipboard()->setImage(image());
}

void ViewExport::chooseFile() {
    const QString png = tr("Picture (*.png)");
    const QString svg = tr("Vector picture (*.svg)");
    const QString pdf = tr("PDF (*.pdf)");
    QString chosen = png;
    QString file = QFileDialog::getSaveFileName(&m_window, tr("Export view"), m_session.title() + u".png",
                                                png + u";;" + svg + u";;" + pdf, &chosen);
    if (file.isEmpty())
        return;
    if (!pictureFormat(file))
        file += chosen == svg ? u".svg"_s : chosen == pdf ? u".pdf"_s : u".png"_s;
    save(file);
}

void ViewExport::save(const QString& file) {
    const auto format = pictureFormat(file);
    if (!m_session.store())
        return;
    if (!format) {
        Q_EMIT failed(pictureFormatProblem(file));
        return;
    }
    // Painting belongs to this thread; the rest does not.
    const bool vector = *format != PictureFormat::Png;
    const TimelinePicture picture(m_canvas, m_palette, m_session.title());
    m_runner.start(
        m_slot, tr("Saving %1").arg(file),
        [file, bytes = vector ? picture.vector(*format) : QByteArray(),
         pixels = vector ? QImage() : picture.image(kScale)](TaskContext&) -> Result<QString> {
            return writeWhole(file, pixels.isNull() ? bytes : pngOf(pixels));
        },
        this,
        [this](Result<QString> done) {
            if (done)
                Q_EMIT saved(*done);
            else
                Q_EMIT failed(QString::fromStdString(done.error().message));
        });
}

} // namespace ddp::ui
