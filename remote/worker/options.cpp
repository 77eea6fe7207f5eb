// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/options.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace ddp::worker {

namespace {

constexpr const char* kFooter = R"(
How the ranks are started: --spawn N on one machine, or one process per rank by torchrun (RANK, WORLD_SIZE,
LOCAL_RANK, MASTER_ADDR, MASTER_PORT) or by srun (SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID). GLOO_SOCKET_IFNAME
names Gloo's network interface for ranks on several machines.

Without --simulate, --backend and --mode the real hardware check runs: it needs a GPU per rank and never falls back
to the CPU. SIMULATE_BUG=1 in the environment means --simulate missing-model.

Simulations (on the CPU, with Gloo):
  missing-model    rank 1 builds no model; libtorch's own check raises on rank 0; exit 20
  lost-collective  all ranks have a model, but what a rank gathers from its peers is dropped; exit 30
  hang             rank 1 never enters the first collective; the stage deadline ends the job; exit 40

Output: stdout, and with --out DIR/rank-R/{worker.log, records.jsonl, traces.otf2}. An existing run is not overwritten.
Exit: 0 passed, 2 wrong call or environment, 20 user code, 30 node fault, 40 hang, 130/143 stopped by SIGINT/SIGTERM.)";

struct Given {
    std::string mode;
    std::string backend;
    std::string simulate;
};

std::vector<std::string> simulationNames() {
    std::vector<std::string> names;
    for (const Simulation simulation : records::kSimulations)
        names.emplace_back(records::simulationName(simulation));
    return names;
}

Simulation simulationOf(const std::string& name) {
    for (const Simulation simulation : records::kSimulations)
        if (name == records::simulationName(simulation))
            return simulation;
    return Simulation::None; // the parser has refused any other name
}

std::string settle(PocOptions& options, const Given& given, const char* simulateBug) {
    const bool fromEnvironment =
        given.simulate.empty() && simulateBug != nullptr && std::string(simulateBug) == "1";
    if (!given.simulate.empty())
        options.simulation = simulationOf(given.simulate);
    else if (fromEnvironment)
        options.simulation = Simulation::MissingModel;

    const bool simulated = options.simulation != Simulation::None;
    const std::string simulationName =
        fromEnvironment ? "SIMULATE_BUG=1 in the environment"
                        : std::string("--simulate ") + records::simulationName(options.simulation);
    if (simulated && given.mode == "hardware")
        return simulationName + " runs on the CPU and contradicts --mode hardware; leave one of them out";
    if (simulated && given.backend == "nccl")
        return simulationName + " runs with Gloo and contradicts --backend nccl; leave one of them out";
    if (given.mode == "hardware" && given.backend == "gloo")
        return "--mode hardware checks GPUs through NCCL and contradicts --backend gloo; use --mode healthy "
               "for the CPU";
    if (given.mode == "healthy" && given.backend == "nccl")
        return "--mode healthy runs on the CPU with Gloo and contradicts --backend nccl; use --mode hardware";

    const bool healthy = simulated || given.mode == "healthy" || given.backend == "gloo";
    options.mode = healthy ? Mode::Healthy : Mode::Hardware;
    options.backend = healthy ? Backend::Gloo : Backend::Nccl;
    options.backendGiven = !given.backend.empty();
    return {};
}

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

} // namespace

const char* toText(Mode mode) {
    return mode == Mode::Hardware ? "hardware" : "healthy";
}

const char* toText(Backend backend) {
    return backend == Backend::Gloo ? "gloo" : "nccl";
}

ParsedOptions parseOptions(int argc, const char* const* argv, const char* simulateBug) {
    PocOptions options;
    Given given;
    CLI::App app("ddpscope-worker: runs on the node and checks whether it is fit for distributed training",
                 "ddpscope-worker");
    app.set_version_flag("--version", std::string(DDP_WORKER_VERSION));
    app.require_subcommand(0, 1); // a missing verb is told below, a wrong one by the parser with its name
    auto* poc =
        app.add_subcommand("poc", "node check: facts, canary collective, libtorch's own DDP check, training");
    poc->footer(kFooter);
    app.footer("`ddpscope-worker poc --help` tells the rest.");
    poc->add_option("--mode", given.mode,
                    "hardware (GPUs, the default) or healthy (the full path on the CPU)")
        ->check(CLI::IsMember({"hardware", "healthy"}));
    poc->add_option("--backend", given.backend, "gloo (CPU, implies --mode healthy) or nccl (GPU)")
        ->check(CLI::IsMember({"gloo", "nccl"}));
    poc->add_option("--simulate", given.simulate, "the fault to reproduce")
        ->check(CLI::IsMember(simulationNames()));
    auto* spawn =
        poc->add_option("--spawn", options.spawn, "start this many ranks on this machine (2 to 64)");
    spawn->check(CLI::Range(2, 64));
    auto* out =
        poc->add_option("--out", options.out, "folder for logs, records and traces; created if missing");
    poc->add_option("--steps", options.steps, "training steps")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
        ->capture_default_str();
    poc->add_option("--stage-deadline", options.stageDeadlineSeconds, "seconds that one stage may take")
        ->check(CLI::Range(0.5, 86'400.0))
        ->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return {std::nullopt, 0, app.help()};
    } catch (const CLI::CallForVersion&) {
        return {std::nullopt, 0, std::string("ddpscope-worker ") + DDP_WORKER_VERSION + "\n"};
    } catch (const CLI::ParseError& error) {
        const std::string program = poc->parsed() ? "ddpscope-worker poc" : "ddpscope-worker";
        return {std::nullopt, records::kExitUsage, firstLine(error.what()) + "; see " + program + " --help"};
    }
    if (!poc->parsed())
        return {std::nullopt, records::kExitUsage, "no verb given (poc); see ddpscope-worker --help"};
    if (out->count() > 0 && options.out.empty())
        return {std::nullopt, records::kExitUsage, "--out needs the name of a folder"};
    const std::string problem = settle(options, given, simulateBug);
    if (!problem.empty())
        return {std::nullopt, records::kExitUsage, problem};
    return {options, 0, {}};
}

} // namespace ddp::worker
