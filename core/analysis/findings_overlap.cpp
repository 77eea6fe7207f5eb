// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about the work of the devices.
#include "core/analysis/finding_checks.h"

#include <algorithm>
#include <map>

namespace ddp::finding {

namespace {

constexpr unsigned bitOf(WorkClass work) {
    return 1u << static_cast<unsigned>(work);
}

std::uint64_t timeBetween(Nanoseconds begin, Nanoseconds end) {
    return static_cast<std::uint64_t>(end.count) - static_cast<std::uint64_t>(begin.count);
}

Nanoseconds limited(std::uint64_t ns) {
    return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX)));
}

std::uint64_t communicationCount(const RunActivity& activity, std::size_t device) {
    const auto busy = activity.busy(device);
    if (!busy)
        return 0;
    // One more, for a slice without length where the work ends.
    const ClassSums sums = activity.sumsOver(device, {busy->begin, busy->end + Nanoseconds(1)});
    return sums.count[static_cast<std::size_t>(WorkClass::Communication)];
}

} // namespace

void noCommunication(Checker& check) {
    const FindingInput& in = check.in();
    const bool oneRank = in.store.ranks().size() == 1;
    const char* id = oneRank ? "no_communication_one_rank" : "no_communication";
    if (!check.rule(id) || in.store.ranks().empty())
        return;
    std::optional<TimeRange> hull;
    for (std::size_t i = 0; i < in.activity.devices().size(); ++i) {
        if (communicationCount(in.activity, i) > 0)
            return;
        if (const auto busy = in.activity.busy(i))
            hull =
                hull ? TimeRange{std::min(hull->begin, busy->begin), std::max(hull->end, busy->end)} : busy;
    }
    if (oneRank && !hull) // a run without any work says nothing about communication
        return;
    Finding& finding = check.add(id, std::nullopt, hull);
    if (!oneRank)
        finding.values["rank_count"] = static_cast<std::int64_t>(in.store.ranks().size());
    finding.values["devices"] = static_cast<std::int64_t>(in.activity.devices().size());
    finding.values["regions"] = static_cast<std::int64_t>(in.store.regionCount());
}

void communicationAsLongAsBackward(Checker& check) {
    const FindingRules::Rule* rule = check.rule("communication_as_long_as_backward");
    if (!rule)
        return;
    struct Seen {
        Nanoseconds backward;
        double ratio = 0;
    };
    WorstRank<Seen> worst;
    const RunPhases& phases = check.in().phases;
    for (std::size_t rank = 0; rank < check.ranks().size(); ++rank) {
        if (rank >= phases.rule.size() || phases.rule[rank] == PhaseRule::None)
            continue;
        Nanoseconds backward;
        for (const TimeRange window : check.ranks()[rank].windows)
            if (const auto part = phases.compute(check.in().activity, rank, Phase::Backward, window))
                backward = saturatedSum(backward, *part);
        const Nanoseconds communication = check.ranks()[rank].activity.communication;
        if (backward.count <= 0 || communication.count <= 0)
            continue;
        const double ratio = static_cast<double>(communication.count) / static_cast<double>(backward.count);
        if (ratio >= rule->threshold("ratio"))
            worst.offer(rank, ratio, {backward, ratio});
    }
    if (!worst)
        return;
    const RankAccount& account = check.ranks()[worst.rank()];
    Finding& finding = check.add("communication_as_long_as_backward", worst.rank(), account.hull());
    finding.values["communication"] = account.activity.communication;
    finding.values["backward"] = worst->backward;
    finding.values["ratio"] = worst->ratio;
    finding.values["ranks"] = worst.all();
}

namespace {

// When any communication of the device runs: merged, in order.
std::vector<TimeRange> communicationOf(const RunActivity& activity, std::size_t device, TimeRange window) {
    std::vector<TimeRange> ranges;
    activity.forEachStretch(device, window, [&](TimeRange stretch, unsigned state) {
        if ((state & bitOf(WorkClass::Communication)) == 0)
            return;
        if (!ranges.empty() && ranges.back().end == stretch.begin)
            ranges.back().end = stretch.end;
        else
            ranges.push_back(stretch);
    });
    return ranges;
}

// Sums for slices that come in the order of their begins how long each lies beside the ranges.
class Beside {
public:
    explicit Beside(const std::vector<TimeRange>& ranges) : m_ranges(ranges) {}

    std::uint64_t operator()(Nanoseconds begin, Nanoseconds end) {
        if (m_at < m_ranges.size() && m_ranges[m_at].end <= begin) {
            const auto next = std::ranges::upper_bound(m_ranges.begin() + static_cast<std::ptrdiff_t>(m_at),
                                                       m_ranges.end(), begin, {}, &TimeRange::end);
            m_at = static_cast<std::size_t>(next - m_ranges.begin());
        }
        std::uint64_t time = 0;
        for (std::size_t i = m_at; i < m_ranges.size() && m_ranges[i].begin < end; ++i)
            time += timeBetween(std::max(m_ranges[i].begin, begin), std::min(m_ranges[i].end, end));
        return time;
    }

private:
    const std::vector<TimeRange>& m_ranges;
    std::size_t m_at = 0;
};

// The compute regions that run beside communication, the longest first.
std::vector<NamedAmount> computeBeside(const Checker& check, std::size_t device,
                                       const std::vector<TimeRange>& communication) {
    const FindingInput& in = check.in();
    constexpr std::uint64_t kMost = INT64_MAX;
    std::vector<std::uint64_t> times(in.store.regionCount());
    for (const LocationId id : in.activity.devices()[device].locations) {
        const auto classes = in.activity.classes().on(in.store.location(id).kind);
        for (const SliceLane& lane : in.store.lanes(id)) {
            if (check.stopped())
                return {};
            Beside beside(communication);
            lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
                if (classes[region.index()] == WorkClass::Compute)
                    times[region.index()] = // neither is more than half of what fits
                        std::min(times[region.index()], kMost) + beside(begin, end);
            });
        }
    }
    std::map<std::string_view, Nanoseconds> byName; // a region may be defined more than once
    for (std::size_t i = 0; i < times.size(); ++i)
        if (times[i] > 0) {
            Nanoseconds& sum = byName[in.store.regionName(RegionId(i))];
            sum = saturatedSum(sum, limited(times[i]));
        }
    std::vector<NamedAmount> all;
    for (const auto& [name, time] : byName)
        all.push_back({std::string(name), time});
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const NamedAmount& named) { return std::get<Nanoseconds>(named.amount); });
    return all;
}

} // namespace

void communicationHidden(Checker& check) {
    constexpr std::size_t kMostKernels = 3;
    const RunActivity& activity = check.in().activity;
    if (!check.rule("communication_hidden"))
        return;
    WindowActivity sum;
    Nanoseconds most;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < activity.devices().size(); ++i) {
        const auto busy = activity.busy(i);
        if (!busy)
            continue;
        const WindowActivity own = activity.over(i, *busy);
        add(sum, own);
        if (own.communication > most) {
            most = own.communication;
            longest = i;
        }
    }
    const auto hidden = percentOf(sum.hidden, sum.communication);
    if (!hidden)
        return;
    const TimeRange busy = *activity.busy(longest);
    auto kernels = computeBeside(check, longest, communicationOf(activity, longest, busy));
    kernels.resize(std::min(kernels.size(), kMostKernels));
    Finding& finding = check.add("communication_hidden", activity.devices()[longest].rankIndex, busy);
    finding.values["communication"] = sum.communication;
    finding.values["hidden"] = sum.hidden;
    finding.values["hidden_pct"] = *hidden;
    finding.values["kernels"] = std::move(kernels);
}

namespace {

// Summed times of one stream.
struct StreamWork {
    LocationId stream;
    Nanoseconds communication;
    Nanoseconds compute;
};

StreamWork workOf(const FindingInput& in, LocationId id) {
    StreamWork work{id, {}, {}};
    const auto classes = in.activity.classes().on(in.store.location(id).kind);
    for (const SliceLane& lane : in.store.lanes(id))
        lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
            const WorkClass kind = classes[region.index()];
            if (kind == WorkClass::Communication)
                work.communication = saturatedSum(work.communication, limited(timeBetween(begin, end)));
            else if (kind == WorkClass::Compute)
                work.compute = saturatedSum(work.compute, limited(timeBetween(begin, end)));
        });
    return work;
}

// The stream that holds at least so much of the device's communication and of its compute.
std::optional<StreamWork> sharedStream(const FindingInput& in, const Device& device, double leastPercent) {
    std::vector<StreamWork> streams;
    StreamWork sum;
    for (const LocationId id : device.locations) {
        streams.push_back(workOf(in, id));
        sum.communication = saturatedSum(sum.communication, streams.back().communication);
        sum.compute = saturatedSum(sum.compute, streams.back().compute);
    }
    for (const StreamWork& stream : streams)
        if (percentOf(stream.communication, sum.communication).value_or(0) >= leastPercent &&
            percentOf(stream.compute, sum.compute).value_or(0) >= leastPercent &&
            stream.communication.count > 0 && stream.compute.count > 0)
            return stream;
    return std::nullopt;
}

} // namespace

void communicationOnComputeStream(Checker& check) {
    const FindingRules::Rule* rule = check.rule("communication_on_compute_stream");
    if (!rule)
        return;
    struct Seen {
        StreamWork stream;
        WindowActivity activity;
        TimeRange busy;
    };
    WorstRank<Seen> worst;
    const FindingInput& in = check.in();
    for (std::size_t i = 0; i < in.activity.devices().size() && !check.stopped(); ++i) {
        const Device& device = in.activity.devices()[i];
        const auto busy = in.activity.busy(i);
        if (device.isHost || !busy)
            continue;
        const WindowActivity own = in.activity.over(i, *busy);
        const auto hidden = percentOf(own.hidden, own.communication);
        if (!hidden || *hidden > rule->threshold("hidden_pct"))
            continue;
        if (const auto stream = sharedStream(in, device, rule->threshold("stream_pct")))
            worst.offer(device.rankIndex, static_cast<double>(own.communication.count),
                        {*stream, own, *busy});
    }
    if (!worst)
        return;
    Finding& finding = check.add("communication_on_compute_stream", worst.rank(), worst->busy);
    finding.values["stream"] = in.store.location(worst->stream.stream).name;
    finding.values["communication"] = worst->stream.communication;
    finding.values["compute"] = worst->stream.compute;
    finding.values["hidden"] = worst->activity.hidden;
    finding.values["hidden_pct"] = *percentOf(worst->activity.hidden, worst->activity.communication);
    finding.values["ranks"] = worst.all();
}

namespace {

// Communication that nothing hides, from the end of a step's last backward work to the end of the step.
struct Tail {
    TimeRange range;
    Nanoseconds exposed;
    double share = 0; // percent of the step
};

std::vector<Tail> tailsOf(const FindingInput& in, std::size_t rank, const RankAccount& account) {
    std::vector<Tail> tails;
    for (const Step& step : account.steps) {
        const auto end = in.phases.lastEnd(in.activity, rank, Phase::Backward, step.range);
        if (!end)
            continue;
        Tail tail{{*end, step.range.end}, {}, 0};
        Nanoseconds span;
        for (const std::size_t device : account.devices) {
            tail.exposed = saturatedSum(tail.exposed, in.activity.over(device, tail.range).exposed);
            span = saturatedSum(span, step.range.length());
        }
        tail.share = percentOf(tail.exposed, span).value_or(0);
        tails.push_back(tail);
    }
    return tails;
}

// The part of the range until the last communication that nothing hides has ended.
TimeRange untilExposed(const FindingInput& in, const RankAccount& account, TimeRange range) {
    TimeRange part{range.begin, range.begin};
    for (const std::size_t device : account.devices)
        in.activity.forEachStretch(device, range, [&](TimeRange stretch, unsigned state) {
            if ((state & bitOf(WorkClass::Communication)) != 0 && (state & bitOf(WorkClass::Compute)) == 0)
                part.end = std::max(part.end, std::min(stretch.end, range.end));
        });
    return part;
}

struct SeenTails {
    Nanoseconds median;
    double medianShare = 0;
    Tail longest;
    Tail typical; // nearest to the median
    std::size_t count = 0;
};

std::optional<SeenTails> summaryOf(const std::vector<Tail>& tails) {
    std::vector<Nanoseconds> times;
    std::vector<double> shares;
    for (const Tail& tail : tails) {
        times.push_back(tail.exposed);
        shares.push_back(tail.share);
    }
    const auto middle = median(times);
    if (!middle)
        return std::nullopt;
    SeenTails seen{*middle, spreadOf(shares)->median, {}, {}, tails.size()};
    const auto distance = [&](const Tail& tail) {
        return std::max(tail.exposed, *middle) - std::min(tail.exposed, *middle);
    };
    seen.longest = *std::ranges::max_element(tails, {}, &Tail::exposed);
    seen.typical = *std::ranges::min_element(tails, {}, distance);
    return seen;
}

} // namespace

void exposedTail(Checker& check) {
    const FindingRules::Rule* rule = check.rule("exposed_tail");
    if (!rule)
        return;
    WorstRank<SeenTails> worst;
    const RunPhases& phases = check.in().phases;
    for (std::size_t rank = 0; rank < check.ranks().size() && !check.stopped(); ++rank) {
        if (rank >= phases.rule.size() || phases.rule[rank] == PhaseRule::None)
            continue;
        const auto seen = summaryOf(tailsOf(check.in(), rank, check.ranks()[rank]));
        if (seen && static_cast<double>(seen->count) >= rule->threshold("steps") && seen->median.count > 0 &&
            seen->medianShare >= rule->threshold("tail_pct"))
            worst.offer(rank, seen->medianShare, *seen);
    }
    if (!worst)
        return;
    const TimeRange window = untilExposed(check.in(), check.ranks()[worst.rank()], worst->typical.range);
    Finding& finding = check.add("exposed_tail", worst.rank(), window);
    finding.values["tail"] = worst->median;
    finding.values["tail_pct"] = worst->medianShare;
    finding.values["steps"] = static_cast<std::int64_t>(worst->count);
    finding.values["longest"] = worst->longest.exposed;
    finding.values["ranks"] = worst.all();
}

} // namespace ddp::finding
