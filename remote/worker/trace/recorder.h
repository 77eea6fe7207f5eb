// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::worker::trace {

enum class RegionKind { Stage, User, Collective };

struct Region {
    std::string name;
    RegionKind kind = RegionKind::User;
};

struct Event {
    std::int64_t timeNs = 0;
    std::uint32_t region = 0;
    bool enter = false;
};

/// Events of one thread in the order in which they happened.
struct Lane {
    std::string name;
    std::int64_t threadId = 0;
    std::vector<Event> events;
    std::vector<std::uint32_t> open; // regions entered and not left
};

struct Snapshot {
    std::vector<Region> regions;
    std::vector<Lane> lanes;
    std::int64_t beginMonotonicNs = 0;
    std::int64_t beginWallNs = 0;
    std::int64_t endMonotonicNs = 0;
};

/// Collects what happens in memory; an archive is made of it at the end. Any thread may record; the thread
/// that makes the recorder is the main thread and owns lane 0, every other thread gets a lane at its first
/// event.
class Recorder {
public:
    Recorder();

    void enter(std::string_view region, RegionKind kind) { add(region, kind, true); }
    void leave(std::string_view region, RegionKind kind) { add(region, kind, false); }
    /// Leaves what the main thread has open, innermost first.
    void closeMainLane();
    /// Waits until no other thread has a region open: Gloo's threads write their last event after the waiting
    /// thread has been released.
    void waitForOtherLanes(std::int64_t patienceNs);
    Snapshot snapshot();

private:
    void add(std::string_view region, RegionKind kind, bool enter);
    std::uint32_t regionId(std::string_view name, RegionKind kind);
    Lane& laneOfThisThread();

    std::mutex m_mutex; // held for an append or a copy only, so that the watchdog always gets it
    std::vector<Region> m_regions;
    std::map<std::string, std::uint32_t, std::less<>> m_regionIds;
    std::vector<Lane> m_lanes;
    std::int64_t m_beginMonotonicNs;
    std::int64_t m_beginWallNs;
};

/// A region on the calling thread for as long as the object lives.
class Scope {
public:
    Scope(Recorder& recorder, const char* region, RegionKind kind = RegionKind::User)
        : m_recorder(recorder), m_region(region), m_kind(kind) {
        m_recorder.enter(m_region, m_kind);
    }
    ~Scope() { m_recorder.leave(m_region, m_kind); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    Recorder& m_recorder;
    const char* m_region;
    RegionKind m_kind;
};

} // namespace ddp::worker::trace
