// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/run_differences.h"

#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace ddp::report {

namespace {

struct Words {
    std::string_view id;
    std::string_view name;
    std::string_view meaning; // why it matters, or what to do
};

constexpr Words kWords[] = {
    {"ranks", "number of ranks", "more ranks communicate more"},
    {"devices", "number of devices", "more devices communicate more"},
    {"device_kind", "kind of device", "host threads and accelerators are accounted by different rules"},
    {"compute_rule", "class rule that tells compute work", "compute times mean different things"},
    {"step_rule", "rule that marks a step", "steps may begin and end at different places"},
    {"model", "model", "times of different models say nothing about each other"},
    {"batch_per_gpu", "batch per GPU", "a step does different work"},
    {"precision", "precision", "kernels and messages differ"},
    {"clock", "quality of the clocks", "times of a device do not depend on it, waits do"},
    {"data_loss", "amount of lost data", "numbers may be too small; ddpscope-cli info says what is missing"},
};

Words wordsOf(std::string_view id) {
    const auto* found = std::ranges::find(kWords, id, &Words::id);
    return found == std::end(kWords) ? Words{id, id, ""} : *found;
}

// Not a silent 0.
std::string noCommunication(const RunDifference& difference, std::span<const std::string> runs) {
    std::string list;
    for (std::size_t i = 0; i < difference.values.size() && i < runs.size(); ++i)
        if (difference.values[i] == "none")
            list += (list.empty() ? "" : ", ") + shown(runs[i]);
    return fmt::format("No communication was found in {}, though more than one rank took part: it was not "
                       "recorded, or no class rule knows it. 0 says nothing there.",
                       list);
}

} // namespace

std::string differenceSentence(const RunDifference& difference, std::span<const std::string> runs) {
    if (difference.id == "communication")
        return noCommunication(difference, runs);
    const Words words = wordsOf(difference.id);
    const auto& values = difference.values;
    const auto told = [](const std::optional<std::string>& value) { return value.has_value(); };
    if (std::ranges::none_of(values, told))
        return fmt::format("The {} is not known; it is taken as equal.", words.name);
    std::string list;
    for (std::size_t i = 0; i < values.size() && i < runs.size(); ++i)
        list += fmt::format("{}{} in {}", i == 0 ? "" : ", ", values[i] ? shown(*values[i]) : "not known",
                            shown(runs[i]));
    const auto known = std::ranges::find_if(values, told);
    const bool differs =
        std::ranges::any_of(values, [&](const auto& value) { return value && value != *known; });
    if (!differs)
        return fmt::format("The {} is not known of all runs ({}); it is taken as equal.", words.name, list);
    return fmt::format("The {} differs ({}): {}.", words.name, list, words.meaning);
}

std::string differencesText(std::span<const RunDifference> differences, std::span<const std::string> runs) {
    std::string text;
    for (const bool decides : {true, false})
        for (const RunDifference& difference : differences)
            if (difference.decides == decides)
                text += fmt::format(
                    "{}{}\n", decides ? "not comparable: " : "note: ", differenceSentence(difference, runs));
    return text;
}

Json issuesOfRuns(std::span<const TraceStore* const> stores, std::span<const std::string> runs) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < stores.size(); ++i)
        for (Json& row : issuesJson(stores[i]->issues())) {
            row["run"] = runs[i];
            rows.push_back(std::move(row));
        }
    return rows;
}

} // namespace ddp::report
