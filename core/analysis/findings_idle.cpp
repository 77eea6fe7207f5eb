// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about GPUs that wait for their host.
#include "core/analysis/finding_checks.h"

#include <algorithm>

namespace ddp::finding {

namespace {

// Short stretches without any work between two with compute.
struct Gaps {
    std::uint64_t count = 0;
    Nanoseconds time;

    void add(const Gaps& more) {
        count += more.count;
        time = saturatedSum(time, more.time);
    }
};

Gaps gapsIn(const RunActivity& activity, std::size_t device, TimeRange window, double longestNs) {
    constexpr unsigned kCompute = 1u << static_cast<unsigned>(WorkClass::Compute);
    Gaps gaps;
    unsigned before = 0;
    std::optional<Nanoseconds> gap; // that follows compute
    activity.forEachStretch(device, window, [&](TimeRange stretch, unsigned state) {
        if (gap && (state & kCompute) != 0) {
            ++gaps.count;
            gaps.time = saturatedSum(gaps.time, *gap);
        }
        gap.reset();
        if (state == 0 && (before & kCompute) != 0 &&
            static_cast<double>(stretch.length().count) <= longestNs)
            gap = stretch.length();
        before = state;
    });
    return gaps;
}

struct SeenIdle {
    Gaps gaps;
    TimeRange window; // the one with the most gaps
    double idleShare = 0;
    double gapShare = 0;
};

bool isAccelerator(const RunActivity& activity, const RankAccount& account) {
    return !account.devices.empty() && std::ranges::none_of(account.devices, [&](std::size_t device) {
        return activity.devices()[device].isHost;
    });
}

std::optional<SeenIdle> idleOf(const RunActivity& activity, const RankAccount& account,
                               const FindingRules::Rule& rule) {
    constexpr double kNsPerUs = 1e3;
    SeenIdle seen;
    seen.idleShare = percentOf(account.activity.idle, account.span).value_or(0);
    if (account.activity.idle.count == 0 || seen.idleShare < rule.threshold("idle_pct"))
        return std::nullopt;
    std::uint64_t most = 0;
    for (const TimeRange window : account.windows) {
        Gaps inWindow;
        for (const std::size_t device : account.devices)
            inWindow.add(gapsIn(activity, device, window, rule.threshold("longest_gap_us") * kNsPerUs));
        if (inWindow.count > most) {
            most = inWindow.count;
            seen.window = window;
        }
        seen.gaps.add(inWindow);
    }
    seen.gapShare = percentOf(seen.gaps.time, account.activity.idle).value_or(0);
    const double least = rule.threshold("gaps_per_step") * static_cast<double>(account.windows.size());
    if (most == 0 || static_cast<double>(seen.gaps.count) < least ||
        seen.gapShare < rule.threshold("gaps_pct"))
        return std::nullopt;
    return seen;
}

} // namespace

void idleHostBound(Checker& check) {
    const FindingRules::Rule* rule = check.rule("idle_host_bound");
    if (!rule)
        return;
    WorstRank<SeenIdle> worst;
    for (std::size_t rank = 0; rank < check.ranks().size() && !check.stopped(); ++rank)
        if (const RankAccount& account = check.ranks()[rank]; isAccelerator(check.in().activity, account))
            if (const auto seen = idleOf(check.in().activity, account, *rule))
                worst.offer(rank, seen->idleShare, *seen);
    if (!worst)
        return;
    Finding& finding = check.add("idle_host_bound", worst.rank(), worst->window);
    const double perGap =
        static_cast<double>(worst->gaps.time.count) / static_cast<double>(worst->gaps.count);
    finding.values["idle"] = check.ranks()[worst.rank()].activity.idle;
    finding.values["idle_pct"] = worst->idleShare;
    finding.values["gaps"] = static_cast<std::int64_t>(worst->gaps.count);
    finding.values["gaps_time"] = worst->gaps.time;
    finding.values["gaps_pct"] = worst->gapShare;
    finding.values["per_gap"] = rounded(perGap);
    finding.values["ranks"] = worst.all();
}

} // namespace ddp::finding
