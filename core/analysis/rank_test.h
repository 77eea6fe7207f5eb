// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace ddp {

/// How likely two samples lie as far apart as they do, or further, when nothing but chance orders them:
/// two-sided Mann–Whitney U test (Wilcoxon's rank sum test), ties counted by their middle rank. With m and n
/// values, N = m + n, R the rank sum of `a`:
/// - N up to 40: exact, the share of all ways to choose m of the N ranks whose sum lies as far from its mean
///   m (N + 1) / 2 as R does, or further.
/// - else the normal approximation, corrected for continuity and ties: p = erfc(z / √2),
///   z = max(|R − m (N + 1) / 2| − ½, 0) / √(m n / 12 · (N + 1 − Σ (t³ − t) / (N (N − 1)))), where the sum is
///   over the groups of t equal values; 1 when all values are equal.
/// It needs independent values. Ranks of one run wait for each other, so that of a step one value is to be
/// given, not one per rank. Nothing for an empty sample.
std::optional<double> rankTest(const std::vector<double>& a, const std::vector<double>& b);

/// Whether two samples differ by more than their own spread: rankTest() at the level of 1 %. Nothing for
/// fewer than 5 values on a side, of which 1 % can not be said. What differs from one start of a program to
/// the next (nodes, temperature, neighbours) is not in the spread of the steps of one run.
std::optional<bool> differ(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ddp
