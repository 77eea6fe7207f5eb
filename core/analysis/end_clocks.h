// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/clock_fit.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddp {

/// How the clocks of the ranks lie to each other, to compare the ends of their operations: as the pairs of
/// ends tell it, and where these tell nothing, as the import or the user laid them.
class EndClocks {
public:
    explicit EndClocks(const TraceStore& store);

    std::span<const std::uint32_t> clockOfRank() const { return m_clockOfRank; }
    void place(std::vector<EndPair> pairs);
    /// What has to be added to times of rank `own` to come to those of `other`; nothing where no one knows.
    std::optional<ClockLine> between(std::size_t own, std::size_t other) const;

private:
    std::vector<std::uint32_t> m_clockOfRank;
    std::vector<bool> m_calibrated;                   // by clock
    std::vector<std::optional<PlacedClock>> m_placed; // by clock
};

} // namespace ddp
