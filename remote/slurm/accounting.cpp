// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/accounting.h"

#include "remote/slurm/hostlist.h"
#include "remote/slurm/slurm_json.h"
#include "remote/slurm/slurm_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ddp::remote::slurm {

namespace {

constexpr Version kTrueJson{23, 2, 0};
// The name last: people choose it.
constexpr std::array kColumns{"JobIDRaw", "State",     "ExitCode", "Submit",    "Start",  "End",
                              "NodeList", "Partition", "User",     "Timelimit", "JobName"};

Result<JobRow> rowOf(const std::vector<std::string_view>& part, std::uint64_t number) {
    auto nodes = part[6] == "None assigned" ? std::vector<std::string>() : expandHostlist(part[6]);
    if (!nodes)
        return forward(nodes);
    JobRow row;
    row.id.number = number;
    row.state = parseJobState(part[1]);
    constexpr std::string_view kBy = "CANCELLED by ";
    if (part[1].starts_with(kBy))
        row.cancelledBy = part[1].substr(kBy.size());
    if (isFinal(row.state))
        row.exit = parseExitCode(part[2]);
    row.submitted = utcTime(part[3]);
    row.started = utcTime(part[4]);
    row.ended = utcTime(part[5]);
    row.nodes = std::move(*nodes);
    row.partition = part[7];
    row.user = part[8];
    row.timeLimit = timeLimit(part[9]);
    row.name = part[10];
    return row;
}

JobStep stepOf(const std::vector<std::string_view>& part, std::string_view id) {
    JobStep step{std::string(id), std::string(part[10]), parseJobState(part[1]), std::nullopt};
    if (isFinal(step.state))
        step.exit = parseExitCode(part[2]);
    return step;
}

std::optional<ExitCode> exitCodeOf(const JsonObject& object, JobState state) {
    const auto parts = jsonObject(object, "exit_code");
    if (!parts || !isFinal(state))
        return std::nullopt;
    ExitCode code{static_cast<int>(jsonNumber(*parts, "return_code").value_or(0)), 0};
    if (const auto signal = jsonObject(*parts, "signal")) {
        const auto number = jsonNumber(*signal, "id");
        code.signal = static_cast<int>(number ? *number : jsonNumber(*signal, "signal_id").value_or(0));
    }
    // 22.05 says success and 0 of jobs that failed.
    if (code == ExitCode{} && state == JobState::Failed)
        return std::nullopt;
    return code;
}

/// The list `current` from 23.11 on, a word before; steps have the word alone before.
JobState stateOf(const JsonObject& object) {
    if (const auto parts = jsonObject(object, "state"))
        return parseJobState(jsonText(*parts, "current"));
    return parseJobState(jsonText(object, "state"));
}

JobStep stepOf(const JsonObject& object) {
    JobStep step;
    if (const auto parts = jsonObject(object, "step")) {
        step.name = jsonText(*parts, "name");
        step.id = jsonText(*parts, "id");
        if (const auto number = jsonNumber(*parts, "id"))
            step.id = fmt::format("{}", *number);
        // "12.batch" from 23.02 on.
        if (const auto dot = step.id.find('.'); dot != std::string::npos)
            step.id.erase(0, dot + 1);
    }
    step.state = stateOf(object);
    step.exit = exitCodeOf(object, step.state);
    return step;
}

Result<JobRow> rowOf(const JsonObject& object) {
    JobRow row;
    row.id.number = static_cast<std::uint64_t>(jsonNumber(object, "job_id").value_or(0));
    row.state = stateOf(object);
    const std::string list = jsonText(object, "nodes");
    auto nodes = list == "None assigned" ? std::vector<std::string>() : expandHostlist(list);
    if (!nodes)
        return forward(nodes);
    row.nodes = std::move(*nodes);
    row.exit = exitCodeOf(object, row.state);
    if (row.state == JobState::Cancelled)
        row.cancelledBy = jsonText(object, "kill_request_user");
    row.partition = jsonText(object, "partition");
    row.user = jsonText(object, "user");
    row.name = jsonText(object, "name");
    if (const auto restarts = jsonNumber(object, "restart_cnt"))
        row.restarts = static_cast<int>(*restarts);
    if (const auto time = jsonObject(object, "time")) {
        row.submitted = jsonTime(*time, "submission");
        row.started = jsonTime(*time, "start");
        row.ended = jsonTime(*time, "end");
        row.timeLimit = jsonMinutes(*time, "limit");
    }
    simdjson::dom::array steps;
    if (!object["steps"].get(steps))
        for (const simdjson::dom::element element : steps)
            if (JsonObject step; !element.get(step))
                row.steps.push_back(stepOf(step));
    return row;
}

Question<std::vector<JobRow>> question(const Site& site, std::vector<std::string> words) {
    if (site.version >= kTrueJson) {
        words.emplace_back("--json");
        return {forSite(site, std::move(words)), parseAccountingJson};
    }
    std::string format;
    for (const char* column : kColumns)
        format += (format.empty() ? "--format=" : ",") + std::string(column);
    words.insert(words.end(),
                 {"--noheader", "--parsable2", std::string("--delimiter=") + kSeparator, format});
    return {forSite(site, std::move(words)), parseAccountingText};
}

} // namespace

Question<std::vector<JobRow>> accountingQuestion(const Site& site, const std::vector<JobId>& ids) {
    std::string list;
    for (const JobId& id : ids)
        list += fmt::format("{}{}", list.empty() ? "" : ",", id.number);
    return question(site, {"sacct", "--jobs=" + list});
}

Question<std::vector<JobRow>> accountingByNameQuestion(const Site& site, const std::string& name,
                                                       std::int64_t since) {
    // The command is asked in UTC, so its times are given in UTC too.
    const auto begin = fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(since)));
    auto asked = question(site, {"sacct", "--name=" + name, "--starttime=" + begin});
    const auto parse = asked.parse;
    asked.parse = [parse, name](std::string_view out) {
        auto rows = parse(out);
        if (rows)
            std::erase_if(*rows, [&](const JobRow& row) { return row.name != name; });
        return rows;
    };
    return asked;
}

Result<Accounting> askAccounting(Transport& transport, const Question<std::vector<JobRow>>& question,
                                 std::stop_token stop) {
    auto result = runSlurm(transport, question.command, stop);
    if (!result)
        return forward(result);
    if (result->err.find("accounting storage is disabled") != std::string::npos)
        return Accounting{false, {}};
    if (result->exitCode != 0)
        return tl::unexpected<Error>(slurmError(transport.host(), question.command, *result));
    auto jobs = question.parse(result->out);
    if (!jobs)
        return tl::unexpected<Error>(parseError(transport.host(), question.command, jobs.error()));
    return Accounting{true, std::move(*jobs)};
}

Result<std::vector<JobRow>> parseAccountingText(std::string_view out) {
    std::vector<JobRow> rows;
    for (const std::string_view line : lines(out)) {
        if (line.find(kSeparator) == std::string_view::npos)
            continue; // a banner of a wrapper
        const auto part = split(line, kSeparator, kColumns.size());
        const auto dot = part.front().find('.');
        const auto number = integer(part.front().substr(0, dot));
        if (part.size() != kColumns.size() || !number || *number <= 0)
            return fail(ErrorCode::Unreadable,
                        fmt::format("the line `{}` of sacct is not complete.", line.substr(0, 200)));
        if (dot != std::string_view::npos) {
            if (!rows.empty() && rows.back().id.number == static_cast<std::uint64_t>(*number))
                rows.back().steps.push_back(stepOf(part, part.front().substr(dot + 1)));
            continue;
        }
        auto row = rowOf(part, static_cast<std::uint64_t>(*number));
        if (!row)
            return forward(row);
        rows.push_back(std::move(*row));
    }
    return rows;
}

Result<std::vector<JobRow>> parseAccountingJson(std::string_view out) {
    return jsonRows<JobRow>(out, "jobs", rowOf);
}

} // namespace ddp::remote::slurm
