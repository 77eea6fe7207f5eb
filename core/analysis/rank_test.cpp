// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rank_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace ddp {

namespace {

constexpr std::size_t kExactValues = 40;
constexpr std::size_t kFewestValues = 5;
constexpr double kLevel = 0.01;

// Ranks are doubled, so that the middle rank of ties is a whole number too.
struct Ranked {
    std::vector<std::int64_t> doubled; // of all values, in their order
    std::int64_t sumOfA = 0;           // of the doubled ranks
    double ties = 0;                   // Σ (t³ − t)
};

Ranked ranked(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<std::pair<double, bool>> values; // whether it is one of a
    values.reserve(a.size() + b.size());
    for (const double value : a)
        values.emplace_back(value, true);
    for (const double value : b)
        values.emplace_back(value, false);
    std::sort(values.begin(), values.end());
    Ranked result;
    for (std::size_t first = 0; first < values.size();) {
        std::size_t last = first;
        while (last < values.size() && values[last].first == values[first].first)
            ++last;
        const auto rank = static_cast<std::int64_t>(first + 1 + last); // ranks first + 1 … last
        for (std::size_t i = first; i < last; ++i) {
            result.doubled.push_back(rank);
            result.sumOfA += values[i].second ? rank : 0;
        }
        const auto tied = static_cast<double>(last - first);
        result.ties += tied * tied * tied - tied;
        first = last;
    }
    return result;
}

// Counts the choices of `m` of the ranks by their sum.
double exact(const Ranked& ranks, std::size_t m, std::int64_t deviation) {
    std::int64_t largest = 0;
    for (const std::int64_t rank : ranks.doubled)
        largest += rank;
    const auto sums = static_cast<std::size_t>(largest) + 1;
    std::vector<std::vector<double>> ways(m + 1, std::vector<double>(sums)); // by how many, and their sum
    ways[0][0] = 1;
    for (const std::int64_t rank : ranks.doubled) {
        const auto step = static_cast<std::size_t>(rank);
        for (std::size_t chosen = m; chosen > 0; --chosen)
            for (std::size_t sum = sums - 1; sum >= step; --sum)
                ways[chosen][sum] += ways[chosen - 1][sum - step];
    }
    const auto mean = static_cast<std::int64_t>(m * (ranks.doubled.size() + 1));
    double all = 0;
    double far = 0;
    for (std::size_t sum = 0; sum < sums; ++sum) {
        all += ways[m][sum];
        if (std::abs(static_cast<std::int64_t>(sum) - mean) >= deviation)
            far += ways[m][sum];
    }
    return far / all;
}

double normal(const Ranked& ranks, std::size_t m, std::int64_t deviation) {
    const auto count = static_cast<double>(ranks.doubled.size());
    const auto inA = static_cast<double>(m);
    const double variance =
        inA * (count - inA) / 12 * (count + 1 - ranks.ties / (count * (count - 1))); // 0: all are equal
    const double distance = std::max(static_cast<double>(deviation) / 2 - 0.5, 0.0);
    return variance > 0 ? std::erfc(distance / std::sqrt(2 * variance)) : 1;
}

} // namespace

std::optional<double> rankTest(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.empty() || b.empty())
        return std::nullopt;
    const Ranked ranks = ranked(a, b);
    const auto mean = static_cast<std::int64_t>(a.size() * (ranks.doubled.size() + 1));
    const std::int64_t deviation = std::abs(ranks.sumOfA - mean);
    return ranks.doubled.size() <= kExactValues ? exact(ranks, a.size(), deviation)
                                                : normal(ranks, a.size(), deviation);
}

std::optional<bool> differ(const std::vector<double>& a, const std::vector<double>& b) {
    if (std::min(a.size(), b.size()) < kFewestValues)
        return std::nullopt;
    return *rankTest(a, b) < kLevel;
}

} // namespace ddp
