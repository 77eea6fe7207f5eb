// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/trace/recorder.h"

#include "remote/worker/clock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace ddp::worker::trace {

namespace {

// glibc got gettid() in 2.30; clusters still run older ones.
std::int64_t threadId() {
    return ::syscall(SYS_gettid);
}

} // namespace

Recorder::Recorder() : m_beginMonotonicNs(monotonicNs()), m_beginWallNs(wallNs()) {
    m_lanes.push_back({"Master thread", threadId(), {}, {}});
}

std::uint32_t Recorder::regionId(std::string_view name, RegionKind kind) {
    const auto known = m_regionIds.find(name);
    if (known != m_regionIds.end())
        return known->second;
    const auto id = static_cast<std::uint32_t>(m_regions.size());
    m_regions.push_back({std::string(name), kind});
    m_regionIds.emplace(name, id);
    return id;
}

Lane& Recorder::laneOfThisThread() {
    const std::int64_t id = threadId();
    for (auto& lane : m_lanes) {
        if (lane.threadId == id)
            return lane;
    }
    m_lanes.push_back({"Gloo thread " + std::to_string(m_lanes.size() - 1), id, {}, {}});
    return m_lanes.back();
}

void Recorder::add(std::string_view region, RegionKind kind, bool enter) {
    const std::lock_guard lock(m_mutex);
    Lane& lane = laneOfThisThread();
    const std::uint32_t id = regionId(region, kind);
    if (enter) {
        lane.open.push_back(id);
    } else {
        // A LEAVE that closes nothing would make the archive unreadable for others.
        if (lane.open.empty() || lane.open.back() != id)
            return;
        lane.open.pop_back();
    }
    lane.events.push_back({monotonicNs(), id, enter});
}

void Recorder::closeMainLane() {
    const std::lock_guard lock(m_mutex);
    Lane& lane = m_lanes.front();
    for (; !lane.open.empty(); lane.open.pop_back())
        lane.events.push_back({monotonicNs(), lane.open.back(), false});
}

void Recorder::waitForOtherLanes(std::int64_t patienceNs) {
    const auto busy = [this] {
        const std::lock_guard lock(m_mutex);
        return std::any_of(m_lanes.begin() + 1, m_lanes.end(),
                           [](const Lane& lane) { return !lane.open.empty(); });
    };
    for (const std::int64_t end = monotonicNs() + patienceNs; busy() && monotonicNs() < end;)
        ::usleep(1000);
}

Snapshot Recorder::snapshot() {
    const std::lock_guard lock(m_mutex);
    return {m_regions, m_lanes, m_beginMonotonicNs, m_beginWallNs, monotonicNs()};
}

} // namespace ddp::worker::trace
