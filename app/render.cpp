// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render.h"

#include "app/exit_code.h"
#include "core/import/open_run.h"
#include "ui/session/trace_session.h"
#include "ui/timeline/render_timeline.h"

#include <cstdio>

namespace ddp::app {

namespace {

Result<QString> render(const Options& options) {
    OpenOptions open;
    open.cache = !options.noCache;
    Progress progress;
    auto store = openRun(options.paths, open, {}, progress);
    if (!store)
        return forward(store);
    ui::RenderRequest request;
    request.run = RunAnalysis::of(std::move(*store), ClassRules::builtin(), {});
    request.title = ui::runTitle(options.paths);
    request.file = options.picture;
    request.window = options.window;
    request.size = options.size;
    request.theme = options.theme.value_or(ui::ThemeMode::Light);
    return ui::renderTimeline(request);
}

} // namespace

int renderPicture(const Options& options) {
    const auto done = render(options);
    if (done)
        return 0;
    std::fprintf(stderr, "ddpscope: %s\n", done.error().message.c_str());
    return exitCodeOf(done.error().code);
}

} // namespace ddp::app
