// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/trace_truth.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What a generated set holds per step, by looking at every stretch of time between two edges.
namespace ddp::test {

struct TruthStep {
    int rank = 0;
    std::size_t number = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t communication = 0;
    std::int64_t compute = 0;
    std::int64_t hidden = 0;
    std::int64_t idle = 0;
    std::map<std::string, std::int64_t> exclusive; ///< by region
};

namespace detail {

inline void addWork(const Truth& truth, int rank, TruthStep& step) {
    std::map<int, std::vector<const TruthSlice*>> devices;
    std::set<std::int64_t> edges{step.begin, step.end};
    for (const TruthLocation& location : truth.locations)
        if (location.rank == rank && location.stream)
            for (const TruthSlice& slice : location.slices)
                if (slice.begin < step.end && slice.end > step.begin) {
                    devices[location.device.value_or(-1)].push_back(&slice);
                    edges.insert(std::clamp(slice.begin, step.begin, step.end));
                    edges.insert(std::clamp(slice.end, step.begin, step.end));
                }
    for (const auto& [device, slices] : devices)
        for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
            std::set<TruthClass> running;
            for (const TruthSlice* slice : slices)
                if (slice->begin <= *edge && slice->end > *edge)
                    running.insert(truth.regions[slice->region].workClass);
            running.erase(TruthClass::Ignored);
            const std::int64_t length = *std::next(edge) - *edge;
            const bool c = running.contains(TruthClass::Communication);
            const bool p = running.contains(TruthClass::Compute);
            step.communication += c ? length : 0;
            step.compute += p ? length : 0;
            step.hidden += c && p ? length : 0;
            step.idle += running.empty() ? length : 0;
        }
}

// Less what is nested: a slice lies in the one of the lane above that encloses it.
inline void addRegions(const Truth& truth, int rank, TruthStep& step) {
    const auto clipped = [&](const TruthSlice& slice) {
        return std::max<std::int64_t>(std::min(slice.end, step.end) - std::max(slice.begin, step.begin), 0);
    };
    for (const TruthLocation& location : truth.locations) {
        if (location.rank != rank)
            continue;
        for (const TruthSlice& slice : location.slices) {
            if (slice.end < step.begin || slice.begin > step.end)
                continue;
            step.exclusive[truth.regions[slice.region].name] += clipped(slice);
            for (const TruthSlice& parent : location.slices)
                if (clipped(slice) > 0 && parent.depth + 1 == slice.depth && parent.begin <= slice.begin &&
                    parent.end >= slice.end)
                    step.exclusive[truth.regions[parent.region].name] -= clipped(slice);
        }
    }
}

} // namespace detail

/// Of all ranks; a step is a region user:step. The first one of a rank is left out.
inline std::vector<TruthStep> stepTruth(const Truth& truth) {
    std::vector<TruthStep> steps;
    for (const TruthLocation& location : truth.locations) {
        std::size_t number = 0;
        for (const TruthSlice& slice : location.slices) {
            if (truth.regions[slice.region].name != "user:step" || number++ == 0)
                continue;
            TruthStep step;
            step.rank = location.rank;
            step.number = number - 1;
            step.begin = slice.begin;
            step.end = slice.end;
            detail::addWork(truth, step.rank, step);
            detail::addRegions(truth, step.rank, step);
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

/// The middle one, or the mean of the middle two.
inline std::optional<double> medianOf(std::vector<double> values) {
    if (values.empty())
        return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

} // namespace ddp::test
