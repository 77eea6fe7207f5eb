// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/render_timeline.h"

#include "ui/session/time_text.h"
#include "ui/tasks/task_runner.h"
#include "ui/tasks/write_file.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_picture.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace ddp::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(RenderTimeline)
};

constexpr int kWidth = 1600;
constexpr int kLowest = 240;
constexpr int kHighest = 1600;

Error outside(const RenderRequest& request) {
    return {ErrorCode::Usage, Texts::tr("The window lies outside the run, which is %1 ns long.")
                                  .arg(request.run->store()->extent().end.count)
                                  .toStdString()};
}

} // namespace

Result<QString> renderTimeline(const RenderRequest& request) {
    const auto format = pictureFormat(request.file);
    if (!format)
        return fail(ErrorCode::Usage, pictureFormatProblem(request.file).toStdString());
    const auto& store = request.run->store();
    const TimeRange window = request.window.value_or(store->extent()).clippedTo(store->extent());
    if (window.empty() && request.window)
        return tl::unexpected<Error>(outside(request));

    const Palette palette(request.theme);
    TaskRunner runner;
    TraceSession session(runner);
    ViewState view;
    TimelineCanvas canvas(session, view, palette);
    canvas.setAttribute(Qt::WA_DontShowOnScreen); // shown, it takes its size
    session.show(request.run, request.title);
    canvas.setAnalysis(request.run);
    canvas.setRecords(countersOf(store, {}), MessageIndex::of(store, {}));
    canvas.setCollectives(CollectiveIndex::of(request.run, {}));
    const int head = TimelinePicture::headHeight(canvas.fontMetrics());
    const QSize size = request.size.value_or(QSize(kWidth, kHighest));
    canvas.resize(size.width(), size.height() - head);
    canvas.show();
    view.setVisible(window);
    canvas.foldToFit();
    if (!request.size) {
        const int rows = canvas.scene().rowsTop() + canvas.scene().layout.height();
        canvas.resize(kWidth, std::clamp(rows, kLowest, kHighest - head));
    }

    const TimelinePicture picture(canvas, palette, request.title);
    if (*format != PictureFormat::Png)
        return writeWhole(request.file, picture.vector(*format));
    const QImage image = picture.image(1);
    if (image.isNull())
        return fail(
            ErrorCode::Failed,
            Texts::tr("There is not enough memory for a picture of %1 x %2 pixels; choose a smaller --size.")
                .arg(size.width())
                .arg(size.height())
                .toStdString());
    return writeWhole(request.file, pngOf(image));
}

} // namespace ddp::ui
