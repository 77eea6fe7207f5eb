// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/region_groups.h"

#include "core/analysis/slice_walk.h"
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

// Marks the regions that have something of another group below them. The visitor of a walk.
class CallerMarks {
public:
    CallerMarks(const std::vector<RegionGroup>& groups, std::vector<std::atomic<std::uint8_t>>& calls)
        : m_groups(groups), m_calls(calls) {}

    bool enter(const WalkedSlice& slice) {
        m_open.push_back({slice.region, slice.root, makesCommunicating(m_groups[slice.region.index()])});
        return true;
    }
    void leave(const WalkedSlice&) {
        const Open left = m_open.back();
        m_open.pop_back();
        if (!left.communicates || m_open.empty() || m_open.back().root != left.root)
            return;
        m_open.back().communicates = true;
        m_calls[m_open.back().region.index()].store(1, std::memory_order_relaxed);
    }

private:
    struct Open {
        RegionId region;
        std::size_t root;
        bool communicates; // it, or something below it
    };

    const std::vector<RegionGroup>& m_groups;
    std::vector<std::atomic<std::uint8_t>>& m_calls; // per region
    std::vector<Open> m_open;
};

} // namespace

std::vector<RegionGroup> regionGroups(const TraceStore& store, std::stop_token stop) {
    std::vector<RegionGroup> groups;
    for (std::size_t i = 0; i < store.regionCount(); ++i)
        groups.push_back(groupOf(store, store.region(RegionId(i))));
    if (std::none_of(groups.begin(), groups.end(), makesCommunicating))
        return groups;
    std::vector<std::atomic<std::uint8_t>> calls(groups.size());
    const auto mark = [&](std::size_t i) {
        CallerMarks marks(groups, calls);
        walkSlices(store.lanes(LocationId(i)), store.extent().begin, store.extent().end, marks);
    };
    runParallel(store.locations().size(), mark, stop);
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i] == RegionGroup::User && calls[i].load(std::memory_order_relaxed) != 0)
            groups[i] = RegionGroup::Communicating;
    return groups;
}

} // namespace ddp
