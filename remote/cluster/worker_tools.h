// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/transport/transport.h"

#include <stop_token>
#include <string>
#include <vector>

namespace ddp::remote {

/// What a cluster has of what the worker is built from, in the user's own environment (after the setup lines,
/// on the login node). An empty text is "not found".
struct WorkerTools {
    std::string system;       ///< Linux x86_64
    std::string python;       ///< with its version
    std::string torchRoot;    ///< folder with include/ and lib/; empty: the system's libtorch, or none
    std::string torchVersion; ///< empty: no libtorch that can be built against
    std::string torchCuda;    ///< that libtorch is made for
    std::string ncclVersion;  ///< of the header that comes with torch, else of the system
    std::string ncclHeader;   ///< its folder
    std::string cudaVersion;  ///< of the toolkit
    std::string compiler;     ///< with its version
    std::string compilerPath;
    std::string cmake;     ///< its version
    std::string buildTool; ///< make or ninja
    std::string otf2;      ///< its version

    /// What is missing that a build can not do without; a sentence each, with what to do.
    std::vector<std::string> missing() const;
    /// What is not there and only costs something.
    std::vector<std::string> notes() const;
};

struct NamedText {
    std::string name;
    std::string text; ///< empty: not found
};

/// For a table: torch, CUDA, NCCL, compiler, ...
std::vector<NamedText> toolTable(const WorkerTools& tools);

/// Looks; blocking, for some seconds. Torch is not imported, so that a login node without GPUs does not
/// matter.
Result<WorkerTools> findWorkerTools(const Cluster& cluster, Transport& transport, std::stop_token stop);

} // namespace ddp::remote
