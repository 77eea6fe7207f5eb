// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/trace_truth.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddp::test {

struct GeneratorOptions {
    std::uint64_t seed = 1;
    int ranks = 2;
    int hosts = 1;                ///< node01 …, in blocks of ranks; at most as many as ranks
    std::uint64_t events = 1'000; ///< of the whole set, about; one step per rank at least
    bool oneArchive = false;      ///< as an MPI run leaves it: "MPI Rank n" groups, messages, collectives
    bool wallClock = false;       ///< SCOREP_TIMER=gettimeofday, else the time stamp counter
    bool kernelParameters = true; ///< the seven PARAMETER_UINT64 of each kernel
    bool keepSlices = true;       ///< false for sets whose slices do not fit into memory: totals only
    std::uint64_t chunkBytes = 1 << 20; ///< of libotf2's buffers: 256 KiB to 16 MiB
    int devices = 1;                    ///< of each rank; the host launches only the kernels of the first one
    std::vector<std::int64_t> lateNs = {}; ///< see ScriptOptions
    std::vector<double> driftPpm = {};    ///< per host: how much its timer runs faster than its archives say;
                                          ///< for hosts beyond, a few ppm at random
    bool kernelsUnderCollectives = false; ///< see ScriptOptions
    bool overlappingKernels = false;      ///< see ScriptOptions
    bool communicationOnComputeStream = false; ///< as well; there is no stream for NCCL then
};

/// Writes a set of OTF2 archives below `folder` by libotf2's writer, as Score-P's CUDA adapter leaves them
/// (trace-viewers.md 2.3): the same ids in every archive, resolutions that differ by ppm, undefined date,
/// kernels of role 40 with parameters, COMPUTE IDLE over the kernels of the first stream, copies as RMA, a
/// metric location, attributes of the launches. One archive per rank in scorep-rank-N, or one for all. The
/// same options give the same bytes, apart from the archives' identifiers. Memory is bounded unless the
/// slices are kept. Throws std::runtime_error when a file can not be written.
Truth generateOtf2(const std::filesystem::path& folder, const GeneratorOptions& options);

} // namespace ddp::test
