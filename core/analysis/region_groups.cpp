// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/region_groups.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace ddp {

namespace {

struct Named {
    std::string_view name;
    RegionGroup group;
};

constexpr Named kParadigms[] = {
    {"mpi", RegionGroup::Mpi},         {"shmem", RegionGroup::Shmem},
    {"pthread", RegionGroup::Pthread}, {"openmp", RegionGroup::OpenMp},
    {"cuda", RegionGroup::Cuda},       {"opencl", RegionGroup::OpenCl},
    {"hip", RegionGroup::Hip},         {"openacc", RegionGroup::OpenAcc},
    {"kokkos", RegionGroup::Kokkos},   {"measurement system", RegionGroup::Measurement}};

constexpr Named kPrefixes[] = {{"MPI_", RegionGroup::Mpi},      {"shmem_", RegionGroup::Shmem},
                               {"!$omp ", RegionGroup::OpenMp}, {"omp_", RegionGroup::OpenMp},
                               {"gloo:", RegionGroup::Gloo},    {"pthread_", RegionGroup::Pthread}};

// The functions of these libraries go on with a capital: cuLaunchKernel, but not "cut".
constexpr Named kCapitalPrefixes[] = {
    {"cuda", RegionGroup::Cuda}, {"cu", RegionGroup::Cuda}, {"cl", RegionGroup::OpenCl}};

RegionGroup groupByName(std::string_view name) {
    for (const Named& known : kPrefixes)
        if (name.starts_with(known.name))
            return known.group;
    for (const Named& known : kCapitalPrefixes)
        if (name.starts_with(known.name) && name.size() > known.name.size() &&
            std::isupper(static_cast<unsigned char>(name[known.name.size()])) != 0)
            return known.group;
    return RegionGroup::User;
}

RegionGroup groupOf(const TraceStore& store, const RegionInfo& region) {
    const std::string_view paradigm = store.text(region.paradigm);
    for (const Named& known : kParadigms)
        if (paradigm == known.name)
            return known.group;
    return paradigm.empty() || paradigm == "unknown" ? groupByName(store.text(region.name))
                                                     : RegionGroup::User;
}

bool makesCommunicating(RegionGroup group) {
    return group > RegionGroup::Communicating;
}

// SliceLane::parent() for the slices of one lane in their order, in one pass over the lane above.
class ParentCursor {
public:
    explicit ParentCursor(const SliceLane& above) : m_above(above) {
        if (m_above.size() > 0)
            m_next = m_above.at(0);
    }

    /// Whether the slice has a parent: row() and region(). Never an earlier slice than the one before.
    bool moveTo(Nanoseconds begin, Nanoseconds end) {
        while (m_after < m_above.size() && m_next.begin <= begin) {
            m_last = m_next;
            if (++m_after < m_above.size())
                m_next = m_above.at(m_after);
        }
        return m_after > 0 && end <= m_last.end;
    }
    std::size_t row() const { return m_after - 1; }
    RegionId region() const { return m_last.region; }

private:
    const SliceLane& m_above;
    std::size_t m_after = 0; // the first row that begins later
    SliceLane::Slice m_last{};
    SliceLane::Slice m_next{};
};

/// Marks the regions of one location that have something of another group below them, `calls` by region.
/// From the deepest lane upwards, so that each lane is read twice at most: as what is called and as what
/// calls.
void markCallers(std::span<const SliceLane> lanes, const std::vector<std::uint8_t>& communicates,
                 std::vector<std::atomic<std::uint8_t>>& calls) {
    const auto hasCommunication = [&](const SliceLane& lane) {
        bool has = false;
        lane.forEachRegion([&](std::size_t, RegionId region) { has |= communicates[region.index()] != 0; });
        return has;
    };
    std::size_t depth = lanes.size();
    while (depth > 1 && !hasCommunication(lanes[depth - 1]))
        --depth;
    std::vector<std::uint8_t> below; // by row of the lane: something below it communicates
    for (; depth > 1; --depth) {
        const SliceLane& lane = lanes[depth - 1];
        ParentCursor parent(lanes[depth - 2]);
        std::vector<std::uint8_t> above(lanes[depth - 2].size());
        below.resize(lane.size());
        std::size_t row = 0;
        lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
            if ((communicates[region.index()] | below[row++]) == 0 || !parent.moveTo(begin, end))
                return;
            above[parent.row()] = 1;
            calls[parent.region().index()].store(1, std::memory_order_relaxed);
        });
        below = std::move(above);
    }
}

} // namespace

std::vector<RegionGroup> regionGroups(const TraceStore& store, std::stop_token stop) {
    std::vector<RegionGroup> groups;
    for (std::size_t i = 0; i < store.regionCount(); ++i)
        groups.push_back(groupOf(store, store.region(RegionId(i))));
    if (std::none_of(groups.begin(), groups.end(), makesCommunicating))
        return groups;
    std::vector<std::uint8_t> communicates(groups.size());
    std::transform(groups.begin(), groups.end(), communicates.begin(), makesCommunicating);
    std::vector<std::atomic<std::uint8_t>> calls(groups.size());
    runParallel(
        store.locations().size(),
        [&](std::size_t i) { markCallers(store.lanes(LocationId(i)), communicates, calls); }, stop);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i] == RegionGroup::User && calls[i].load(std::memory_order_relaxed) != 0)
            groups[i] = RegionGroup::Communicating;
    return groups;
}

} // namespace ddp
