// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace ddp {

/// Turns the ticks of a timer into nanoseconds after a base tick: floor((tick - base) · 10⁹ / resolution),
/// exact in integers. The base is subtracted first: a time stamp counter that ran for weeks would otherwise
/// carry the error of its estimated resolution with it (seconds). Two clocks that share base and resolution
/// keep their order.
class TickConverter {
public:
    /// Nothing beyond ± this leaves the converter, so that two results can always be subtracted.
    static constexpr std::int64_t kLimit = (std::int64_t{1} << 62) - 1;

    TickConverter() : TickConverter(0, kNanosecondsPerSecond) {}
    TickConverter(std::uint64_t base, std::uint64_t ticksPerSecond)
        : m_base(base), m_resolution(std::max<std::uint64_t>(ticksPerSecond, 1)),
          m_whole(kNanosecondsPerSecond / m_resolution),
          m_fraction(static_cast<std::uint64_t>(
              (static_cast<Wide>(kNanosecondsPerSecond % m_resolution) << 64) / m_resolution)) {}

    std::int64_t nanoseconds(std::uint64_t tick) const {
        if (tick >= m_base)
            return static_cast<std::int64_t>(std::min<std::uint64_t>(scale(tick - m_base), kLimit));
        // Rounded down here too, so that order and distance do not depend on the side of the base.
        const std::uint64_t ticks = m_base - tick;
        const std::uint64_t ns = std::min<std::uint64_t>(scale(ticks), kLimit - 1);
        const bool exact =
            static_cast<Wide>(ns) * m_resolution == static_cast<Wide>(ticks) * kNanosecondsPerSecond;
        return -static_cast<std::int64_t>(ns) - (exact ? 0 : 1);
    }

    std::uint64_t base() const { return m_base; }
    std::uint64_t ticksPerSecond() const { return m_resolution; }

private:
    __extension__ using Wide = unsigned __int128;
    static constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

    // A division per event would cost as much as decoding it. Multiplying by the truncated reciprocal gives
    // the quotient or one less; the remainder tells which.
    std::uint64_t scale(std::uint64_t ticks) const {
        const Wide whole = static_cast<Wide>(ticks) * m_whole;
        if (whole > static_cast<Wide>(kLimit))
            return kLimit;
        std::uint64_t ns = static_cast<std::uint64_t>(whole) +
                           static_cast<std::uint64_t>((static_cast<Wide>(ticks) * m_fraction) >> 64);
        const Wide remainder =
            static_cast<Wide>(ticks) * kNanosecondsPerSecond - static_cast<Wide>(ns) * m_resolution;
        return remainder >= m_resolution ? ns + 1 : ns;
    }

    std::uint64_t m_base;
    std::uint64_t m_resolution;
    std::uint64_t m_whole;    // 10⁹ / resolution
    std::uint64_t m_fraction; // what is left of it, in units of 2⁻⁶⁴
};

} // namespace ddp
