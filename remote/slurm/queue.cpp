// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/queue.h"

#include "remote/slurm/hostlist.h"
#include "remote/slurm/slurm_json.h"
#include "remote/slurm/slurm_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ddp::remote::slurm {

namespace {

constexpr Version kFilteredJson{23, 2, 0};
// Number, state, reason, nodes, partition, submitted, start, end, limit, user, and the name last: people
// choose it.
constexpr std::array kColumns{"%A", "%T", "%r", "%N", "%P", "%V", "%S", "%e", "%l", "%u", "%j"};

std::string columns() {
    std::string format;
    for (const char* column : kColumns) {
        if (!format.empty())
            format += kSeparator;
        format += column;
    }
    return format;
}

/// squeue gives the expected times of jobs that wait or run; only what has happened is kept.
void keepPast(JobRow& row) {
    if (row.state == JobState::Pending)
        row.started.reset();
    if (!isFinal(row.state))
        row.ended.reset();
}

Result<JobRow> rowOf(std::string_view line) {
    const auto part = split(line, kSeparator, kColumns.size());
    const auto number = integer(part.front());
    if (part.size() != kColumns.size() || !number || *number <= 0)
        return fail(ErrorCode::Unreadable,
                    fmt::format("the line `{}` of squeue is not complete.", line.substr(0, 200)));
    auto nodes = expandHostlist(part[3]);
    if (!nodes)
        return forward(nodes);
    JobRow row;
    row.id.number = static_cast<std::uint64_t>(*number);
    row.state = parseJobState(part[1]);
    row.reason = orNothing(part[2]);
    row.nodes = std::move(*nodes);
    row.partition = part[4];
    row.submitted = utcTime(part[5]);
    row.started = utcTime(part[6]);
    row.ended = utcTime(part[7]);
    row.timeLimit = timeLimit(part[8]);
    row.user = part[9];
    row.name = part[10];
    keepPast(row);
    return row;
}

/// A plain wait status before 23.11, an object from then on.
std::optional<ExitCode> exitCodeOf(const JsonObject& object) {
    if (const auto parts = jsonObject(object, "exit_code"); parts && jsonObject(*parts, "return_code")) {
        ExitCode code{static_cast<int>(jsonNumber(*parts, "return_code").value_or(0)), 0};
        if (const auto signal = jsonObject(*parts, "signal"))
            code.signal = static_cast<int>(jsonNumber(*signal, "id").value_or(0));
        return code;
    }
    if (const auto status = jsonNumber(object, "exit_code"))
        return ExitCode{static_cast<int>(*status >> 8 & 0xff), static_cast<int>(*status & 0x7f)};
    return std::nullopt;
}

Result<JobRow> rowOf(const JsonObject& object) {
    JobRow row;
    row.id.number = static_cast<std::uint64_t>(jsonNumber(object, "job_id").value_or(0));
    row.state = parseJobState(jsonText(object, "job_state"));
    row.reason = jsonText(object, "state_description");
    if (row.reason.empty())
        row.reason = orNothing(jsonText(object, "state_reason"));
    auto nodes = expandHostlist(jsonText(object, "nodes"));
    if (!nodes)
        return forward(nodes);
    row.nodes = std::move(*nodes);
    row.partition = jsonText(object, "partition");
    row.submitted = jsonTime(object, "submit_time");
    row.started = jsonTime(object, "start_time");
    row.ended = jsonTime(object, "end_time");
    row.timeLimit = jsonMinutes(object, "time_limit");
    row.user = jsonText(object, "user_name");
    row.name = jsonText(object, "name");
    if (isFinal(row.state))
        row.exit = exitCodeOf(object);
    if (const auto restarts = jsonNumber(object, "restart_cnt"))
        row.restarts = static_cast<int>(*restarts);
    keepPast(row);
    return row;
}

template <class Keep>
std::function<Result<std::vector<JobRow>>(std::string_view)>
filtered(Result<std::vector<JobRow>> (*parse)(std::string_view), Keep keep) {
    return [parse, keep](std::string_view out) {
        auto rows = parse(out);
        if (rows)
            std::erase_if(*rows, [&](const JobRow& row) { return !keep(row); });
        return rows;
    };
}

struct Form {
    SlurmCommand command;
    Result<std::vector<JobRow>> (*parse)(std::string_view);
};

Form form(const Site& site, std::vector<std::string> filter) {
    const bool json = site.version >= kFilteredJson;
    std::vector<std::string> words{"squeue", "--states=all"};
    words.insert(words.end(), filter.begin(), filter.end());
    if (json)
        words.emplace_back("--json");
    else
        words.insert(words.end(), {"--noheader", "--format=" + columns()});
    return {forSite(site, std::move(words)), json ? parseQueueJson : parseQueueText};
}

} // namespace

Site siteOf(const Site& site, const JobId& id) {
    return id.cluster.empty() ? site : Site{site.version, id.cluster};
}

Question<std::vector<JobRow>> queueQuestion(const Site& site, const std::vector<JobId>& ids) {
    std::string list;
    for (const JobId& id : ids)
        list += fmt::format("{}{}", list.empty() ? "" : ",", id.number);
    // One id that is gone is an error to squeue, two that are gone are not.
    if (ids.size() == 1)
        list += "," + list;
    const Form asked = form(site, {"--jobs=" + list});
    return {asked.command, filtered(asked.parse, [ids](const JobRow& row) {
                return std::any_of(ids.begin(), ids.end(),
                                   [&](const JobId& id) { return id.number == row.id.number; });
            })};
}

Question<std::vector<JobRow>> queueByNameQuestion(const Site& site, const std::string& name) {
    const Form asked = form(site, {"--me", "--name=" + name});
    return {asked.command, filtered(asked.parse, [name](const JobRow& row) { return row.name == name; })};
}

Question<std::vector<JobRow>> runningQueueQuestion(const Site& site) {
    const Form asked = form(site, {});
    return {asked.command, filtered(asked.parse, [](const JobRow& row) {
                return !isFinal(row.state) && !row.nodes.empty();
            })};
}

Question<std::vector<JobRow>> ownQueueQuestion(const Site& site) {
    const Form asked = form(site, {"--me"});
    return {asked.command, asked.parse};
}

Result<std::vector<JobRow>> parseQueueText(std::string_view out) {
    std::vector<JobRow> rows;
    for (const std::string_view line : lines(out)) {
        // A banner of a wrapper, or squeue's "CLUSTER: name".
        if (line.find(kSeparator) == std::string_view::npos)
            continue;
        auto row = rowOf(line);
        if (!row)
            return forward(row);
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<std::vector<JobRow>> parseQueueJson(std::string_view out) {
    return jsonRows<JobRow>(out, "jobs", rowOf);
}

} // namespace ddp::remote::slurm
