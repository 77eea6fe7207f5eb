// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/base/result.h"
#include "ui/session/settings.h"

#include <QSize>
#include <QString>

#include <memory>
#include <optional>

namespace ddp::ui {

struct RenderRequest {
    std::shared_ptr<const RunAnalysis> run;
    QString title;
    QString file;                    ///< its ending says the format
    std::optional<TimeRange> window; ///< nothing: the whole run
    std::optional<QSize> size;       ///< nothing: as high as the rows, within reason
    ThemeMode theme = ThemeMode::Light;
};

/// Writes the timeline of a run as a picture, without a window; the same request gives the same PNG. Where
/// the lanes have no room, ranks are folded, the last ones first. Gives the file. Needs a QApplication, and
/// its thread.
Result<QString> renderTimeline(const RenderRequest& request);

} // namespace ddp::ui
