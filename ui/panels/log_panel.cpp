// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_panel.h"

#include "ui/panels/log_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kPartLimit = 4u << 20;
constexpr qsizetype kLiveLimit = 2 << 20; // letters; the files have all of it
const QString kLive = u"\u0001live"_s;    // no file is named so

std::filesystem::path placeOf(const std::filesystem::path& folder, const QString& file) {
    const std::filesystem::path path(file.toStdString());
    return path.is_absolute() ? path : folder / path;
}

} // namespace

LogPanel::LogPanel(TaskRunner& runner, const RunController& runs, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_runner(runner), m_runs(runs), m_pages(new QStackedWidget), m_empty(new QLabel),
      m_chooser(new QComboBox), m_range(new QLabel), m_earlier(new QToolButton), m_later(new QToolButton),
      m_text(new LogText(palette)) {
    m_chooser->setObjectName(u"logChooser"_s);
    m_chooser->setAccessibleName(tr("File"));
    m_chooser->setToolTip(tr("The files of the selected run."));
    m_chooser->setMinimumContentsLength(26);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_earlier->setText(tr("Earlier"));
    m_earlier->setToolTip(tr("Shows the part of this long file before the one that is shown."));
    m_later->setText(tr("Later"));
    m_later->setToolTip(tr("Shows the part of this long file after the one that is shown."));
    m_text->setFrameShape(QFrame::NoFrame);

    auto* line = new QHBoxLayout;
    line->setContentsMargins(6, 6, 6, 6);
    line->setSpacing(8);
    line->addWidget(m_chooser);
    line->addWidget(m_range, 1);
    line->addWidget(m_earlier);
    line->addWidget(m_later);
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(m_text, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    m_pages->addWidget(filled);
    m_pages->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(m_chooser, &QComboBox::activated, this, [this](int row) {
        const QString file = m_chooser->itemData(row).toString();
        if (file == kLive)
            showLive();
        else
            load(file, 1, LogAnchor::Top, false);
    });
    connect(m_earlier, &QToolButton::clicked, this,
            [this] { load(currentFile(), m_text->firstLine() - 1, LogAnchor::Bottom, false); });
    connect(m_later, &QToolButton::clicked, this, [this] {
        load(currentFile(), m_text->firstLine() + m_text->blockCount(), LogAnchor::Top, false);
    });
    connect(&m_runs, &RunController::output, this, &LogPanel::takeOutput);
    connect(&m_runs, &RunController::runFinished, this, [this](const QString& id) {
        if (id == m_runId)
            listFiles(m_showsLive ? kLive : currentFile());
    });
    showEmpty(tr("The logs of the selected run, and the output of a running one, appear here."));
}

void LogPanel::showEmpty(const QString& sentence) {
    m_showsLive = false;
    m_chooser->clear();
    m_text->setText({}, 1);
    m_empty->setText(sentence);
    m_pages->setCurrentIndex(1);
}

void LogPanel::showRun(const QString& id) {
    const RunRecord* run = m_runs.find(id);
    if (!run || (id == m_runId && m_showsLive))
        return;
    m_runId = id;
    m_folder = run->folder;
    m_runner.drop(m_readSlot);
    if (!run->over()) {
        if (m_liveRun != id) {
            m_liveRun = id;
            m_live.clear();
        }
        fillChooser({}, kLive);
        showLive();
        return;
    }
    listFiles({});
}

void LogPanel::listFiles(const QString& wanted) {
    m_runner.start(
        m_listSlot, tr("Listing the files of %1").arg(m_runId),
        [folder = m_folder](TaskContext&) -> Result<QStringList> { return logFiles(folder); }, this,
        [this, wanted](Result<QStringList> files) {
            if (files)
                fillChooser(*files, wanted);
        });
}

void LogPanel::fillChooser(const QStringList& files, const QString& wanted) {
    const QSignalBlocker quiet(m_chooser);
    m_chooser->clear();
    if (m_liveRun == m_runId)
        m_chooser->addItem(tr("Live output"), kLive);
    for (const QString& file : files)
        m_chooser->addItem(file, file);
    if (m_chooser->count() == 0)
        return showEmpty(tr("This run left no log."));
    const int row = m_chooser->findData(wanted);
    m_chooser->setCurrentIndex(std::max(0, row));
    if (row >= 0 || wanted == kLive)
        return; // it is shown already
    const QString first = m_chooser->itemData(0).toString();
    if (first == kLive)
        showLive();
    else
        load(first, 1, LogAnchor::Top, false);
}

void LogPanel::showLine(const QString& id, const QString& file, qint64 line) {
    const RunRecord* run = m_runs.find(id);
    if (!run)
        return;
    m_runId = id;
    m_folder = run->folder;
    load(file, line, LogAnchor::Middle, true);
}

QString LogPanel::currentFile() const {
    return m_showsLive ? QString() : m_chooser->currentData().toString();
}

void LogPanel::load(const QString& file, qint64 line, LogAnchor anchor, bool mark) {
    m_runner.start(
        m_readSlot, tr("Reading %1").arg(file),
        [path = placeOf(m_folder, file), line, anchor](TaskContext& context) {
            return readLogPart(path, line, anchor, kPartLimit, context.stop, context.progress);
        },
        this,
        [this, file, line, mark](Result<LogPart> part) {
            if (part)
                showPart(file, *part, line, mark);
            else if (part.error().code != ErrorCode::Cancelled)
                Q_EMIT failed(QString::fromStdString(part.error().message));
        });
}

void LogPanel::showPart(const QString& file, const LogPart& part, qint64 line, bool mark) {
    m_showsLive = false;
    m_text->setMaximumBlockCount(0);
    m_text->setText(part.text, part.firstLine);
    if (mark)
        m_text->markLine(line);
    else if (line > part.firstLine)
        m_text->verticalScrollBar()->setValue(static_cast<int>(line - part.firstLine));
    int row = m_chooser->findData(file);
    if (row < 0) { // evidence may name a file outside the list
        m_chooser->addItem(file, file);
        row = m_chooser->count() - 1;
        listFiles(file);
    }
    m_chooser->setCurrentIndex(row);
    m_pages->setCurrentIndex(0);
    const bool whole = part.fromStart && part.toEnd;
    const QLocale locale;
    m_range->setText(whole ? tr("%1").arg(locale.formattedDataSize(static_cast<qint64>(part.fileSize)))
                           : tr("lines %1 to %2 of a file of %3")
                                 .arg(locale.toString(part.firstLine),
                                      locale.toString(part.firstLine + m_text->blockCount() - 1),
                                      locale.formattedDataSize(static_cast<qint64>(part.fileSize))));
    m_earlier->setVisible(!whole);
    m_later->setVisible(!whole);
    m_earlier->setEnabled(!part.fromStart);
    m_later->setEnabled(!part.toEnd);
}

void LogPanel::showLive() {
    m_runner.drop(m_readSlot);
    m_showsLive = true;
    m_pages->setCurrentIndex(0);
    constexpr int kMostLines = 50'000;
    m_text->setText(m_live, 1);
    m_text->setMaximumBlockCount(kMostLines);
    m_text->followEnd();
    m_chooser->setCurrentIndex(m_chooser->findData(kLive));
    m_range->setText(tr("output of %1").arg(m_runId));
    m_earlier->hide();
    m_later->hide();
}

void LogPanel::takeOutput(const QString& id, const QString& text) {
    if (id != m_liveRun) {
        m_liveRun = id;
        m_live.clear();
    }
    m_live += text;
    if (m_live.size() > kLiveLimit)
        m_live.remove(0, m_live.size() - kLiveLimit);
    if (m_showsLive && id == m_runId)
        m_text->append(text);
}

} // namespace ddp::ui
