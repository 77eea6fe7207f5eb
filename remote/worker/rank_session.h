// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "remote/worker/clock.h"
#include "remote/worker/options.h"
#include "remote/worker/rank_env.h"
#include "remote/worker/rank_output.h"
#include "remote/worker/trace/recorder.h"
#include "remote/worker/watchdog.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace ddp::worker {

/// Why a rank gives up.
struct Failure {
    int exitCode = records::kExitNodeFault;
    const char* faultOf = "node"; // as in records::ErrorRecord
    std::string title;            // of the banner, after "[rank r] "
    std::string what;             // the library's own words, or our sentence
};

/// What a rank's main thread and its watchdog share: output, trace, the current stage with its deadline, and
/// the one way in which the process ends. Whoever comes first, main thread or watchdog, writes the end; the
/// other one waits for the process to be over.
class RankSession {
public:
    RankSession(const PocOptions& options, const RankPlace& place, RankOutput& output);

    const PocOptions& options() const { return m_options; }
    const RankPlace& place() const { return m_place; }
    trace::Recorder& recorder() { return m_recorder; }

    /// Ends the current stage and begins the next one, so that a rank is never outside of a stage and its
    /// deadline.
    void enter(const char* stage);
    /// Gives the current stage its full time again: a step of the training was done.
    void renewDeadline();
    /// Until the deadline of the stage, never negative.
    std::int64_t nsLeft() const;
    const char* stage() const { return m_stage.load(); }
    /// Called with each stage from then on; failures of it must stay inside it.
    void onEnter(std::function<void(const char*)> publish) { m_publish = std::move(publish); }
    void countStep() { ++m_steps; }

    /// A line "[rank r] text".
    void say(const std::string& text) { print(tag() + text + "\n"); }
    /// Lines as they are, with their line ends.
    void print(const std::string& text) {
        waitWhileOtherEnds();
        m_output.print(text);
    }
    std::string tag() const { return "[rank " + std::to_string(m_place.rank) + "] "; }
    template <class Record>
    void record(const Record& record) {
        waitWhileOtherEnds();
        m_output.record(records::toLine(record, m_place.rank, monotonicNs()));
    }

    [[noreturn]] void fail(const Failure& failure);
    [[noreturn]] void finish();

private:
    enum class OpenRegions { Close, Keep };
    void waitWhileOtherEnds() const;
    void beginEnd(int exitCode);
    void banner(const std::string& title, const std::string& text);
    void writeArchive(int exitCode);
    [[noreturn]] void endProcess(int exitCode, const char* faultOf, const std::string& reason,
                                 OpenRegions regions);
    [[noreturn]] void endByDeadline();
    [[noreturn]] void endBySignal(int signal);

    const PocOptions m_options;
    const RankPlace m_place;
    RankOutput& m_output;
    trace::Recorder m_recorder;
    std::atomic<const char*> m_stage{records::kStageDeviceFacts};
    std::atomic<std::int64_t> m_stageBegin{0};
    std::atomic<std::int64_t> m_deadline{0};
    bool m_inStage = false; // main thread
    std::atomic<std::int64_t> m_steps{0};
    std::atomic<bool> m_ending{false};
    std::atomic<std::thread::id> m_endingThread{};
    std::function<void(const char*)> m_publish;
    std::unique_ptr<Watchdog> m_watchdog; // last: it uses the members above
};

/// Tells our parent, if we have one, a line of its protocol (see spawn.h).
void tellParent(const RankPlace& place, const std::string& line);

} // namespace ddp::worker
