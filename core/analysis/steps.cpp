// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps.h"

#include "core/analysis/collectives.h"
#include "core/analysis/host_marks.h"
#include "core/analysis/step_pattern.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace ddp {

namespace {

using StepsByRank = std::vector<std::vector<Step>>;

StepRule ruleOf(StepMark mark) {
    switch (mark) {
    case StepMark::Step:
    case StepMark::UserStep:
    case StepMark::ProgramRepeat:
    case StepMark::UserPartStep:
        return StepRule::Region;
    case StepMark::ProfilerStep:
        return StepRule::ProfilerStep;
    case StepMark::NvtxStep:
        return StepRule::NvtxRange;
    case StepMark::Optimizer:
        return StepRule::OptimizerRegion;
    }
    return StepRule::None;
}

/// What one rule gives.
struct Candidate {
    StepRule rule = StepRule::None;
    std::string marker;
    StepsByRank ranks;
};

std::vector<Step> numbered(const std::vector<TimeRange>& ranges) {
    std::vector<Step> steps;
    for (const TimeRange& range : ranges)
        steps.push_back({static_cast<std::uint32_t>(steps.size()), range, steps.empty()});
    return steps;
}

// Each step lasts from the end of the one before it; the first one from `begin`.
std::vector<Step> betweenEnds(Nanoseconds begin, const std::vector<Nanoseconds>& ends) {
    std::vector<TimeRange> ranges;
    for (const Nanoseconds end : ends) {
        ranges.push_back({begin, std::max(begin, end)});
        begin = ranges.back().end;
    }
    return numbered(ranges);
}

class StepFinder {
public:
    StepFinder(const TraceStore& store, const RunActivity& activity, const std::stop_token& stop)
        : m_store(store), m_activity(activity), m_stop(stop), m_rankCount(store.ranks().size()) {}

    RunSteps find() {
        noteRanks();
        const std::vector<Candidate> onHost = hostCandidates();
        const auto all =
            std::ranges::find_if(onHost, [&](const Candidate& candidate) { return onAllRanks(candidate); });
        if (all != onHost.end())
            return {all->rule, all->marker, all->ranks};
        // Nothing on the host marks a step on all ranks.
        Candidate collectives = lastCollectives();
        if (!onHost.empty() && !onAllRanks(collectives))
            return {onHost.front().rule, onHost.front().marker, onHost.front().ranks};
        if (collectives.marker.empty())
            return {StepRule::None, "", StepsByRank(m_rankCount)};
        return {collectives.rule, collectives.marker, std::move(collectives.ranks)};
    }

private:
    // Where steps can be: on ranks that have a device, and anything at all.
    void noteRanks() {
        m_counts.assign(m_rankCount, false);
        m_first.resize(m_rankCount);
        for (const Device& device : m_activity.devices())
            for (const LocationId id : m_store.ranks()[device.rankIndex].locations)
                for (const SliceLane& lane : m_store.lanes(id)) {
                    if (lane.size() == 0)
                        continue;
                    Nanoseconds& first = m_first[device.rankIndex];
                    first = m_counts[device.rankIndex] ? std::min(first, lane.begin(0)) : lane.begin(0);
                    m_counts[device.rankIndex] = true;
                }
    }

    bool onAllRanks(const Candidate& candidate) const {
        for (std::size_t rank = 0; rank < m_rankCount; ++rank)
            if (m_counts[rank] && candidate.ranks[rank].empty())
                return false;
        return true;
    }

    // Those that hold on a rank at least, the preferred first.
    std::vector<Candidate> hostCandidates() {
        std::vector<std::optional<StepMark>> marks(m_store.regionCount());
        std::vector<std::uint8_t> isMarked(marks.size());
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const RegionInfo& region = m_store.region(RegionId(i));
            marks[i] = stepMarkOf(m_store.text(region.name), m_store.text(region.paradigm));
            isMarked[i] = marks[i] ? 1 : 0;
        }
        if (std::ranges::count(isMarked, 1) == 0)
            return {};
        std::vector<std::vector<MarkedSlice>> found(m_store.locations().size());
        runParallel(
            found.size(),
            [&](std::size_t i) {
                const LocationInfo& location = m_store.locations()[i];
                if (location.kind == LocationKind::Thread && m_counts[location.rankIndex])
                    found[i] = markedSlices(m_store, LocationId(i), isMarked);
            },
            m_stop);
        std::vector<Candidate> candidates;
        for (std::size_t mark = 0; mark < kStepMarks; ++mark)
            if (auto candidate = hostCandidate(static_cast<StepMark>(mark), marks, found))
                candidates.push_back(std::move(*candidate));
        return candidates;
    }

    std::optional<Candidate> hostCandidate(StepMark mark, const std::vector<std::optional<StepMark>>& marks,
                                           const std::vector<std::vector<MarkedSlice>>& found) const {
        Candidate candidate{ruleOf(mark), "", StepsByRank(m_rankCount)};
        for (std::size_t rank = 0; rank < m_rankCount; ++rank) {
            std::vector<MarkedSlice> most; // of the threads the one with the most; their steps may overlap
            for (const LocationId id : m_store.ranks()[rank].locations) {
                std::vector<MarkedSlice> slices;
                std::ranges::copy_if(found[id.index()], std::back_inserter(slices),
                                     [&](const auto& slice) { return marks[slice.region.index()] == mark; });
                keepOutermost(slices);
                if (slices.size() > most.size())
                    most = std::move(slices);
            }
            if (most.empty())
                continue;
            candidate.ranks[rank] = stepsOf(mark, rank, most);
            if (candidate.marker.empty())
                candidate.marker = mark == StepMark::ProfilerStep
                                       ? "ProfilerStep#"
                                       : std::string(m_store.regionName(most.front().region));
        }
        return candidate.marker.empty() ? std::nullopt : std::optional(std::move(candidate));
    }

    std::vector<Step> stepsOf(StepMark mark, std::size_t rank, std::vector<MarkedSlice>& slices) const {
        if (mark == StepMark::Optimizer)
            return betweenEnds(m_first[rank], optimizerEnds(slices));
        std::vector<TimeRange> ranges;
        for (const MarkedSlice& slice : slices)
            ranges.push_back(slice.range);
        std::vector<Step> steps = numbered(ranges);
        if (mark == StepMark::ProfilerStep)
            for (std::size_t i = 0; i < steps.size(); ++i)
                steps[i].number =
                    profilerStepNumber(m_store.regionName(slices[i].region)).value_or(steps[i].number);
        return steps;
    }

    // Where a step has several optimizers, the one that returns most often counts; of equals the last one.
    // Takes the others out.
    static std::vector<Nanoseconds> optimizerEnds(std::vector<MarkedSlice>& slices) {
        std::map<RegionId, std::size_t> count;
        for (const MarkedSlice& slice : slices)
            ++count[slice.region];
        RegionId most = slices.back().region;
        for (const MarkedSlice& slice : slices)
            if (count[slice.region] > count[most])
                most = slice.region;
        std::erase_if(slices, [most](const MarkedSlice& slice) { return slice.region != most; });
        std::vector<Nanoseconds> ends;
        for (const MarkedSlice& slice : slices)
            ends.push_back(slice.range.end);
        return ends;
    }

    // Of one location; what lies inside another one on a host thread is a part of it.
    std::vector<PatternOperation> operationsOf(LocationId id) const {
        const LocationKind kind = m_store.location(id).kind;
        const auto classes = m_activity.classes().on(kind);
        std::vector<std::uint8_t> isCommunication(classes.size());
        std::ranges::transform(classes, isCommunication.begin(),
                               [](WorkClass work) { return work == WorkClass::Communication ? 1 : 0; });
        auto slices = markedSlices(m_store, id, isCommunication);
        if (kind == LocationKind::Thread)
            keepOutermost(slices);
        std::vector<PatternOperation> operations(slices.size());
        std::ranges::transform(slices, operations.begin(), [](const MarkedSlice& slice) {
            return PatternOperation{slice.range, slice.region.value};
        });
        return operations;
    }

    Candidate lastCollectives() const {
        std::vector<std::vector<std::vector<PatternOperation>>> found(m_rankCount); // per location
        std::vector<std::pair<LocationId, std::size_t>> places;                     // and where it goes to
        for (const Device& device : m_activity.devices())
            for (const LocationId id : device.locations) {
                places.emplace_back(id, found[device.rankIndex].size());
                found[device.rankIndex].emplace_back();
            }
        runParallel(
            places.size(),
            [&](std::size_t i) {
                const auto [id, place] = places[i];
                found[m_store.location(id).rankIndex][place] = operationsOf(id);
            },
            m_stop);
        Candidate candidate{StepRule::LastCollective, "", StepsByRank(m_rankCount)};
        std::vector<std::string> markers(m_rankCount);
        runParallel(
            m_rankCount,
            [&](std::size_t rank) {
                candidate.ranks[rank] = repetitionsOf(rank, std::move(found[rank]), markers[rank]);
            },
            m_stop);
        for (const std::string& marker : markers)
            if (candidate.marker.empty())
                candidate.marker = marker;
        return candidate;
    }

    // In the sequence of the whole rank, else of the location that has the most of it: streams that work
    // beside each other may come in another order in every step.
    std::vector<Step> repetitionsOf(std::size_t rank, std::vector<std::vector<PatternOperation>> sequences,
                                    std::string& marker) const {
        const auto most = std::ranges::max_element(sequences, {}, &std::vector<PatternOperation>::size);
        if (most == sequences.end())
            return {};
        if (sequences.size() > 1) {
            std::vector<PatternOperation> all;
            for (const auto& sequence : sequences)
                all.insert(all.end(), sequence.begin(), sequence.end());
            if (auto steps = repetitionsOf(rank, all, marker); !steps.empty())
                return steps;
        }
        return repetitionsOf(rank, *most, marker);
    }

    std::vector<Step> repetitionsOf(std::size_t rank, std::vector<PatternOperation>& operations,
                                    std::string& marker) const {
        std::ranges::stable_sort(operations, [](const auto& a, const auto& b) {
            return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end < b.range.end;
        });
        const std::vector<Nanoseconds> ends = repetitionEnds(operations);
        if (ends.empty())
            return {};
        const auto last = std::ranges::find_if(
            operations, [&](const auto& operation) { return operation.range.end == ends.front(); });
        marker = m_store.regionName(RegionId(last->kind));
        return betweenEnds(m_first[rank], ends);
    }

    const TraceStore& m_store;
    const RunActivity& m_activity;
    const std::stop_token& m_stop;
    std::size_t m_rankCount;
    std::vector<bool> m_counts;
    std::vector<Nanoseconds> m_first; // begin of the rank's first slice
};

void addUp(Nanoseconds& sum, Nanoseconds value) {
    if (__builtin_add_overflow(sum.count, value.count, &sum.count))
        sum.count = std::numeric_limits<std::int64_t>::max();
}

void addUp(WindowActivity& sum, const WindowActivity& value) {
    addUp(sum.communication, value.communication);
    addUp(sum.compute, value.compute);
    addUp(sum.memory, value.memory);
    addUp(sum.hidden, value.hidden);
    addUp(sum.exposed, value.exposed);
    addUp(sum.exposedMemory, value.exposedMemory);
    addUp(sum.idle, value.idle);
}

// The step that contains `time`, or the end.
std::vector<Step>::const_iterator stepAt(const std::vector<Step>& steps, Nanoseconds time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](Nanoseconds t, const Step& step) { return t < step.range.begin; });
    return after != steps.begin() && std::prev(after)->range.contains(time) ? std::prev(after) : steps.end();
}

} // namespace

RunSteps findSteps(const TraceStore& store, const RunActivity& activity, std::stop_token stop) {
    return StepFinder(store, activity, stop).find();
}

std::optional<std::uint32_t> RunSteps::at(std::size_t rankIndex, Nanoseconds time) const {
    if (rankIndex >= ranks.size())
        return std::nullopt;
    const auto step = stepAt(ranks[rankIndex], time);
    return step == ranks[rankIndex].end() ? std::nullopt : std::optional(step->number);
}

std::vector<StepRow> measureSteps(const RunActivity& activity, const RunSteps& steps,
                                  const RunCollectives& collectives) {
    const std::size_t rankCount = steps.ranks.size();
    std::vector<std::vector<std::size_t>> devices(rankCount);
    for (std::size_t device = 0; device < activity.devices().size(); ++device)
        if (const std::size_t rank = activity.devices()[device].rankIndex; rank < rankCount)
            devices[rank].push_back(device);
    std::vector<StepRow> rows;
    std::vector<std::optional<std::size_t>> firstRow(rankCount);
    for (std::size_t rank = 0; rank < rankCount; ++rank) {
        if (devices[rank].empty())
            continue;
        firstRow[rank] = rows.size();
        for (const Step& step : steps.ranks[rank])
            rows.push_back({rank, step, {}, std::nullopt});
    }
    runParallel(rankCount, [&](std::size_t rank) {
        for (const std::size_t device : devices[rank])
            for (std::size_t i = 0; i < steps.ranks[rank].size(); ++i) {
                StepRow& row = rows[*firstRow[rank] + i];
                addUp(row.activity, activity.over(device, row.step.range));
            }
    });
    for (const CollectiveInstance& instance : collectives.instances)
        for (const CollectivePart& part : instance.parts) {
            if (!part.wait || part.rankIndex >= firstRow.size() || !firstRow[part.rankIndex])
                continue;
            const auto& ofRank = steps.ranks[part.rankIndex];
            const auto step = stepAt(ofRank, part.range.begin);
            if (step == ofRank.end())
                continue;
            StepRow& row = rows[*firstRow[part.rankIndex] + static_cast<std::size_t>(step - ofRank.begin())];
            row.wait = row.wait.value_or(Nanoseconds());
            addUp(*row.wait, *part.wait);
        }
    return rows;
}

std::optional<Spread> spreadOf(std::vector<double> values) {
    if (values.empty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    // The smallest value that at least so many percent do not exceed.
    const auto percentile = [&](std::size_t percent) { return values[(percent * n + 99) / 100 - 1]; };
    Spread spread;
    spread.min = values.front();
    spread.median = values[(n - 1) / 2] + (values[n / 2] - values[(n - 1) / 2]) / 2;
    spread.p05 = percentile(5);
    spread.p95 = percentile(95);
    spread.max = values.back();
    spread.count = n;
    return spread;
}

} // namespace ddp
