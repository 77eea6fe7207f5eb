// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/trace_store.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace CLI {
class App;
}

namespace ddp::cli {

/// What every verb on traces is given.
struct TraceOptions {
    std::vector<std::filesystem::path> traces;
    bool json = false;
    bool noCache = false;
};

/// The traces, and `--no-cache`.
void addTraces(CLI::App& verb, TraceOptions& options);
void addNoCache(CLI::App& verb, TraceOptions& options);
void addJson(CLI::App& verb, TraceOptions& options);
/// `--window A:B`, nanoseconds from the run's first event, both included.
void addWindow(CLI::App& verb, std::optional<TimeRange>& window);

/// Opens the traces as one run; a terminal on stderr shows how far it is.
Result<std::shared_ptr<const TraceStore>> openTraces(const TraceOptions& options, std::stop_token stop);

/// Prints the sentence on lost data, if there is one, on stderr: for answers that have no place for it.
void reportDataLoss(const TraceStore& store);

/// To standard output as it is; what went wrong there is told by main().
void print(const std::string& text);

/// While it lives, a line on stderr, if that is a terminal, says how far something is.
class ProgressLine {
public:
    ProgressLine(const char* what, const Progress& progress);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::jthread m_shows;
};

} // namespace ddp::cli
