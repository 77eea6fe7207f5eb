// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_facts.h"

#include "core/store/clock_quality_name.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

namespace ddp {

namespace {

constexpr std::string_view kModel = "DDPSCOPE::MODEL";
constexpr std::string_view kBatchPerGpu = "DDPSCOPE::BATCH_PER_GPU";
constexpr std::string_view kPrecision = "DDPSCOPE::PRECISION";

bool sameName(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<std::string> joined(const std::set<std::string>& values) {
    if (values.empty())
        return std::nullopt;
    std::string text;
    for (const std::string& value : values)
        text += (text.empty() ? "" : ", ") + value;
    return text;
}

// All different values, where the ranks do not agree.
std::optional<std::string> property(const RunAnalysis& run, std::string_view name) {
    std::set<std::string> values;
    for (const RankInfo& rank : run.store()->ranks())
        for (const auto& [key, value] : rank.properties)
            if (sameName(key, name) && !value.empty())
                values.insert(value);
    return joined(values);
}

bool hasAccelerators(const RunAnalysis& run) {
    return std::ranges::any_of(run.activity().devices(), [](const Device& device) { return !device.isHost; });
}

std::optional<std::string> deviceKind(const RunAnalysis& run) {
    if (run.activity().devices().empty())
        return std::nullopt;
    return hasAccelerators(run) ? "gpu" : "cpu";
}

std::optional<std::string> computeRule(const RunAnalysis& run) {
    if (hasAccelerators(run))
        return std::nullopt;
    const Classification& classes = run.classification();
    std::set<std::string> rules;
    for (std::size_t region = 0; region < classes.threadRule.size(); ++region)
        if (classes.classes.onThread[region] == WorkClass::Compute)
            rules.insert(std::to_string(classes.threadRule[region]));
    return joined(rules);
}

const char* idOf(StepRule rule) {
    switch (rule) {
    case StepRule::Region:
        return "region";
    case StepRule::ProfilerStep:
        return "profiler_step";
    case StepRule::NvtxRange:
        return "nvtx_range";
    case StepRule::OptimizerRegion:
        return "optimizer_region";
    case StepRule::LastCollective:
        return "last_collective";
    case StepRule::None:
        break;
    }
    return "none";
}

// Nothing of a rank alone, which has nobody to talk to.
std::optional<std::string> communication(const RunAnalysis& run) {
    const RunActivity& activity = run.activity();
    if (run.store()->ranks().size() < 2)
        return std::nullopt;
    for (std::size_t i = 0; i < activity.devices().size(); ++i)
        if (const auto busy = activity.busy(i); busy && activity.over(i, *busy).communication.count > 0)
            return "some";
    return "none";
}

std::optional<std::string> worstClock(const RunAnalysis& run) {
    const auto ranks = run.store()->ranks();
    if (ranks.size() < 2)
        return std::nullopt;
    const auto worst = std::ranges::max(
        ranks, {}, [](const RankInfo& rank) { return static_cast<int>(rank.clock.quality); });
    return clockQualityName(worst.clock.quality);
}

std::uint64_t dataLoss(const RunAnalysis& run) {
    std::uint64_t count = 0;
    for (const ImportIssue& issue : run.store()->issues())
        count += issue.severity == IssueSeverity::DataLoss ? issue.count : 0;
    return count;
}

} // namespace

std::vector<RunFact> factsOf(const RunAnalysis& run) {
    const auto wanted = [&run](const char* id, std::string_view name) {
        const auto value = property(run, name);
        return RunFact{id, value, true, !value};
    };
    const auto talk = communication(run);
    return {{"ranks", std::to_string(run.store()->ranks().size()), true, false},
            {"devices", std::to_string(gpuCount(run)), true, false},
            {"device_kind", deviceKind(run), true, false},
            {"compute_rule", computeRule(run), true, false},
            {"step_rule", idOf(run.steps().rule), true, false},
            wanted("model", kModel),
            wanted("batch_per_gpu", kBatchPerGpu),
            wanted("precision", kPrecision),
            {"communication", talk, true, talk == "none"},
            {"clock", worstClock(run), false, false},
            {"data_loss", std::to_string(dataLoss(run)), false, false}};
}

std::vector<RunDifference> differencesOf(std::span<const std::vector<RunFact>> runs) {
    std::vector<RunDifference> differences;
    for (std::size_t fact = 0; !runs.empty() && fact < runs.front().size(); ++fact) {
        RunDifference difference;
        std::set<std::string> known;
        bool doubtful = false;
        for (const std::vector<RunFact>& run : runs) {
            difference.values.push_back(run[fact].value);
            doubtful = doubtful || run[fact].doubtful;
            if (run[fact].value)
                known.insert(*run[fact].value);
        }
        if (known.size() < 2 && !doubtful)
            continue;
        difference.id = runs.front()[fact].id;
        difference.decides = known.size() > 1 && runs.front()[fact].decides;
        differences.push_back(std::move(difference));
    }
    return differences;
}

bool comparable(std::span<const RunDifference> differences) {
    return std::ranges::none_of(differences, &RunDifference::decides);
}

std::size_t gpuCount(const RunAnalysis& run) {
    if (!hasAccelerators(run))
        return run.store()->ranks().size();
    std::set<std::size_t> ranks;
    std::set<std::size_t> ranksAtWork;
    std::size_t atWork = 0;
    const auto devices = run.activity().devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].isHost)
            continue;
        ranks.insert(devices[i].rankIndex);
        if (run.activity().busy(i)) {
            ++atWork;
            ranksAtWork.insert(devices[i].rankIndex);
        }
    }
    return atWork + ranks.size() - ranksAtWork.size();
}

std::optional<double> batchPerGpu(const RunAnalysis& run) {
    const auto text = property(run, kBatchPerGpu);
    if (!text)
        return std::nullopt;
    double batch = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), batch);
    const bool isNumber = error == std::errc() && end == text->data() + text->size();
    return isNumber && std::isfinite(batch) && batch > 0 ? std::optional(batch) : std::nullopt;
}

} // namespace ddp
