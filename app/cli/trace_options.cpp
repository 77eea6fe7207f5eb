// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_options.h"

#include "app/window_text.h"
#include "core/import/open_run.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <unistd.h>

namespace ddp::cli {

namespace {

void showUntilStopped(const std::stop_token& stop, const char* what, const Progress& progress) {
    using namespace std::chrono_literals;
    std::mutex guard;
    std::condition_variable_any wake;
    std::unique_lock lock(guard);
    bool shown = false;
    while (!wake.wait_for(lock, stop, 300ms, [&] { return stop.stop_requested(); }) &&
           !stop.stop_requested()) {
        const std::uint64_t total = progress.total;
        if (total > 0)
            fmt::print(stderr, "\r{} {:3} %", what,
                       std::min<std::uint64_t>(
                           static_cast<std::uint64_t>(100.0 * static_cast<double>(progress.done.load()) /
                                                      static_cast<double>(total)),
                           100));
        shown = shown || total > 0;
    }
    if (shown)
        fmt::print(stderr, "\r\033[K");
}

} // namespace

void addTraces(CLI::App& verb, TraceOptions& options) {
    verb.add_option("TRACE", options.traces,
                    "OTF2 anchor files (*.otf2), archive folders, or run folders; all are opened as one run")
        ->required();
    addNoCache(verb, options);
}

void addNoCache(CLI::App& verb, TraceOptions& options) {
    verb.add_flag("--no-cache", options.noCache, "Read the trace anew, and keep nothing of it");
}

void addJson(CLI::App& verb, TraceOptions& options) {
    verb.add_flag("--json", options.json, "Print one JSON object");
}

void addWindow(CLI::App& verb, std::optional<TimeRange>& window) {
    verb.add_option_function<std::string>(
            "--window",
            [&window](const std::string& text) {
                window = app::parseWindow(text);
                if (!window)
                    throw CLI::ValidationError("--window", app::kWindowWanted + text);
            },
            "Only this part of the run: nanoseconds from its first event, both included")
        ->type_name("A:B");
}

Result<std::shared_ptr<const TraceStore>> openTraces(const TraceOptions& options, std::stop_token stop) {
    Progress progress;
    const ProgressLine line("opening", progress);
    OpenOptions open;
    open.cache = !options.noCache;
    return openRun(options.traces, open, std::move(stop), progress);
}

void reportDataLoss(const TraceStore& store) {
    if (const std::string sentence = report::dataLossSentence(store.issues()); !sentence.empty())
        fmt::print(stderr, "ddpscope-cli: {}\n", sentence);
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

ProgressLine::ProgressLine(const char* what, const Progress& progress) {
    if (isatty(STDERR_FILENO) != 0)
        m_shows = std::jthread(
            [what, &progress](const std::stop_token& stop) { showUntilStopped(stop, what, progress); });
}

ProgressLine::~ProgressLine() = default; // stops the thread and waits for it

} // namespace ddp::cli
