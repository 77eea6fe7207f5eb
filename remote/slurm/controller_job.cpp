// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/hostlist.h"
#include "remote/slurm/queue.h"
#include "remote/slurm/slurm_text.h"

#include <fmt/format.h>

#include <map>

namespace ddp::remote::slurm {

namespace {

std::string_view userOf(std::string_view value) { // root(0)
    return value.substr(0, value.find('('));
}

} // namespace

SlurmCommand controllerCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scontrol", "show", "job", fmt::format("{}", id.number)});
}

Result<std::optional<JobRow>> askController(Transport& transport, const Site& site, const JobId& id,
                                            std::stop_token stop) {
    const SlurmCommand command = controllerCommand(site, id);
    auto result = runSlurm(transport, command, stop);
    if (!result)
        return forward(result);
    if (result->exitCode != 0) {
        if (result->err.find("Invalid job id") != std::string::npos)
            return std::optional<JobRow>();
        return tl::unexpected<Error>(slurmError(transport.host(), command, *result));
    }
    auto row = parseControllerJob(result->out);
    if (!row)
        return tl::unexpected<Error>(parseError(transport.host(), command, row.error()));
    row->id.cluster = id.cluster;
    return std::optional<JobRow>(std::move(*row));
}

Result<JobRow> parseControllerJob(std::string_view out) {
    // What people wrote takes the rest of its line, and only the first of a key counts.
    std::map<std::string_view, std::string_view> fields;
    int blocks = 0;
    visitBlocks(out, "JobId", {"JobName", "Comment", "AdminComment", "SystemComment", "Command", "WorkDir"},
                [&](bool starts, std::string_view key, std::string_view value) {
                    blocks += starts;
                    if (blocks == 1)
                        fields.emplace(key, value);
                });
    const auto value = [&](std::string_view key) { return orNothing(fields[key]); };
    const auto number = integer(value("JobId"));
    if (!number || *number <= 0 || !fields.contains("JobState"))
        return fail(ErrorCode::Unreadable, "no job with its state is in it.");
    auto nodes = expandHostlist(value("NodeList"));
    if (!nodes)
        return forward(nodes);
    JobRow row;
    row.id.number = static_cast<std::uint64_t>(*number);
    row.name = fields["JobName"];
    row.user = userOf(value("UserId"));
    row.partition = value("Partition");
    row.state = parseJobState(value("JobState"));
    row.reason = value("Reason");
    row.nodes = std::move(*nodes);
    row.submitted = utcTime(value("SubmitTime"));
    if (row.state != JobState::Pending)
        row.started = utcTime(value("StartTime"));
    row.timeLimit = timeLimit(value("TimeLimit"));
    if (isFinal(row.state)) {
        row.ended = utcTime(value("EndTime"));
        row.exit = parseExitCode(value("ExitCode"));
    }
    if (const auto restarts = integer(value("Restarts")))
        row.restarts = static_cast<int>(*restarts);
    return row;
}

} // namespace ddp::remote::slurm
