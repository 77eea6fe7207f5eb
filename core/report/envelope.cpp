// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/envelope.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ddp::report {

namespace {

const char* severityName(IssueSeverity severity) {
    switch (severity) {
    case IssueSeverity::DataLoss:
        return "data_loss";
    case IssueSeverity::Warning:
        return "warning";
    case IssueSeverity::Info:
        return "info";
    }
    return "warning";
}

} // namespace

nlohmann::ordered_json envelope(std::string_view verb) {
    return {{"tool", "ddpscope"}, {"version", DDP_VERSION}, {"verb", verb}};
}

nlohmann::ordered_json issuesJson(std::span<const ImportIssue> issues) {
    auto rows = nlohmann::ordered_json::array();
    for (const ImportIssue& issue : issues) {
        rows.push_back({{"name", issue.name},
                        {"severity", severityName(issue.severity)},
                        {"count", issue.count},
                        {"rank", nullptr},
                        {"location", nullptr},
                        {"sentence", issue.sentence}});
        if (issue.rank)
            rows.back()["rank"] = *issue.rank;
        if (issue.location)
            rows.back()["location"] = *issue.location;
    }
    return rows;
}

std::string jsonText(const nlohmann::ordered_json& answer) {
    return answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string dataLossSentence(std::span<const ImportIssue> issues) {
    std::map<std::string, std::uint64_t> lost;
    for (const ImportIssue& issue : issues)
        if (issue.severity == IssueSeverity::DataLoss)
            lost[issue.name] += issue.count;
    if (lost.empty())
        return {};
    std::string list;
    for (const auto& [name, count] : lost)
        list += fmt::format("{}{} x{}", list.empty() ? "" : ", ", name, count);
    return fmt::format("part of the trace could not be read ({}), so that numbers may be too small; "
                       "ddpscope-cli info says what is missing.",
                       list);
}

} // namespace ddp::report
