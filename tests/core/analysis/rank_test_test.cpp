// SPDX-License-Identifier: GPL-3.0-or-later
// The rank test against a count of all permutations, published critical values, and numbers that were
// computed elsewhere.
#include "core/analysis/rank_test.h"

#include "tests/support/small_random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace ddp {
namespace {

using Values = std::vector<double>;

// How often a value of `a` is larger than one of `b`; equal ones count half.
double uOf(const Values& a, const Values& b) {
    double u = 0;
    for (const double x : a)
        for (const double y : b)
            u += x > y ? 1 : x == y ? 0.5 : 0;
    return u;
}

// Deals the values out again in every way there is.
double byAllPermutations(const Values& a, const Values& b) {
    Values all = a;
    all.insert(all.end(), b.begin(), b.end());
    const double mean = static_cast<double>(a.size() * b.size()) / 2;
    const double seen = std::abs(uOf(a, b) - mean);
    double count = 0;
    double far = 0;
    for (unsigned chosen = 0; chosen < 1u << all.size(); ++chosen) {
        if (static_cast<std::size_t>(std::popcount(chosen)) != a.size())
            continue;
        Values x, y;
        for (std::size_t i = 0; i < all.size(); ++i)
            (chosen >> i & 1 ? x : y).push_back(all[i]);
        ++count;
        far += std::abs(uOf(x, y) - mean) >= seen ? 1 : 0;
    }
    return far / count;
}

// Samples without ties that have this U.
std::pair<Values, Values> withU(std::size_t m, std::size_t n, std::size_t u) {
    Values a, b;
    for (std::size_t i = 1; i <= n; ++i)
        b.push_back(static_cast<double>(i));
    for (std::size_t i = 0; i < m; ++i) {
        const std::size_t below = std::min(u, n);
        u -= below;
        a.push_back(static_cast<double>(below) + 0.5 + static_cast<double>(i) / 1000);
    }
    return {a, b};
}

double p(std::size_t m, std::size_t n, std::size_t u) {
    const auto [a, b] = withU(m, n, u);
    EXPECT_EQ(uOf(a, b), static_cast<double>(u));
    return rankTest(a, b).value();
}

TEST(RankTest, EqualsTheCountOfAllPermutationsTiesIncluded) {
    test::SmallRandom random(7);
    for (int round = 0; round < 60; ++round) {
        Values a, b;
        const std::int64_t kinds = 2 + random.below(20); // few: many ties
        for (std::int64_t i = 1 + random.below(6); i > 0; --i)
            a.push_back(static_cast<double>(random.below(kinds)));
        for (std::int64_t i = 1 + random.below(6); i > 0; --i)
            b.push_back(static_cast<double>(random.below(kinds) + random.below(3) * 2));
        EXPECT_NEAR(rankTest(a, b).value(), byAllPermutations(a, b), 1e-12) << "round " << round;
        EXPECT_EQ(rankTest(a, b), rankTest(b, a));
    }
}

// Age of diagnosis of diabetes, nine people: the example of SciPy's manual has U = 17 and p = 0.111….
TEST(RankTest, KnownExample) {
    const Values men{19, 22, 16, 29, 24};
    const Values women{20, 11, 17, 12};
    EXPECT_EQ(uOf(men, women), 17);
    EXPECT_NEAR(rankTest(men, women).value(), 1.0 / 9, 1e-12);
}

// The printed tables of the critical U, two-sided, 1 %.
TEST(RankTest, PublishedCriticalValues) {
    struct Critical {
        std::size_t m, n, u;
    };
    for (const Critical& at : {Critical{5, 5, 0}, {8, 8, 7}, {10, 10, 16}, {20, 20, 105}}) {
        const auto [a, b] = withU(at.m, at.n, at.u);
        EXPECT_EQ(differ(a, b), true) << at.m;
        EXPECT_EQ(differ(b, a), true) << at.m;
        const auto [c, d] = withU(at.m, at.n, at.u + 1);
        EXPECT_EQ(differ(c, d), false) << at.m;
    }
}

// Exact ones by Mann and Whitney's recurrence, those for more than 40 values by the formula of the normal
// approximation; both by another program.
TEST(RankTest, ValuesComputedElsewhere) {
    EXPECT_NEAR(p(20, 20, 105), 0.009483607191205005, 1e-12);
    EXPECT_NEAR(p(10, 10, 17), 0.011496243694386109, 1e-12);
    EXPECT_NEAR(p(22, 22, 100), 0.0008957457384739348, 1e-12);
    EXPECT_NEAR(p(22, 22, 200), 0.329999942371368, 1e-12);
    EXPECT_NEAR(p(25, 30, 200), 0.003181975812972045, 1e-12);
    // The exact values of the same, which the approximation has to be near to.
    EXPECT_NEAR(p(22, 22, 100), 0.0006050233377565632, 1e-3);
    EXPECT_NEAR(p(25, 30, 200), 0.0026899359603102004, 1e-3);
}

TEST(RankTest, TiesInLargeSamples) {
    test::SmallRandom random(3);
    for (int round = 0; round < 20; ++round) {
        Values a, b;
        for (int i = 0; i < 30; ++i)
            a.push_back(static_cast<double>(random.below(6)));
        for (int i = 0; i < 45; ++i)
            b.push_back(static_cast<double>(random.below(6 + round % 3)));
        std::map<double, double> groups;
        for (const Values& values : {a, b})
            for (const double value : values)
                groups[value] += 1;
        double ties = 0;
        for (const auto& [value, t] : groups)
            ties += t * (t - 1) * (t + 1);
        const double m = 30, n = 45, all = 75;
        const double sigma = std::sqrt(m * n * (all + 1) / 12 - m * n * ties / (12 * all * (all - 1)));
        const double z = std::max(std::abs(uOf(a, b) - m * n / 2) - 0.5, 0.0) / sigma;
        EXPECT_NEAR(rankTest(a, b).value(), std::erfc(z / std::sqrt(2.0)), 1e-12);
    }
}

TEST(RankTest, NothingToSayAndNothingThatDiffers) {
    EXPECT_EQ(rankTest({}, {1}), std::nullopt);
    EXPECT_EQ(differ({1, 2, 3, 4}, {11, 12, 13, 14, 15, 16}), std::nullopt);
    EXPECT_EQ(differ({1, 2, 3, 4, 5}, {11, 12, 13, 14}), std::nullopt);
    EXPECT_EQ(differ({1, 2, 3, 4, 5}, {11, 12, 13, 14, 15}), true);
    for (const std::size_t size : {5u, 20u, 21u, 500u}) {
        const Values same(size, 7);
        EXPECT_EQ(rankTest(same, same), 1) << size;
        EXPECT_EQ(differ(same, same), false) << size;
        EXPECT_EQ(differ(same, Values(size, 8)), true) << size;
    }
}

// Of samples from one population about 1 % are called different, and not more.
TEST(RankTest, RarelyCriesWolf) {
    test::SmallRandom random(11);
    for (const int size : {8, 30}) {
        int cries = 0;
        for (int round = 0; round < 2'000; ++round) {
            Values a, b;
            for (int i = 0; i < size; ++i) {
                a.push_back(static_cast<double>(random.below(1'000'000)));
                b.push_back(static_cast<double>(random.below(1'000'000)));
            }
            cries += *differ(a, b) ? 1 : 0;
        }
        EXPECT_LE(cries, 35) << size; // 20 expected, 35 is three sigma above
        EXPECT_GE(cries, 4) << size;
    }
}

} // namespace
} // namespace ddp
