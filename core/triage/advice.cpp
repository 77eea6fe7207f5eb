// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ddp::triage {

namespace {

// A name that needs no quoting; any other one is no node name of Slurm, and no command is built from it.
bool isPlainNodeName(std::string_view name) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    return !name.empty() && name.front() != '-' && name.find_first_not_of(kPlain) == std::string_view::npos;
}

// The one node that the failure can be on; empty: unknown, or one of several.
std::optional<std::string> suspectNode(const Run& run, const Conclusion& conclusion) {
    if (conclusion.culprit) {
        if (auto host = run.hostOf(*conclusion.culprit))
            return host;
    }
    const auto hosts = run.hosts();
    if (hosts.size() == 1)
        return hosts.front();
    return hosts.empty() ? run.plannedNode : std::nullopt;
}

std::vector<std::string> forNode(const Run& run, const Conclusion& conclusion) {
    const std::string& cause = conclusion.diagnosis.cause;
    std::vector<std::string> steps = conclusion.advice;
    if (run.hasRecords() && !run.hardware()) {
        steps.push_back("Repeat the check on the node with --mode hardware: this one ran on the CPU.");
        return steps;
    }
    if (cause == "no_gpu" && steps.empty())
        steps.push_back(
            "Check that the job asked for GPUs (--gres=gpu:N) and that the node should have them.");
    if (cause == "lost_collective" || cause == "corrupt_collective" || cause == "rank_hung")
        steps.push_back(
            "Repeat the check with CUDA_MODULE_LOADING=EAGER: if only that passes, the driver is suspect.");
    const auto node = suspectNode(run, conclusion);
    if (node && isPlainNodeName(*node))
        steps.push_back(
            fmt::format("scontrol update nodename={} state=drain reason=\"ddpscope: {}\"", *node, cause));
    else if (run.hosts().size() > 1)
        steps.push_back(
            "Check each node alone, to see which one is at fault, then propose to drain that one.");
    else
        steps.push_back("Find out which node this was, and propose to the administrator to drain it.");
    return steps;
}

std::vector<std::string> forUserCode(const Conclusion& conclusion) {
    const std::string& cause = conclusion.diagnosis.cause;
    std::vector<std::string> steps = conclusion.advice;
    if (steps.empty() && cause == "rank_without_model")
        steps.push_back(
            conclusion.culprit
                ? fmt::format("Look at what rank {} did before DDP: it built no model.", *conclusion.culprit)
                : "Look at what the rank did before DDP: it built no model.");
    else if (steps.empty() && cause == "model_mismatch")
        steps.push_back("Make every rank build the same model: same code, same arguments, same checkpoint.");
    else if (steps.empty() && cause == "duplicate_gpu")
        steps.push_back("Start one task per GPU and check CUDA_VISIBLE_DEVICES.");
    else if (steps.empty())
        steps.push_back(
            "Correct the program or the way it is started, then repeat; do not drain the node for this.");
    return steps;
}

} // namespace

std::vector<std::string> nextSteps(const Run& run, const Conclusion& conclusion) {
    if (run.simulated())
        return {"Nothing to repair: the fault was simulated.",
                "Check the node itself with ddpscope-worker poc --mode hardware."};
    std::vector<std::string> steps = conclusion.advice;
    switch (conclusion.diagnosis.faultClass) {
    case FaultClass::NodeFault:
        return forNode(run, conclusion);
    case FaultClass::UserCodeFault:
        return forUserCode(conclusion);
    case FaultClass::Scheduler:
        if (steps.empty())
            steps.push_back("Submit the check again; this run says nothing about the node.");
        return steps;
    case FaultClass::Environment:
        if (steps.empty())
            steps.push_back(
                "Look at the job's own output (job.out, job.err), correct its environment and repeat.");
        return steps;
    case FaultClass::None:
        return steps;
    }
    return steps;
}

} // namespace ddp::triage
