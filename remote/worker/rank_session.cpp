// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/rank_session.h"

#include "remote/worker/host_name.h"
#include "remote/worker/trace/otf2_archive.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace ddp::worker {

namespace {

// A file system that hangs must not keep the process alive while it writes its last words.
constexpr unsigned kSecondsToEnd = 10;

volatile std::sig_atomic_t g_exitCode = records::kExitHang;

void exitAtOnce(int) {
    ::_exit(g_exitCode);
}

std::string seconds(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string regionOf(const char* stage) {
    return std::string("stage:") + stage;
}

} // namespace

RankSession::RankSession(const PocOptions& options, const RankPlace& place, RankOutput& output)
    : m_options(options), m_place(place), m_output(output),
      m_watchdog(std::make_unique<Watchdog>([this] { endByDeadline(); },
                                            [this](int signal) { endBySignal(signal); })) {}

void RankSession::enter(const char* stage) {
    if (m_inStage) {
        m_recorder.leave(regionOf(m_stage), trace::RegionKind::Stage);
        record(records::Stage{m_stage.load(), "end", {}});
    }
    m_inStage = true;
    m_stage = stage;
    m_stageBegin = monotonicNs();
    renewDeadline();
    m_recorder.enter(regionOf(stage), trace::RegionKind::Stage);
    record(records::Stage{stage, "begin", {}});
    say(std::string("stage ") + stage);
    if (m_publish)
        m_publish(stage);
}

void RankSession::renewDeadline() {
    m_deadline = monotonicNs() + secondsToNs(m_options.stageDeadlineSeconds);
    m_watchdog->setDeadline(m_deadline);
}

std::int64_t RankSession::nsLeft() const {
    const std::int64_t left = m_deadline.load() - monotonicNs();
    return left > 0 ? left : 0;
}

void RankSession::fail(const Failure& failure) {
    beginEnd(failure.exitCode);
    banner(failure.title, failure.what);
    record(records::Stage{m_stage.load(), "failed", failure.what});
    record(records::ErrorRecord{m_stage.load(), failure.what, failure.faultOf});
    endProcess(failure.exitCode, failure.faultOf, std::string("failed in stage ") + m_stage.load(),
               OpenRegions::Close);
}

void RankSession::finish() {
    beginEnd(records::kExitPassed);
    say("done.");
    record(records::Stage{m_stage.load(), "end", {}});
    endProcess(records::kExitPassed, "-", "passed", OpenRegions::Close);
}

void RankSession::endByDeadline() {
    beginEnd(records::kExitHang);
    const std::string stage = m_stage.load();
    const std::string after = seconds(static_cast<double>(monotonicNs() - m_stageBegin) / 1e9);
    const std::string what = "stage " + stage + " did not end within its deadline of " +
                             seconds(m_options.stageDeadlineSeconds) + " s";
    banner("HANG in stage " + stage + " after " + after + " s",
           what + "; the process ends itself now, so that nobody has to kill it");
    record(records::Stage{stage, "deadline", what});
    record(records::ErrorRecord{stage, what, "node"});
    endProcess(records::kExitHang, "node", "hang in stage " + stage, OpenRegions::Keep);
}

void RankSession::endBySignal(int signal) {
    const int exitCode = 128 + signal;
    beginEnd(exitCode);
    const std::string name = signal == SIGINT ? "SIGINT" : "SIGTERM";
    say("stopped by " + name + " in stage " + m_stage.load());
    record(records::Stage{m_stage.load(), "failed", "stopped by " + name});
    endProcess(exitCode, "peer", "stopped by " + name + " in stage " + m_stage.load(), OpenRegions::Keep);
}

void RankSession::waitWhileOtherEnds() const {
    while (m_ending && m_endingThread.load() != std::this_thread::get_id())
        ::pause(); // until _exit
}

void RankSession::beginEnd(int exitCode) {
    if (m_ending.exchange(true))
        waitWhileOtherEnds();
    m_endingThread = std::this_thread::get_id();
    g_exitCode = exitCode;
    std::signal(SIGALRM, exitAtOnce);
    ::alarm(kSecondsToEnd);
}

void RankSession::banner(const std::string& title, const std::string& text) {
    const std::string rule(70, '=');
    // One write for all its lines, so that no line of another rank comes in between.
    print(rule + "\n" + tag() + title + "\n" + text + "\n" + rule + "\n");
}

void RankSession::writeArchive(int exitCode) {
    if (m_output.folder().empty())
        return;
    const trace::ArchiveFacts facts{
        m_output.folder(), hostName(),        "ddpscope-worker " DDP_WORKER_VERSION,
        m_place.rank,      m_place.worldSize, exitCode};
    const std::string problem = trace::writeOtf2Archive(m_recorder.snapshot(), facts);
    if (!problem.empty())
        m_output.reportLoss(m_output.folder() + "/" + records::kArchiveAnchor, problem);
}

void RankSession::endProcess(int exitCode, const char* faultOf, const std::string& reason,
                             OpenRegions regions) {
    if (regions == OpenRegions::Close) {
        m_recorder.closeMainLane();
        m_recorder.waitForOtherLanes(secondsToNs(0.2));
    }
    record(records::End{exitCode, m_steps.load(), reason});
    print("ddpscope-end rank=" + std::to_string(m_place.rank) + " rc=" + std::to_string(exitCode) +
          " steps=" + std::to_string(m_steps.load()) + "\n");
    writeArchive(exitCode);
    tellParent(m_place, "end " + std::to_string(exitCode) + " " + faultOf + "\n");
    // Not exit(): destructors of libtorch would wait for threads that may hang, and the watchdog runs this,
    // too.
    ::_exit(exitCode);
}

void tellParent(const RankPlace& place, const std::string& line) {
    if (place.parentSocket >= 0 && ::write(place.parentSocket, line.data(), line.size()) < 0)
        return; // the parent is gone, and this process dies with it
}

} // namespace ddp::worker
