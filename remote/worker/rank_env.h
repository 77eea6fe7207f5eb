// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ddp::worker {

/// The variable by which our own parent tells a child "rank/worldSize/fd"; fd is its socket to the parent.
inline constexpr const char* kSpawnVariable = "DDPSCOPE_SPAWN";

/// Who this process is among the ranks and where their store is.
struct RankPlace {
    std::string launcher; // "spawn" | "torchrun" | "srun"
    int rank = 0;
    int worldSize = 0;
    int localRank = 0;
    bool oneMachine = false; // all ranks share this machine, so 127.0.0.1 reaches every one of them
    std::string storeHost;
    int storePort = 0; // 0: rank 0 takes a free one and its parent passes it on
    bool hostsStore = false;
    std::string storePrefix; // keeps a restarted run from reading the keys of the run before
    int parentSocket = -1;
};

/// Looks a variable up; null when it is not set.
using Environment = std::function<const char*(const char*)>;

struct PlaceFound {
    std::optional<RankPlace> place;
    std::string problem; // one sentence, when there is no place
};

PlaceFound placeFromEnvironment(const Environment& environment);

/// First host of a Slurm node list: "gpu[03-05,9],login1" -> "gpu03". Empty for an empty list.
std::string firstHost(const std::string& nodeList);

/// A port that all ranks of a Slurm step compute alike, below the range from which the kernel hands out
/// ports.
int portOfStep(long long jobId, long long stepId);

} // namespace ddp::worker
