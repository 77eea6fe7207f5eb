// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about the ranks beside each other, and about steps beside each other.
#include "core/analysis/finding_checks.h"

#include <algorithm>
#include <set>

namespace ddp::finding {

namespace {

TimeRange around(const CollectiveInstance& instance) {
    TimeRange hull = instance.parts.front().range;
    for (const CollectivePart& part : instance.parts)
        hull = {std::min(hull.begin, part.range.begin), std::max(hull.end, part.range.end)};
    return hull;
}

bool contains(const std::vector<TimeRange>& windows, Nanoseconds time) {
    const auto after = std::ranges::upper_bound(windows, time, {}, &TimeRange::begin);
    return after != windows.begin() && std::prev(after)->contains(time);
}

const CollectivePart* partOf(const CollectiveInstance& instance, std::size_t rank) {
    const auto found = std::ranges::find(instance.parts, rank, &CollectivePart::rankIndex);
    return found == instance.parts.end() ? nullptr : &*found;
}

// What the others waited while one rank was the last.
struct Lateness {
    std::int64_t tookPart = 0; // in collectives of which the last rank is known
    std::int64_t last = 0;
    Nanoseconds waits;
    Nanoseconds longest; // waits in one collective …
    TimeRange window;    // … and where that is
};

// How much later than the others the rank came without doubt: the clocks of two ranks may be wrong.
bool isBeyondClocks(const TraceStore& store, const CollectiveInstance& instance) {
    const auto uncertainty = [&](const CollectivePart& part) {
        return Nanoseconds(
            std::max<std::int64_t>(store.ranks()[part.rankIndex].clock.uncertaintyNs.value_or(0), 0));
    };
    Nanoseconds most;
    for (const CollectivePart& part : instance.parts)
        most = std::max(most, uncertainty(part));
    return *instance.skew > saturatedSum(most, most);
}

// The time of the others in it; nothing where the durations do not bear out who was the last.
std::optional<Nanoseconds> waitsFor(const CollectiveInstance& instance, const CollectivePart& late) {
    if (!late.wait)
        return std::nullopt;
    Nanoseconds sum;
    for (const CollectivePart& part : instance.parts) {
        if (&part == &late)
            continue;
        if (!part.wait || *part.wait < *late.wait)
            return std::nullopt;
        sum = saturatedSum(sum, std::max(*part.wait, Nanoseconds()));
    }
    return sum;
}

void addInstance(const Checker& check, const CollectiveInstance& instance, std::vector<Lateness>& ranks) {
    if (!instance.confident || !instance.lateRank || !instance.skew || instance.parts.size() < 2)
        return;
    const CollectivePart* late = partOf(instance, *instance.lateRank);
    if (!late || !contains(check.ranks()[late->rankIndex].windows, late->range.begin))
        return;
    for (const CollectivePart& part : instance.parts)
        ++ranks[part.rankIndex].tookPart;
    const auto waits = waitsFor(instance, *late);
    if (!waits || waits->count == 0 || !isBeyondClocks(check.in().store, instance))
        return;
    Lateness& rank = ranks[late->rankIndex];
    ++rank.last;
    rank.waits = saturatedSum(rank.waits, *waits);
    if (*waits > rank.longest) {
        rank.longest = *waits;
        rank.window = around(instance);
    }
}

Nanoseconds timeOfOthers(const std::vector<RankAccount>& ranks, std::size_t than) {
    Nanoseconds time;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (i != than)
            for (const TimeRange window : ranks[i].windows)
                time = saturatedSum(time, window.length());
    return time;
}

} // namespace

void lateRank(Checker& check) {
    const FindingRules::Rule* rule = check.rule("late_rank");
    if (!rule)
        return;
    std::vector<Lateness> all(check.ranks().size());
    for (const CollectiveInstance& instance : check.in().collectives.instances)
        addInstance(check, instance, all);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const Lateness& seen = all[rank];
        if (seen.last == 0)
            continue;
        const auto share = percentOf(seen.waits, timeOfOthers(check.ranks(), rank));
        if (!share || *share < rule->threshold("share_pct"))
            continue;
        Finding& finding = check.add("late_rank", rank, seen.window);
        finding.values["waits"] = seen.waits;
        finding.values["share_pct"] = *share;
        finding.values["collectives"] = seen.last;
        finding.values["of_collectives"] = seen.tookPart;
        const std::size_t steps = check.ranks()[rank].steps.size();
        if (steps > 0)
            finding.values["per_step"] =
                rounded(static_cast<double>(seen.waits.count) /
                        (static_cast<double>(steps) * static_cast<double>(all.size() - 1)));
    }
}

void lowConfidenceCollectives(Checker& check) {
    const FindingRules::Rule* rule = check.rule("low_confidence_collectives");
    const auto& instances = check.in().collectives.instances;
    if (!rule || check.ranks().size() < 2 || instances.empty() ||
        static_cast<double>(instances.size()) < rule->threshold("collectives"))
        return;
    const auto low = std::ranges::count(instances, false, &CollectiveInstance::confident);
    const double share = 100.0 * static_cast<double>(low) / static_cast<double>(instances.size());
    if (low == 0 || share < rule->threshold("low_pct"))
        return;
    const auto first = std::ranges::find(instances, false, &CollectiveInstance::confident);
    Finding& finding = check.add("low_confidence_collectives", std::nullopt,
                                 first->parts.empty() ? std::nullopt : std::optional(around(*first)));
    finding.values["low"] = static_cast<std::int64_t>(low);
    finding.values["collectives"] = static_cast<std::int64_t>(instances.size());
    finding.values["low_pct"] = share;
}

void uncalibratedClocks(Checker& check) {
    const auto ranks = check.in().store.ranks();
    std::set<std::size_t> domains;
    RankIndices uncalibrated;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        domains.insert(ranks[i].clock.domain);
        if (ranks[i].clock.quality == ClockQuality::Uncalibrated)
            uncalibrated.indices.push_back(i);
    }
    if (!check.rule("uncalibrated_clocks") || domains.size() < 2 || uncalibrated.indices.empty())
        return;
    Finding& finding = check.add("uncalibrated_clocks", std::nullopt, std::nullopt);
    finding.values["ranks"] = std::move(uncalibrated);
    finding.values["domains"] = static_cast<std::int64_t>(domains.size());
}

namespace {

std::vector<Nanoseconds> lengthsOf(const std::vector<Step>& steps) {
    std::vector<Nanoseconds> lengths;
    for (const Step& step : steps)
        lengths.push_back(step.range.length());
    return lengths;
}

} // namespace

void firstStepWarmUp(Checker& check) {
    const FindingRules::Rule* rule = check.rule("first_step_warm_up");
    if (!rule)
        return;
    struct Seen {
        TimeRange first;
        Nanoseconds median;
        double factor = 0;
    };
    WorstRank<Seen> worst;
    const auto& steps = check.in().steps.ranks;
    for (std::size_t rank = 0; rank < std::min(steps.size(), check.ranks().size()); ++rank) {
        const auto& warm = check.ranks()[rank].steps;
        const auto middle = median(lengthsOf(warm));
        if (!middle || middle->count <= 0 || !steps[rank].front().warmUp ||
            static_cast<double>(warm.size()) < rule->threshold("steps"))
            continue;
        const TimeRange first = steps[rank].front().range;
        const double factor = static_cast<double>(first.length().count) / static_cast<double>(middle->count);
        if (factor >= rule->threshold("factor"))
            worst.offer(rank, factor, {first, *middle, factor});
    }
    if (!worst)
        return;
    Finding& finding = check.add("first_step_warm_up", worst.rank(), worst->first);
    finding.values["first"] = worst->first.length();
    finding.values["median"] = worst->median;
    finding.values["factor"] = worst->factor;
    finding.values["ranks"] = worst.all();
}

namespace {

struct SeenNoise {
    std::vector<std::uint32_t> steps; // their numbers
    Step slowest;
    Nanoseconds median;
    Nanoseconds mad; // median of the distances from the median
};

// Steps that lie beyond the median by more than some MAD, and by some share of the median: of steps that are
// nearly all alike the MAD is next to nothing.
std::optional<SeenNoise> noiseOf(const std::vector<Step>& steps, const FindingRules::Rule& rule) {
    const auto lengths = lengthsOf(steps);
    const auto middle = median(lengths);
    if (!middle || static_cast<double>(steps.size()) < rule.threshold("steps"))
        return std::nullopt;
    std::vector<Nanoseconds> distances;
    for (const Nanoseconds length : lengths)
        distances.push_back(std::max(length, *middle) - std::min(length, *middle));
    SeenNoise seen{{}, {}, *middle, *median(distances)};
    const double beyond = rule.threshold("mads") * static_cast<double>(seen.mad.count);
    const double least = rule.threshold("least_pct") / 100 * static_cast<double>(middle->count);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double excess = static_cast<double>((lengths[i] - *middle).count);
        if (excess <= 0 || excess <= beyond || excess < least)
            continue;
        if (seen.steps.empty() || lengths[i] > seen.slowest.range.length())
            seen.slowest = steps[i];
        seen.steps.push_back(steps[i].number);
    }
    return seen.steps.empty() ? std::nullopt : std::optional(seen);
}

} // namespace

void stepNoise(Checker& check) {
    const FindingRules::Rule* rule = check.rule("step_noise");
    if (!rule)
        return;
    WorstRank<SeenNoise> worst;
    std::set<std::int64_t> numbers;
    for (std::size_t rank = 0; rank < check.ranks().size(); ++rank)
        if (const auto seen = noiseOf(check.ranks()[rank].steps, *rule)) {
            numbers.insert(seen->steps.begin(), seen->steps.end());
            const Nanoseconds excess = seen->slowest.range.length() - seen->median;
            worst.offer(rank, static_cast<double>(excess.count), *seen);
        }
    if (!worst)
        return;
    Finding& finding = check.add("step_noise", worst.rank(), worst->slowest.range);
    finding.values["steps"] = std::vector<std::int64_t>(numbers.begin(), numbers.end());
    finding.values["median"] = worst->median;
    finding.values["mad"] = worst->mad;
    finding.values["slowest"] = worst->slowest.range.length();
    finding.values["ranks"] = worst.all();
}

} // namespace ddp::finding
