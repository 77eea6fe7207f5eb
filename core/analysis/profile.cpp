// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/profile.h"

#include "core/analysis/slice_walk.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

namespace ddp {

namespace {

__extension__ using Wide = __int128;

struct Sums {
    std::uint64_t visits = 0;
    Wide inclusive = 0;
    Wide exclusive = 0;

    void add(const Sums& other) {
        visits += other.visits;
        inclusive += other.inclusive;
        exclusive += other.exclusive;
    }
};

Nanoseconds narrowed(Wide ns) {
    return Nanoseconds(
        static_cast<std::int64_t>(std::min<Wide>(ns, std::numeric_limits<std::int64_t>::max())));
}

// Adds up the slices of the locations that one thread walks through. A key is the row that a region counts
// for.
class Tally {
public:
    Tally(const std::vector<std::uint32_t>& keys, std::size_t keyCount, TimeRange window)
        : m_keys(keys), m_window(window), m_sums(keyCount), m_openAt(keyCount, kNotOpen) {}

    bool enter(const WalkedSlice& slice) {
        const std::uint32_t key = m_keys[slice.region.index()];
        const std::int64_t length =
            std::max<std::int64_t>(TimeRange{slice.begin, slice.end}.clippedTo(m_window).length().count, 0);
        const bool isRoot = m_open.empty() || m_open.back().root != slice.root;
        const auto position = static_cast<std::uint32_t>(m_open.size());
        const std::uint32_t base = isRoot ? position : m_open.back().base;
        Sums& sums = m_sums[key];
        sums.visits += length > 0 || slice.begin == slice.end ? 1 : 0;
        sums.exclusive += length;
        if (!isRoot)
            m_sums[m_open.back().key].exclusive -= length;
        const std::uint32_t outer = m_openAt[key];
        if (outer == kNotOpen || outer < base)
            sums.inclusive += length;
        m_open.push_back({slice.root, key, base, outer});
        m_openAt[key] = position;
        return true;
    }

    void leave(const WalkedSlice&) {
        m_openAt[m_open.back().key] = m_open.back().outer;
        m_open.pop_back();
    }

    const std::vector<Sums>& sums() const { return m_sums; }
    Sums takeOnly() { return std::exchange(m_sums.front(), {}); }

private:
    static constexpr std::uint32_t kNotOpen = std::numeric_limits<std::uint32_t>::max();

    struct Open {
        std::size_t root;
        std::uint32_t key;
        std::uint32_t base;  // position of the outermost slice of its tree
        std::uint32_t outer; // position of the innermost slice of the same key around it
    };

    const std::vector<std::uint32_t>& m_keys; // per region
    TimeRange m_window;
    std::vector<Sums> m_sums;
    std::vector<std::uint32_t> m_openAt; // per key: position in m_open of its innermost slice
    std::vector<Open> m_open;
};

std::vector<std::uint32_t> keysOf(std::span<const RegionGroup> groups, ProfileBy by) {
    std::vector<std::uint32_t> keys(groups.size());
    if (by == ProfileBy::Region)
        std::iota(keys.begin(), keys.end(), 0u);
    if (by == ProfileBy::Group)
        std::transform(groups.begin(), groups.end(), keys.begin(),
                       [](RegionGroup group) { return static_cast<std::uint32_t>(group); });
    return keys;
}

// One per key, or with ProfileBy::Location one per location.
std::vector<Sums> sumUp(const TraceStore& store, std::span<const RegionGroup> groups, ProfileBy by,
                        TimeRange window, const std::stop_token& stop) {
    const bool byLocation = by == ProfileBy::Location;
    const std::size_t keyCount = by == ProfileBy::Region  ? groups.size()
                                 : by == ProfileBy::Group ? kRegionGroups
                                                          : 1;
    const std::vector<std::uint32_t> keys = keysOf(groups, by);
    const std::size_t locations = store.locations().size();
    std::vector<std::size_t> order(locations); // large ones first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return store.locations()[a].slices > store.locations()[b].slices;
    });

    std::vector<Sums> sums(byLocation ? locations : keyCount);
    std::mutex guard; // of `sums`, unless every location has its own
    std::atomic<std::size_t> next{0};
    runParallel(std::min(coreCount(), locations), [&](std::size_t) {
        Tally tally(keys, keyCount, window);
        for (std::size_t i = next++; i < locations && !stop.stop_requested(); i = next++) {
            walkSlices(store.lanes(LocationId(order[i])), window.begin, window.end, tally);
            if (byLocation)
                sums[order[i]] = tally.takeOnly();
        }
        if (byLocation)
            return;
        const std::scoped_lock lock(guard);
        for (std::size_t key = 0; key < keyCount; ++key)
            sums[key].add(tally.sums()[key]);
    });
    return sums;
}

std::vector<std::size_t> orderOfRows(const TraceStore& store, const std::vector<Sums>& sums, ProfileBy by) {
    std::vector<std::size_t> order;
    if (by == ProfileBy::Location) {
        for (const RankInfo& rank : store.ranks())
            for (LocationId id : rank.locations)
                order.push_back(id.index());
    } else {
        order.resize(sums.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
    }
    std::erase_if(order, [&](std::size_t i) { return sums[i].visits == 0; });
    if (by != ProfileBy::Location)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return sums[a].exclusive > sums[b].exclusive; });
    return order;
}

} // namespace

Profile flatProfile(const TraceStore& store, std::span<const RegionGroup> groups, ProfileBy by,
                    std::optional<TimeRange> window, std::stop_token stop) {
    Profile profile;
    profile.by = by;
    profile.window = window.value_or(store.extent());
    const std::vector<Sums> sums = sumUp(store, groups, by, profile.window, stop);
    Sums total;
    for (std::size_t i : orderOfRows(store, sums, by)) {
        ProfileRow row;
        if (by == ProfileBy::Region) {
            row.region = RegionId(i);
            row.group = groups[i];
        } else if (by == ProfileBy::Group) {
            row.group = static_cast<RegionGroup>(i);
        } else {
            row.location = LocationId(i);
        }
        row.visits = sums[i].visits;
        row.inclusive = narrowed(sums[i].inclusive);
        row.exclusive = narrowed(sums[i].exclusive);
        profile.rows.push_back(row);
        total.add(sums[i]);
    }
    profile.total.visits = total.visits;
    profile.total.exclusive = narrowed(total.exclusive);
    profile.total.inclusive = profile.total.exclusive;
    return profile;
}

} // namespace ddp
