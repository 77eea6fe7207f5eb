// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/envelope.h"

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

} // namespace ddp::report
