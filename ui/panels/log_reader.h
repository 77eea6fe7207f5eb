// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <stop_token>

namespace ddp::ui {

/// A part of a text file that a view can hold. Whole lines, unless a single line is longer than the limit.
struct LogPart {
    QString text;
    std::int64_t firstLine = 1;
    bool fromStart = true;
    bool toEnd = true;
    std::uint64_t fileSize = 0;
};

/// Where the wanted line is to stand in the part.
enum class LogAnchor { Top, Middle, Bottom };

/// Reads at most `limit` bytes around a line (from 1). Files shorter than the limit are read whole. The cost
/// is one pass over what lies before the line; any thread.
Result<LogPart> readLogPart(const std::filesystem::path& file, std::int64_t line, LogAnchor anchor,
                            std::size_t limit, const std::stop_token& stop, Progress& progress);

/// The text files of a run, relative to its folder, in the order in which people want them.
QStringList logFiles(const std::filesystem::path& runFolder);

} // namespace ddp::ui
