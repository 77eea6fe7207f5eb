// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/clock_map.h"

#include <optional>
#include <string_view>

namespace ddp {

inline constexpr ClockQuality kClockQualities[] = {ClockQuality::SameHost, ClockQuality::WallClock,
                                                   ClockQuality::Collectives, ClockQuality::Manual,
                                                   ClockQuality::Uncalibrated};

/// The property in which an archive that we write says how its clocks were aligned when it was made of
/// others.
inline constexpr const char* kClockQualityProperty = "DDPSCOPE::CLOCK_QUALITY";

/// The word that cli-json.md has for it.
constexpr const char* clockQualityName(ClockQuality quality) {
    constexpr const char* names[] = {"same_host", "wall_clock", "collectives", "manual", "uncalibrated"};
    return names[static_cast<int>(quality)];
}

/// Nothing for any other word.
constexpr std::optional<ClockQuality> clockQualityOf(std::string_view name) {
    for (const ClockQuality quality : kClockQualities)
        if (name == clockQualityName(quality))
            return quality;
    return std::nullopt;
}

} // namespace ddp
