// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "ui/runs/run_controller.h"
#include "ui/session/settings.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace ddp::app {

inline constexpr int kExitUsage = 64;      // EX_USAGE
inline constexpr int kExitUnreadable = 65; // EX_DATAERR
inline constexpr int kExitNoDisplay = 69;  // EX_UNAVAILABLE
inline constexpr int kExitUnwritable = 73; // EX_CANTCREAT

/// What was typed on the command line.
struct Options {
    std::vector<std::filesystem::path> paths;
    std::optional<ui::CheckRequest> demo;
    bool noCache = false;
    QString picture;                 ///< --headless, --render: where the picture goes; empty: a window
    bool render = false;             ///< only the timeline, and no window at all
    std::optional<TimeRange> window; ///< of the timeline, with --render
    std::optional<ui::ThemeMode> theme;
    std::optional<QSize> size;
    QString answer; ///< of --help or --version: printed, then the program ends
};

/// Knows no display, so that a mistake is told before one is looked for.
Result<Options> parseOptions(const QStringList& arguments);

} // namespace ddp::app
