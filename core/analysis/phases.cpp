// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phases.h"

#include "core/analysis/host_marks.h"
#include "core/analysis/kernel_launches.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ddp {

namespace {

struct PhaseRange {
    TimeRange range;
    Phase phase = Phase::Forward;
};

// The range of an ordered list without overlaps that contains `time`.
const PhaseRange* rangeAt(const std::vector<PhaseRange>& ranges, Nanoseconds time) {
    const auto after =
        std::ranges::upper_bound(ranges, time, {}, [](const auto& r) { return r.range.begin; });
    return after != ranges.begin() && std::prev(after)->range.contains(time) ? &*std::prev(after) : nullptr;
}

/// The phases that the host of a rank went through.
class HostPhases {
public:
    HostPhases(const TraceStore& store, std::size_t rank, const std::vector<std::optional<Phase>>& phases,
               const std::vector<std::uint8_t>& isMarked) {
        for (const LocationId id : store.ranks()[rank].locations) {
            if (store.location(id).kind != LocationKind::Thread)
                continue;
            auto slices = markedSlices(store, id, isMarked);
            keepOutermost(slices);
            for (const MarkedSlice& slice : slices) {
                const Phase phase = *phases[slice.region.index()];
                m_marked[static_cast<std::size_t>(phase)] = true;
                m_threads[id].push_back({slice.range, phase});
            }
        }
        mergeThreads();
    }

    bool none() const { return m_threads.empty(); }
    const std::array<bool, kPhases>& marked() const { return m_marked; }

    std::optional<Phase> at(LocationId thread, Nanoseconds time) const {
        const auto own = m_threads.find(thread);
        const PhaseRange* found = own == m_threads.end() ? nullptr : rangeAt(own->second, time);
        if (!found)
            found = rangeAt(m_anyThread, time);
        return found ? std::optional(found->phase) : std::nullopt;
    }

private:
    struct Edge {
        Nanoseconds time;
        Phase phase;
        bool begins;
    };

    // Where exactly one phase is open, on however many threads.
    void mergeThreads() {
        std::vector<Edge> edges;
        for (const auto& [thread, ranges] : m_threads)
            for (const PhaseRange& range : ranges) {
                edges.push_back({range.range.begin, range.phase, true});
                edges.push_back({range.range.end, range.phase, false});
            }
        std::ranges::sort(edges, {}, &Edge::time);
        std::array<std::size_t, kPhases> begun{};
        std::array<std::size_t, kPhases> ended{};
        for (std::size_t i = 0; i < edges.size(); ++i) {
            ++(edges[i].begins ? begun : ended)[static_cast<std::size_t>(edges[i].phase)];
            if (i + 1 == edges.size() || edges[i + 1].time == edges[i].time)
                continue;
            std::size_t open = 0;
            Phase which = Phase::Forward;
            for (std::size_t phase = 0; phase < kPhases; ++phase)
                if (begun[phase] > ended[phase]) {
                    ++open;
                    which = static_cast<Phase>(phase);
                }
            if (open == 1)
                m_anyThread.push_back({{edges[i].time, edges[i + 1].time}, which});
        }
    }

    std::map<LocationId, std::vector<PhaseRange>> m_threads;
    std::vector<PhaseRange> m_anyThread;
    std::array<bool, kPhases> m_marked{};
};

class PhaseFinder {
public:
    PhaseFinder(const TraceStore& store, const RunActivity& activity)
        : m_store(store), m_activity(activity), m_phases(store.regionCount()), m_isMarked(m_phases.size()) {
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            m_phases[i] = phaseOf(store.regionName(RegionId(i)));
            m_isMarked[i] = m_phases[i] ? 1 : 0;
        }
        const std::size_t ranks = store.ranks().size();
        m_result.rule.assign(ranks, PhaseRule::None);
        m_result.why.resize(ranks);
        m_result.marked.resize(ranks);
        m_result.devices.resize(activity.devices().size());
    }

    RunPhases find(const std::stop_token& stop) {
        runParallel(
            m_store.ranks().size(), [&](std::size_t rank) { findOf(rank); }, stop);
        return std::move(m_result);
    }

private:
    // Ranks share nothing but the input.
    void findOf(std::size_t rank) {
        const HostPhases host(m_store, rank, m_phases, m_isMarked);
        m_result.marked[rank] = host.marked();
        const auto devices = m_activity.devices();
        const auto first = std::ranges::find(devices, rank, &Device::rankIndex);
        if (host.none() || first == devices.end()) {
            m_result.why[rank] = "no_phase_regions";
            return;
        }
        if (first->isHost) {
            m_result.rule[rank] = PhaseRule::HostRegion;
            workOfThreads(*first, host, m_result.devices[static_cast<std::size_t>(first - devices.begin())]);
        } else {
            workOfKernels(rank, host);
        }
        for (std::size_t i = 0; i < devices.size(); ++i)
            if (devices[i].rankIndex == rank)
                settle(m_result.devices[i]);
    }

    void workOfThreads(const Device& device, const HostPhases& host, PhaseWork& work) const {
        const auto& classes = m_activity.classes().onThread;
        for (const LocationId id : device.locations)
            for (const SliceLane& lane : m_store.lanes(id))
                lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
                    if (classes[region.index()] == WorkClass::Compute)
                        add(work, host.at(id, begin), {begin, end});
                });
    }

    void workOfKernels(std::size_t rank, const HostPhases& host) {
        LaunchedKernels launched = launchedKernels(m_store, m_activity, rank);
        m_result.rule[rank] = launched.rule;
        m_result.why[rank] = std::move(launched.why);
        for (const LaunchedKernel& kernel : launched.kernels)
            add(m_result.devices[kernel.device], host.at(kernel.thread, kernel.launch), kernel.range);
    }

    static void add(PhaseWork& work, std::optional<Phase> phase, TimeRange range) {
        if (phase && !range.empty())
            work.byPhase[static_cast<std::size_t>(*phase)].push_back(range);
    }

    static void settle(PhaseWork& work) {
        for (std::size_t phase = 0; phase < kPhases; ++phase) {
            auto& ranges = work.byPhase[phase];
            std::ranges::sort(ranges, {}, &TimeRange::begin);
            std::size_t kept = 0;
            for (const TimeRange range : ranges)
                if (kept > 0 && range.begin <= ranges[kept - 1].end)
                    ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
                else
                    ranges[kept++] = range;
            ranges.resize(kept);
            std::int64_t sum = 0;
            for (const TimeRange& range : ranges) {
                work.before[phase].push_back(sum);
                sum += range.length().count;
            }
        }
    }

    const TraceStore& m_store;
    const RunActivity& m_activity;
    std::vector<std::optional<Phase>> m_phases; // by RegionId
    std::vector<std::uint8_t> m_isMarked;
    RunPhases m_result;
};

// The intervals that have time in the window: first and one past the last.
std::pair<std::size_t, std::size_t> inWindow(const std::vector<TimeRange>& ranges, TimeRange window) {
    const auto first =
        std::ranges::partition_point(ranges, [&](const TimeRange& r) { return r.end <= window.begin; });
    const auto last =
        std::ranges::partition_point(ranges, [&](const TimeRange& r) { return r.begin < window.end; });
    return {first - ranges.begin(), std::max(first, last) - ranges.begin()};
}

std::int64_t lengthIn(const PhaseWork& work, std::size_t phase, TimeRange window) {
    const auto& ranges = work.byPhase[phase];
    const auto [first, last] = inWindow(ranges, window);
    if (first == last || window.empty())
        return 0;
    const TimeRange front = ranges[first];
    const TimeRange back = ranges[last - 1];
    return work.before[phase][last - 1] + (std::min(back.end, window.end) - back.begin).count -
           work.before[phase][first] - (std::max(front.begin, window.begin) - front.begin).count;
}

} // namespace

std::optional<Nanoseconds> RunPhases::compute(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                              TimeRange window) const {
    const auto number = static_cast<std::size_t>(phase);
    if (rankIndex >= rule.size() || rule[rankIndex] == PhaseRule::None || !marked[rankIndex][number])
        return std::nullopt;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (activity.devices()[i].rankIndex == rankIndex &&
            __builtin_add_overflow(sum, lengthIn(devices[i], number, window), &sum))
            sum = std::numeric_limits<std::int64_t>::max();
    return Nanoseconds(sum);
}

std::optional<Nanoseconds> RunPhases::lastEnd(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                              TimeRange window) const {
    std::optional<Nanoseconds> end;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto& ranges = devices[i].byPhase[static_cast<std::size_t>(phase)];
        const auto [first, last] = inWindow(ranges, window);
        if (activity.devices()[i].rankIndex == rankIndex && first < last && !window.empty())
            end = std::max(end.value_or(window.begin), std::min(ranges[last - 1].end, window.end));
    }
    return end;
}

RunPhases findPhases(const TraceStore& store, const RunActivity& activity, std::stop_token stop) {
    return PhaseFinder(store, activity).find(stop);
}

} // namespace ddp
