// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/clock_model.h"

#include <algorithm>
#include <cctype>

namespace ddp {

namespace {

// Two estimates of one timer's frequency differ by a few parts per million; two timers differ by much more.
constexpr std::uint64_t kSameTimerPartsPerMillion = 1000;

// No machine has been up for 30 years, so a clock that shows more counts from 1970.
constexpr std::uint64_t kOldestUptimeSeconds = 30ull * 365 * 86400;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// Score-P's "clock_gettime" is either clock, depending on how it was built: only its value tells.
bool isWallClock(const ArchiveClock& clock) {
    const std::string timer = lower(clock.timer);
    const bool mayBe = timer == "gettimeofday" || timer == "clock_gettime" || timer == "clock_realtime" ||
                       timer == "realtime";
    return mayBe &&
           clock.globalOffset / std::max<std::uint64_t>(clock.ticksPerSecond, 1) > kOldestUptimeSeconds;
}

bool similarResolution(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t low = std::min(a, b);
    const std::uint64_t high = std::max(a, b);
    return high - low <= high / 1'000'000 * kSameTimerPartsPerMillion + 1;
}

// An archive that does not name its host may lie on any: it is comparable with itself only.
bool sameHostAndTimer(const ArchiveClock& a, const ArchiveClock& b) {
    return a.host && b.host && *a.host == *b.host && lower(a.timer) == lower(b.timer) &&
           similarResolution(a.ticksPerSecond, b.ticksPerSecond);
}

// The tracer estimates the resolution over the length of the measurement: the longest one knows it best.
const ArchiveClock& bestEstimate(std::span<const ArchiveClock> archives,
                                 const std::vector<std::size_t>& members) {
    return archives[*std::max_element(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
        return archives[a].traceLength < archives[b].traceLength;
    })];
}

std::vector<std::vector<std::size_t>> groupByHost(std::span<const ArchiveClock> archives) {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < archives.size(); ++i) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& members) {
            return sameHostAndTimer(archives[members.front()], archives[i]);
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), std::vector<std::size_t>{});
        group->push_back(i);
    }
    return groups;
}

std::vector<ClockPlacement> placeWallClocks(std::span<const ArchiveClock> archives) {
    // Whole seconds, so that clocks of different resolution share exactly one zero.
    std::uint64_t second = UINT64_MAX;
    for (const ArchiveClock& archive : archives)
        second = std::min(second, archive.globalOffset / archive.ticksPerSecond);
    std::vector<ClockPlacement> placements;
    for (const ArchiveClock& archive : archives)
        placements.push_back({TickConverter(second * archive.ticksPerSecond, archive.ticksPerSecond),
                              ClockQuality::WallClock, 0});
    return placements;
}

} // namespace

std::vector<ClockPlacement> placeClocks(std::span<const ArchiveClock> archives) {
    const auto groups = groupByHost(archives);
    if (groups.size() > 1 && std::all_of(archives.begin(), archives.end(), isWallClock))
        return placeWallClocks(archives);

    // The largest group is the reference of the run; one archive beside others is no reference for anything.
    std::size_t reference = 0;
    for (std::size_t g = 1; g < groups.size(); ++g)
        if (groups[g].size() > groups[reference].size())
            reference = g;

    std::vector<ClockPlacement> placements(archives.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::uint64_t resolution = bestEstimate(archives, groups[g]).ticksPerSecond;
        std::uint64_t base = UINT64_MAX;
        for (std::size_t i : groups[g])
            base = std::min(base, archives[i].globalOffset);
        const bool calibrated = groups.size() == 1 || (g == reference && groups[g].size() > 1);
        for (std::size_t i : groups[g])
            placements[i] = {TickConverter(base, resolution),
                             calibrated ? ClockQuality::SameHost : ClockQuality::Uncalibrated, g};
    }
    return placements;
}

std::vector<ClockShift> shiftClocks(std::span<const ClockPlacement> placements,
                                    std::span<const std::optional<std::int64_t>> firstEvents) {
    std::vector<std::optional<std::int64_t>> zeros; // per domain
    for (std::size_t i = 0; i < placements.size(); ++i) {
        zeros.resize(std::max(zeros.size(), placements[i].domain + 1));
        auto& zero = zeros[placements[i].domain];
        if (firstEvents[i])
            zero = zero ? std::min(*zero, *firstEvents[i]) : *firstEvents[i];
    }
    std::vector<ClockShift> shifts;
    for (std::size_t i = 0; i < placements.size(); ++i) {
        const std::int64_t zero = zeros[placements[i].domain].value_or(0);
        shifts.push_back({firstEvents[i].value_or(zero) - zero, -zero});
    }
    return shifts;
}

} // namespace ddp
