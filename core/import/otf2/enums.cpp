// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/enums.h"

#include <array>

namespace ddp::otf2 {

LocationKind kindOf(OTF2_LocationType type) {
    switch (type) {
    case OTF2_LOCATION_TYPE_CPU_THREAD:
        return LocationKind::Thread;
    case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
        return LocationKind::Stream;
    case OTF2_LOCATION_TYPE_METRIC:
        return LocationKind::Metric;
    default:
        return LocationKind::Other;
    }
}

std::optional<RegionRole> roleOf(OTF2_RegionRole role) {
    constexpr unsigned kKernel = 40; // OTF2 3.1, which Score-P 9 writes
    switch (static_cast<unsigned>(role)) {
    case OTF2_REGION_ROLE_FUNCTION:
        return RegionRole::Function;
    case OTF2_REGION_ROLE_WRAPPER:
        return RegionRole::Wrapper;
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
        return RegionRole::Collective;
    case OTF2_REGION_ROLE_POINT2POINT:
        return RegionRole::PointToPoint;
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
        return RegionRole::Barrier;
    case OTF2_REGION_ROLE_RMA:
    case OTF2_REGION_ROLE_DATA_TRANSFER:
        return RegionRole::Transfer;
    case OTF2_REGION_ROLE_ARTIFICIAL:
        return RegionRole::Artificial;
    case kKernel:
        return RegionRole::Kernel;
    default:
        break;
    }
    return static_cast<unsigned>(role) <= kKernel ? std::optional(RegionRole::Other) : std::nullopt;
}

std::optional<const char*> collectiveName(OTF2_CollectiveOp operation) {
    static constexpr std::array kNames{"BARRIER",
                                       "BCAST",
                                       "GATHER",
                                       "GATHERV",
                                       "SCATTER",
                                       "SCATTERV",
                                       "ALLGATHER",
                                       "ALLGATHERV",
                                       "ALLTOALL",
                                       "ALLTOALLV",
                                       "ALLTOALLW",
                                       "ALLREDUCE",
                                       "REDUCE",
                                       "REDUCE_SCATTER",
                                       "SCAN",
                                       "EXSCAN",
                                       "REDUCE_SCATTER_BLOCK",
                                       "CREATE_HANDLE",
                                       "DESTROY_HANDLE",
                                       "ALLOCATE",
                                       "DEALLOCATE",
                                       "CREATE_HANDLE_AND_ALLOCATE",
                                       "DESTROY_HANDLE_AND_DEALLOCATE"};
    return operation < kNames.size() ? std::optional(kNames[operation]) : std::nullopt;
}

std::string paradigmName(OTF2_Paradigm paradigm) {
    static constexpr std::array kNames{
        "unknown",   "user",     "compiler",  "openmp",    "mpi",     "cuda",   "measurement system",
        "pthread",   "hmpp",     "ompss",     "hardware",  "gaspi",   "upc",    "shmem",
        "winthread", "qtthread", "acethread", "tbbthread", "openacc", "opencl", "mtapi",
        "sampling",  "none",     "hip",       "kokkos"};
    return paradigm < kNames.size() ? kNames[paradigm] : "";
}

} // namespace ddp::otf2
