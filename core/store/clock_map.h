// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ddp {

enum class ClockQuality { SameHost, WallClock, Collectives, Manual, Uncalibrated };

/// How the clock of one archive was laid on the run's time axis.
struct ClockInfo {
    ClockQuality quality = ClockQuality::Uncalibrated;
    std::int64_t offsetNs = 0;      ///< added to the archive's own time, which counts from its first event
    std::optional<double> driftPpm; ///< how much faster the run's time goes than the archive's
    std::optional<std::int64_t> uncertaintyNs;
    std::size_t domain =
        0; ///< ranks of one domain share a clock and may be compared, whatever the quality says
};

/// From the times of an archive, as the store file holds them, to those of the run. Order is kept: what is
/// not later in the archive is not later in the run. Any 64-bit number may be given.
class ClockMap {
public:
    /// Nothing beyond ± this comes out of toRun(), so that two results can always be subtracted.
    static constexpr std::int64_t kLimit = (std::int64_t{1} << 62) - 1;

    ClockMap() = default;
    /// `origin`: the archive's first event, as a time of the file.
    ClockMap(const ClockInfo& clock, std::int64_t origin)
        : m_origin(origin), m_offset(clock.offsetNs),
          m_drift(static_cast<std::int64_t>(std::clamp(clock.driftPpm.value_or(0), -kMostPpm, kMostPpm) *
                                            1e-6 * static_cast<double>(std::int64_t{1} << kDriftBits))) {}

    Nanoseconds toRun(std::int64_t time) const {
        const Wide own = static_cast<Wide>(time) - m_origin;
        const Wide drifted = m_drift == 0 ? 0 : (own * m_drift) >> kDriftBits;
        const Wide run = own + m_offset + drifted;
        return Nanoseconds(static_cast<std::int64_t>(std::clamp<Wide>(run, -kLimit, kLimit)));
    }
    /// The latest time of the file that lies at or before `run`; INT64_MIN when there is none.
    std::int64_t toFile(Nanoseconds run) const {
        if (run.count >= kLimit)
            return INT64_MAX;
        if (run.count < -kLimit)
            return INT64_MIN;
        if (m_drift == 0)
            return static_cast<std::int64_t>(
                std::clamp<Wide>(static_cast<Wide>(run.count) - m_offset + m_origin, INT64_MIN, INT64_MAX));
        Wide low = INT64_MIN; // bisected, so that it is the exact inverse of the rounding above
        Wide high = INT64_MAX;
        while (low < high) {
            const Wide middle = low + (high - low + 1) / 2;
            if (toRun(static_cast<std::int64_t>(middle)) <= run)
                low = middle;
            else
                high = middle - 1;
        }
        return static_cast<std::int64_t>(low);
    }

private:
    __extension__ using Wide = __int128;
    static constexpr int kDriftBits = 40;
    static constexpr double kMostPpm = 50'000; // real clocks stay below 500

    std::int64_t m_origin = 0;
    std::int64_t m_offset = 0;
    std::int64_t m_drift = 0; // in units of 2⁻⁴⁰
};

} // namespace ddp
