// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ddp::worker {

enum class Mode { Hardware, Healthy };
enum class Backend { Gloo, Nccl };
using records::Simulation;

const char* toText(Mode mode);
const char* toText(Backend backend);

/// What one call of `ddpscope-worker poc` asks for, with every default filled in.
struct PocOptions {
    Mode mode = Mode::Hardware;
    Backend backend = Backend::Nccl;
    bool backendGiven =
        false; // the user named it, so a build without it is a wrong call and not a node fault
    Simulation simulation = Simulation::None;
    int spawn = 0; // 0: ranks come from torchrun, srun or our own parent
    std::string out;
    std::int64_t steps = 5;
    double stageDeadlineSeconds = 45;
};

/// Either options, or what to print and how to exit.
struct ParsedOptions {
    std::optional<PocOptions> options;
    int exitCode = 0;
    std::string message; // one line for an error, the whole help for --help
};

/// simulateBug is the text of SIMULATE_BUG in the environment, or null.
ParsedOptions parseOptions(int argc, const char* const* argv, const char* simulateBug);

} // namespace ddp::worker
