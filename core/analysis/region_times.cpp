// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/region_times.h"

#include "core/analysis/slice_walk.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace ddp {

namespace {

__extension__ using Wide = __int128;

constexpr std::uint32_t kNotAsked = UINT32_MAX;

struct RankRows {
    std::size_t first = 0; // into the rows
    std::vector<TimeRange> ranges;
};

std::vector<RankRows> byRank(const TraceStore& store, const std::vector<MeasuredStep>& rows) {
    std::vector<RankRows> ranks(store.ranks().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RankRows& rank = ranks[rows[i].rankIndex];
        if (rank.ranges.empty())
            rank.first = i;
        rank.ranges.push_back(rows[i].range);
    }
    return ranks;
}

// Exclusive time by key, and by range when `cells` is the number of the ranges; with one cell all ranges
// share it.
struct Times {
    std::vector<Wide> ns; // key · cells + range
    std::vector<char> seen;
};

class Tally {
public:
    Tally(const std::vector<std::uint32_t>& keys, const std::vector<TimeRange>& ranges, std::size_t cells,
          std::size_t lanes, Times& times, const std::stop_token& stop)
        : m_keys(keys), m_ranges(ranges), m_cells(cells), m_first(lanes), m_times(times), m_stop(stop) {}

    bool enter(const WalkedSlice& slice) {
        // Rows of one lane are in the order of time, so that each lane passes each range once.
        std::size_t& first = m_first[slice.lane];
        while (first < m_ranges.size() && m_ranges[first].end < slice.begin)
            ++first;
        const std::uint32_t key = m_keys[slice.region.index()];
        const bool isRoot = m_open.empty() || m_open.back().root != slice.root;
        const std::uint32_t parent = isRoot ? kNotAsked : m_open.back().key;
        m_open.push_back({slice.root, key});
        if (key != kNotAsked || parent != kNotAsked)
            for (std::size_t i = first; i < m_ranges.size() && m_ranges[i].begin <= slice.end; ++i)
                add(slice, i, key, parent);
        return !m_stop.stop_requested();
    }
    void leave(const WalkedSlice&) { m_open.pop_back(); }

private:
    struct Open {
        std::size_t root;
        std::uint32_t key;
    };

    void add(const WalkedSlice& slice, std::size_t range, std::uint32_t key, std::uint32_t parent) {
        const TimeRange part = TimeRange{slice.begin, slice.end}.clippedTo(m_ranges[range]);
        const std::int64_t length = part.empty() ? 0 : part.length().count;
        const std::size_t cell = m_cells == 1 ? 0 : range;
        if (key != kNotAsked) {
            m_times.ns[key * m_cells + cell] += length;
            if (length > 0 || slice.begin == slice.end)
                m_times.seen[key] = 1;
        }
        if (parent != kNotAsked)
            m_times.ns[parent * m_cells + cell] -= length;
    }

    const std::vector<std::uint32_t>& m_keys; // by region
    const std::vector<TimeRange>& m_ranges;
    std::size_t m_cells;
    std::vector<std::size_t> m_first; // by lane: the first range that does not lie before what is to come
    Times& m_times;
    const std::stop_token& m_stop;
    std::vector<Open> m_open;
};

// Calls `take(rank, times)` for every location, one at a time.
template <class Take>
void walkAll(const TraceStore& store, const std::vector<RankRows>& ranks,
             const std::vector<std::uint32_t>& keys, std::size_t keyCount, bool byRange,
             const std::stop_token& stop, const Take& take) {
    std::vector<std::size_t> order(store.locations().size()); // large ones first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return store.locations()[i].slices; });
    std::mutex guard;
    runParallel(
        order.size(),
        [&](std::size_t i) {
            const LocationId location(order[i]);
            const RankRows& rank = ranks[store.location(location).rankIndex];
            const auto lanes = store.lanes(location);
            if (rank.ranges.empty() || lanes.empty())
                return;
            const std::size_t cells = byRange ? rank.ranges.size() : 1;
            Times times{std::vector<Wide>(keyCount * cells), std::vector<char>(keyCount)};
            Tally tally(keys, rank.ranges, cells, lanes.size(), times, stop);
            walkSlices(lanes, rank.ranges.front().begin, rank.ranges.back().end, tally);
            const std::scoped_lock lock(guard);
            take(rank, times);
        },
        stop);
}

} // namespace

std::vector<std::string> longestRegions(const TraceStore& store, const std::vector<MeasuredStep>& rows,
                                        std::size_t count, const std::stop_token& stop) {
    std::vector<std::uint32_t> keys(store.regionCount());
    std::iota(keys.begin(), keys.end(), 0u);
    std::vector<Wide> sums(keys.size());
    walkAll(store, byRank(store, rows), keys, keys.size(), false, stop,
            [&](const RankRows&, const Times& times) {
                for (std::size_t key = 0; key < sums.size(); ++key)
                    sums[key] += times.ns[key];
            });
    std::unordered_map<std::string_view, Wide> byName;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] > 0)
            byName[store.regionName(RegionId(i))] += sums[i];
    std::vector<std::pair<Wide, std::string>> order;
    for (const auto& [name, sum] : byName)
        order.emplace_back(-sum, name);
    std::ranges::sort(order);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i)
        names.push_back(std::move(order[i].second));
    return names;
}

std::map<std::string, RowValues> regionTimes(const TraceStore& store, const std::vector<MeasuredStep>& rows,
                                             std::span<const std::string> names,
                                             const std::stop_token& stop) {
    std::unordered_map<std::string_view, std::uint32_t> keyOf;
    for (const std::string& name : names)
        keyOf.emplace(name, static_cast<std::uint32_t>(keyOf.size()));
    std::vector<std::uint32_t> keys(store.regionCount(), kNotAsked);
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (const auto found = keyOf.find(store.regionName(RegionId(i))); found != keyOf.end())
            keys[i] = found->second;

    std::vector<Wide> sums(keyOf.size() * rows.size());
    std::vector<char> seen(keyOf.size());
    walkAll(store, byRank(store, rows), keys, keyOf.size(), true, stop,
            [&](const RankRows& rank, const Times& times) {
                const std::size_t cells = rank.ranges.size();
                for (std::size_t key = 0; key < seen.size(); ++key) {
                    seen[key] |= times.seen[key];
                    for (std::size_t i = 0; i < cells; ++i)
                        sums[key * rows.size() + rank.first + i] += times.ns[key * cells + i];
                }
            });

    std::map<std::string, RowValues> result;
    for (const auto& [name, key] : keyOf)
        if (seen[key] != 0) {
            RowValues& values = result[std::string(name)];
            for (std::size_t i = 0; i < rows.size(); ++i)
                values.emplace_back(static_cast<double>(sums[key * rows.size() + i]));
        }
    return result;
}

} // namespace ddp
