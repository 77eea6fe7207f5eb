// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_pattern.h"

#include <algorithm>
#include <map>
#include <optional>

namespace ddp {

namespace {

using Kinds = std::vector<std::uint32_t>;

// Two alike may be chance (the broadcasts of a start), three in a row hardly.
constexpr std::size_t kLeastRepetitions = 3;
// Gaps inside a step vary by the work between two buckets; the one around the optimizer and the next forward
// is a multiple of them.
constexpr std::int64_t kLongGapRatio = 2;
// Where to look for a stretch that repeats, in eighths: the middle first, where most traces do.
constexpr std::size_t kPlaces[] = {4, 2, 6, 1, 3, 5, 7};

/// [begin, end) repeats what it begins with, `period` operations.
struct Repeat {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t period = 0;

    std::size_t length() const { return end - begin; }
    // Longer; of equals the one with the shorter period.
    bool betterThan(const Repeat& other) const {
        return length() != other.length() ? length() > other.length() : period < other.period;
    }
};

// For every place how much of what follows is as the text begins (Gusfield's Z).
std::vector<std::size_t> commonPrefixes(const Kinds& text) {
    std::vector<std::size_t> common(text.size());
    for (std::size_t i = 1, left = 0, right = 0; i < text.size(); ++i) {
        std::size_t& length = common[i];
        if (i < right)
            length = std::min(right - i, common[i - left]);
        while (i + length < text.size() && text[length] == text[i + length])
            ++length;
        if (i + length > right) {
            left = i;
            right = i + length;
        }
    }
    return common;
}

// The longest stretch in which the operation at `place` comes again a period later; as Main and Lorentz find
// repetitions: how far what follows, and what comes before, agrees for each period.
Repeat longestFrom(const Kinds& kinds, std::size_t place) {
    const std::size_t n = kinds.size();
    const auto at = kinds.begin() + static_cast<std::ptrdiff_t>(place);
    const std::vector<std::size_t> after = commonPrefixes({at, kinds.end()});
    Kinds reversed(std::make_reverse_iterator(at), kinds.rend());
    reversed.push_back(UINT32_MAX); // no kind
    reversed.insert(reversed.end(), kinds.rbegin(), kinds.rend());
    const std::vector<std::size_t> before = commonPrefixes(reversed);
    Repeat best;
    for (std::size_t period = 1; period < n - place; ++period) {
        const std::size_t left = before[place + 1 + n - (place + period)];
        const Repeat found{place - left, place + period + after[period], period};
        if (found.length() >= kLeastRepetitions * period && found.betterThan(best))
            best = found;
    }
    return best;
}

Repeat longestAround(const Kinds& kinds, std::size_t place) {
    const Repeat later = longestFrom(kinds, place);
    const std::size_t n = kinds.size();
    const Repeat mirrored = longestFrom({kinds.rbegin(), kinds.rend()}, n - 1 - place);
    const Repeat earlier{n - mirrored.end, n - mirrored.begin, mirrored.period};
    return mirrored.period > 0 && earlier.betterThan(later) ? earlier : later;
}

Repeat longestRepeat(const Kinds& kinds) {
    Repeat best;
    for (const std::size_t eighth : kPlaces) {
        const Repeat found = longestAround(kinds, kinds.size() * eighth / 8);
        if (found.betterThan(best))
            best = found;
        if (best.length() * 2 >= kinds.size())
            break;
    }
    return best;
}

/// Idle time before each operation, and the end of all up to it.
struct Times {
    std::vector<std::int64_t> gap;
    std::vector<Nanoseconds> end;

    explicit Times(std::span<const PatternOperation> operations) {
        for (const PatternOperation& operation : operations) {
            const Nanoseconds begin = operation.range.begin;
            gap.push_back(end.empty() || begin <= end.back() ? 0 : (begin - end.back()).count);
            end.push_back(end.empty() ? operation.range.end : std::max(end.back(), operation.range.end));
        }
    }
    static bool isLong(std::int64_t gap, std::int64_t other) {
        return gap / kLongGapRatio >= std::max<std::int64_t>(other, 1);
    }
};

// Which operation of the period begins it: a trace may begin in the middle of a step. The one that most
// periods have their one long gap before, else the first of the stretch.
std::size_t rotation(const Repeat& repeat, const std::vector<std::int64_t>& gaps) {
    std::vector<std::size_t> votes(repeat.period);
    std::size_t periods = 0;
    for (std::size_t first = repeat.begin; first + repeat.period <= repeat.end; first += repeat.period) {
        ++periods;
        std::size_t longest = 0;
        std::int64_t second = 0;
        for (std::size_t i = 1; i < repeat.period; ++i) {
            const std::int64_t gap = gaps[first + i];
            second = std::max(second, std::min(gap, gaps[first + longest]));
            longest = gap > gaps[first + longest] ? i : longest;
        }
        votes[longest] += Times::isLong(gaps[first + longest], second) ? 1 : 0;
    }
    const auto most = std::max_element(votes.begin(), votes.end());
    return *most * 2 > periods ? static_cast<std::size_t>(most - votes.begin()) : 0;
}

// Where `word` begins in `kinds`, none of them overlapping (Knuth, Morris and Pratt).
std::vector<std::size_t> occurrences(const Kinds& kinds, std::span<const std::uint32_t> word) {
    std::vector<std::size_t> border(word.size());
    for (std::size_t i = 1, matched = 0; i < word.size(); ++i) {
        while (matched > 0 && word[i] != word[matched])
            matched = border[matched - 1];
        border[i] = matched += word[i] == word[matched] ? 1 : 0;
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0, matched = 0; i < kinds.size(); ++i) {
        while (matched > 0 && kinds[i] != word[matched])
            matched = border[matched - 1];
        matched += kinds[i] == word[matched] ? 1 : 0;
        if (matched == word.size()) {
            found.push_back(i + 1 - word.size());
            matched = 0;
        }
    }
    return found;
}

/// Units [first, first + count) belong to one step.
struct Group {
    std::size_t first = 0;
    std::size_t count = 0;
};

// The groups of the size that most have, if they are most of the units.
std::vector<Group> regularGroups(const std::vector<std::int64_t>& gaps, std::int64_t longFrom) {
    std::vector<Group> groups;
    for (std::size_t unit = 0; unit < gaps.size(); ++unit) {
        if (unit == 0 || gaps[unit] >= longFrom)
            groups.push_back({unit, 0});
        ++groups.back().count;
    }
    std::map<std::size_t, std::size_t> units; // in groups of a size
    for (const Group& group : groups)
        units[group.count] += group.count;
    const auto most = std::max_element(units.begin(), units.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most->first < 2 || most->second < kLeastRepetitions * most->first || most->second * 2 < gaps.size())
        return {};
    std::erase_if(groups, [&](const Group& group) { return group.count != most->first; });
    return groups;
}

// Tells long gaps from short ones where one is twice the next shorter one: the clearest cut first. There are
// 63 such cuts at most, for each doubles the gap.
std::vector<Group> groupsByGaps(const std::vector<std::int64_t>& gaps) {
    std::vector<std::int64_t> sorted(gaps.begin() + 1, gaps.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::pair<std::int64_t, std::int64_t>> cuts; // how often longer, the shortest long gap
    for (std::size_t i = 1; i + 1 < sorted.size(); ++i)
        if (Times::isLong(sorted[i], sorted[i - 1]))
            cuts.emplace_back(sorted[i] / std::max<std::int64_t>(sorted[i - 1], 1), sorted[i]);
    std::sort(cuts.rbegin(), cuts.rend());
    for (const auto& [ratio, longFrom] : cuts)
        if (auto groups = regularGroups(gaps, longFrom); !groups.empty())
            return groups;
    return {};
}

} // namespace

std::vector<Nanoseconds> repetitionEnds(std::span<const PatternOperation> operations) {
    Kinds kinds(operations.size());
    std::transform(operations.begin(), operations.end(), kinds.begin(), [](const auto& o) { return o.kind; });
    if (kinds.size() < kLeastRepetitions)
        return {};
    Repeat repeat = longestRepeat(kinds);
    if (repeat.period == 0)
        return {};
    const Times times(operations);
    repeat.begin += rotation(repeat, times.gap);
    const std::vector<std::size_t> units =
        occurrences(kinds, std::span(kinds).subspan(repeat.begin, repeat.period));
    if (units.size() < kLeastRepetitions || units.size() * repeat.period * 2 < kinds.size())
        return {};
    std::vector<std::int64_t> gaps(units.size());
    std::transform(units.begin(), units.end(), gaps.begin(), [&](auto unit) { return times.gap[unit]; });
    std::vector<Group> groups = groupsByGaps(gaps);
    if (groups.empty() && repeat.period > 1)
        for (std::size_t unit = 0; unit < units.size(); ++unit)
            groups.push_back({unit, 1});
    std::vector<Nanoseconds> ends;
    for (const Group& group : groups)
        ends.push_back(times.end[units[group.first + group.count - 1] + repeat.period - 1]);
    return ends;
}

} // namespace ddp
