// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/host_marks.h"

#include <algorithm>
#include <charconv>

namespace ddp {

namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#";

/// A name fits when it begins and ends so; one that is given whole has to be equal.
struct PhaseName {
    Phase phase;
    std::string_view begins;
    std::string_view ends;
    bool whole = false;
};

// Score-P's Python binding writes module:function and user:name, Kineto and the worker what PyTorch calls
// its own records, and DDP names its forward "DistributedDataParallel.forward".
constexpr PhaseName kPhaseNames[] = {
    {Phase::Forward, "forward", "", true},
    {Phase::Forward, "", ":forward"},
    {Phase::Forward, "", ".forward"},
    {Phase::Backward, "backward", "", true},
    {Phase::Backward, "", ":backward"},
    {Phase::Backward, "autograd::engine::evaluate_function", ""},
    {Phase::Backward, "", "Backward0"},
    {Phase::Backward, "", "Backward1"},
    {Phase::Backward, "", "FunctionBackward"},
    {Phase::Optimizer, "optimizer", "", true},
    {Phase::Optimizer, "user:optimizer", "", true},
    {Phase::Optimizer, "Optimizer.step#", ""},
    {Phase::Optimizer, "torch.optim.", ":step"},
    {Phase::Optimizer, "", "Optimizer:step"},
};

// They lie among the optimizers and have a step() of their own, which trains nothing.
constexpr std::string_view kNoOptimizers[] = {"lr_scheduler", "swa_utils"};

bool fits(const PhaseName& rule, std::string_view name) {
    if (rule.whole)
        return name == rule.begins;
    return name.size() >= rule.begins.size() + rule.ends.size() && name.starts_with(rule.begins) &&
           name.ends_with(rule.ends);
}

} // namespace

std::optional<Phase> phaseOf(std::string_view name) {
    const auto* found = std::ranges::find_if(kPhaseNames, [&](const auto& rule) { return fits(rule, name); });
    if (found == std::end(kPhaseNames))
        return std::nullopt;
    if (found->phase == Phase::Optimizer && std::ranges::any_of(kNoOptimizers, [&](auto other) {
            return name.find(other) != std::string_view::npos;
        }))
        return std::nullopt;
    return found->phase;
}

std::optional<std::uint32_t> profilerStepNumber(std::string_view name) {
    if (!name.starts_with(kProfilerStep))
        return std::nullopt;
    const std::string_view digits = name.substr(kProfilerStep.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return number;
}

std::optional<StepMark> stepMarkOf(std::string_view name, std::string_view paradigm) {
    if (name == "step")
        return paradigm == "cuda" || paradigm == "nvtx" ? StepMark::NvtxStep : StepMark::Step;
    if (name == "user:step")
        return StepMark::UserStep;
    if (name == "ProgramRepeat")
        return StepMark::ProgramRepeat;
    if (name.starts_with("user:") && name.ends_with(":step"))
        return StepMark::UserPartStep;
    if (profilerStepNumber(name))
        return StepMark::ProfilerStep;
    if (phaseOf(name) == Phase::Optimizer)
        return StepMark::Optimizer;
    return std::nullopt;
}

std::vector<MarkedSlice> markedSlices(const TraceStore& store, LocationId location,
                                      const std::vector<std::uint8_t>& isMarked) {
    std::vector<MarkedSlice> slices;
    for (const SliceLane& lane : store.lanes(location))
        lane.forEachRegion([&](std::size_t row, RegionId region) {
            if (isMarked[region.index()])
                slices.push_back({{lane.begin(row), lane.end(row)}, region});
        });
    return slices;
}

void keepOutermost(std::vector<MarkedSlice>& slices) {
    std::stable_sort(slices.begin(), slices.end(), [](const MarkedSlice& a, const MarkedSlice& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
    std::size_t kept = 0;
    for (const MarkedSlice& slice : slices)
        if (kept == 0 || slice.range.begin >= slices[kept - 1].range.end)
            slices[kept++] = slice;
    slices.resize(kept);
}

} // namespace ddp
