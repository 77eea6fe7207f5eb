// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace ddp::test {

/// A generator of eight bytes that may be made anew for every step (splitmix64); std::mt19937_64 has 2,504.
class SmallRandom {
public:
    explicit SmallRandom(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// 0 … limit - 1; 0 for a limit below 1.
    std::int64_t below(std::int64_t limit) {
        return limit > 0 ? static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(limit)) : 0;
    }

private:
    std::uint64_t m_state;
};

} // namespace ddp::test
