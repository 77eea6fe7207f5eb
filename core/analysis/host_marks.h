// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/phases.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ddp {

/// What the name of a host region says about the steps of the training, in the order of preference.
enum class StepMark : std::uint8_t {
    Step,          ///< step
    UserStep,      ///< user:step
    ProgramRepeat, ///< ProgramRepeat
    UserPartStep,  ///< user:…:step
    ProfilerStep,  ///< ProfilerStep#n
    NvtxStep,      ///< an NVTX range named step
    Optimizer,     ///< the optimizer's region
};
inline constexpr std::size_t kStepMarks = static_cast<std::size_t>(StepMark::Optimizer) + 1;

/// `paradigm` as RegionInfo has it: ranges of NVTX are regions of CUDA on a host thread.
std::optional<StepMark> stepMarkOf(std::string_view name, std::string_view paradigm);
/// The n of ProfilerStep#n.
std::optional<std::uint32_t> profilerStepNumber(std::string_view name);
std::optional<Phase> phaseOf(std::string_view name);

/// A slice of a host thread whose region says something.
struct MarkedSlice {
    TimeRange range;
    RegionId region;
};

/// Those of a location whose region is marked (by RegionId), in no order. Linear in its slices.
std::vector<MarkedSlice> markedSlices(const TraceStore& store, LocationId location,
                                      const std::vector<std::uint8_t>& isMarked);
/// Orders slices of one location by begin and takes out what lies inside another one.
void keepOutermost(std::vector<MarkedSlice>& slices);

} // namespace ddp
