// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/trace_truth.h"

#include <filesystem>
#include <otf2/otf2.h>
#include <span>
#include <string>
#include <vector>

/// The part of otf2_generator that opens archives and writes their definitions.
namespace ddp::test {

// References that events and definitions agree on.
inline constexpr OTF2_AttributeRef kStreamRef = 0;
inline constexpr OTF2_AttributeRef kEventRef = 1;
inline constexpr OTF2_AttributeRef kAllocationSize = 2;
inline constexpr OTF2_AttributeRef kDeallocationSize = 3;
inline constexpr OTF2_MetricRef kMemoryMetric = 1; // the instance; its class is 0
inline constexpr OTF2_CommRef kWorld = 1;          // 0 is that of the CUDA window
inline constexpr std::uint32_t kKernelParameters = 7;
inline constexpr std::uint64_t kMatchingId = 42; // Score-P's, of every copy

struct ProcessFacts {
    std::string name;
    std::string host;
};

/// Throws std::runtime_error with libotf2's description.
void check(OTF2_ErrorCode code);

OTF2_Archive* openArchive(const std::filesystem::path& folder, std::uint64_t chunkBytes);

/// Local and global definitions; `locations` are those of each process, in the order of the processes.
void writeDefinitions(OTF2_Archive* archive, const TruthArchive& facts,
                      const std::vector<ProcessFacts>& processes, std::span<const TruthLocation> locations);

} // namespace ddp::test
