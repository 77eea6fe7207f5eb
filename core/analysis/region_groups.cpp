// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/region_groups.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>
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

// Marks the regions of one location that have something of another group below them; from the deepest lane
// up, with one bit per slice: does its tree hold such a region.
void markCallers(const TraceStore& store, LocationId id, const std::vector<RegionGroup>& groups,
                 std::vector<std::atomic<std::uint8_t>>& calls) {
    const auto lanes = store.lanes(id);
    std::vector<bool> inside; // of the lane's own slices
    for (std::size_t lane = lanes.size(); lane-- > 0;) {
        std::vector<bool> above(lane > 0 ? lanes[lane - 1].size() : 0);
        for (std::size_t i = 0; i < lanes[lane].size(); ++i) {
            const RegionId region = lanes[lane].region(i);
            const bool below = !inside.empty() && inside[i];
            if (below)
                calls[region.index()].store(1, std::memory_order_relaxed);
            if (!below && !makesCommunicating(groups[region.index()]))
                continue;
            if (const auto parent = lanes[lane].parent(i))
                above[*parent] = true;
        }
        inside = std::move(above);
    }
}

} // namespace

std::vector<RegionGroup> regionGroups(const TraceStore& store, std::stop_token stop) {
    std::vector<RegionGroup> groups;
    for (std::size_t i = 0; i < store.regionCount(); ++i)
        groups.push_back(groupOf(store, store.region(RegionId(i))));
    if (std::none_of(groups.begin(), groups.end(), makesCommunicating))
        return groups;
    std::vector<std::atomic<std::uint8_t>> calls(groups.size());
    runParallel(store.locations().size(), [&](std::size_t i) {
        if (!stop.stop_requested())
            markCallers(store, LocationId(i), groups, calls);
    });
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i] == RegionGroup::User && calls[i].load(std::memory_order_relaxed) != 0)
            groups[i] = RegionGroup::Communicating;
    return groups;
}

} // namespace ddp
