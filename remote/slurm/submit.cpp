// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/submit.h"

#include "remote/slurm/accounting.h"
#include "remote/slurm/queue.h"
#include "remote/slurm/slurm_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace ddp::remote::slurm {

namespace {

std::optional<JobId> plainId(std::string_view line) {
    const auto semicolon = line.find(';');
    const auto number = integer(line.substr(0, semicolon));
    if (!number || *number <= 0)
        return std::nullopt;
    const std::string_view cluster =
        semicolon == std::string_view::npos ? std::string_view() : line.substr(semicolon + 1);
    if (semicolon != std::string_view::npos &&
        (cluster.empty() || cluster.find(' ') != std::string_view::npos))
        return std::nullopt;
    return JobId{static_cast<std::uint64_t>(*number), std::string(cluster)};
}

/// `Submitted batch job 12` and `Submitted batch job 12 on cluster big`
std::optional<JobId> idOfSentence(std::string_view line) {
    constexpr std::string_view kSentence = "ubmitted batch job ";
    constexpr std::string_view kOn = "on cluster ";
    const auto at = line.find(kSentence);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = line.substr(at + kSentence.size());
    const auto blank = rest.find(' ');
    auto id = plainId(rest.substr(0, blank));
    if (id && blank != std::string_view::npos && rest.substr(blank + 1).starts_with(kOn))
        id->cluster = trimmed(rest.substr(blank + 1 + kOn.size()));
    return id;
}

std::vector<std::string_view> spokenLines(std::string_view out) {
    std::vector<std::string_view> spoken;
    for (const std::string_view line : lines(out))
        if (!trimmed(line).empty())
            spoken.push_back(trimmed(line));
    return spoken;
}

bool refusesParsable(const CommandResult& result) {
    return result.exitCode != 0 && (result.err + result.out).find("parsable") != std::string::npos;
}

std::optional<JobId> newestOf(const std::vector<JobRow>& rows) {
    const auto newest = std::max_element(
        rows.begin(), rows.end(), [](const JobRow& a, const JobRow& b) { return a.id.number < b.id.number; });
    return newest == rows.end() ? std::nullopt : std::optional(newest->id);
}

} // namespace

SlurmCommand submitCommand(const Site& site, const Submission& submission, bool parsable) {
    std::vector<std::string> words{"sbatch"};
    if (parsable)
        words.emplace_back("--parsable");
    words.push_back("--job-name=" + submission.name);
    words.push_back("--chdir=" + submission.folder);
    words.insert(words.end(), submission.options.begin(), submission.options.end());
    words.push_back(submission.script);
    SlurmCommand command = forSite(site, std::move(words));
    command.environmentOfJob = true;
    command.deadline =
        std::chrono::seconds(60); // a busy controller answers late, and a second try costs more
    return command;
}

std::optional<JobId> findJobId(std::string_view out) {
    const auto spoken = spokenLines(out);
    for (const std::string_view line : spoken)
        if (auto id = idOfSentence(line))
            return id;
    // Beside other lines a number may be anything: hours that are left, a message of the day.
    return spoken.size() == 1 ? plainId(spoken.front()) : std::nullopt;
}

Result<JobId> submitJob(Transport& transport, const Site& site, const Submission& submission,
                        std::stop_token stop) {
    SlurmCommand command = submitCommand(site, submission, true);
    auto result = runSlurm(transport, command, stop);
    if (result && refusesParsable(*result)) {
        // A wrapper that knows no --parsable; whether it did nothing at all is not its to say.
        auto found = findJobByName(transport, site, submission.name, std::time(nullptr) - 3600, stop);
        if (!found)
            return forward(found);
        if (*found)
            return **found;
        command = submitCommand(site, submission, false);
        result = runSlurm(transport, command, stop);
    }
    if (!result)
        return forward(result);
    if (result->exitCode != 0)
        return tl::unexpected<Error>(slurmError(transport.host(), command, *result));
    if (auto id = findJobId(result->out))
        return *id;
    auto found = findJobByName(transport, site, submission.name, std::time(nullptr) - 3600, stop);
    if (!found)
        return forward(found);
    if (*found)
        return **found;
    return fail(
        ErrorCode::Failed,
        fmt::format("sbatch on {} reported success for the job {}, but gave no id, and the queue has no job "
                    "of this name. It printed: {}",
                    transport.host(), submission.name, trimmed(result->out).substr(0, 300)));
}

Result<std::optional<JobId>> findJobByName(Transport& transport, const Site& site, const std::string& name,
                                           std::int64_t since, std::stop_token stop) {
    auto queued = ask(transport, queueByNameQuestion(site, name), stop);
    if (!queued)
        return forward(queued);
    if (const auto id = newestOf(*queued))
        return id;
    auto accounts = askAccounting(transport, accountingByNameQuestion(site, name, since), stop);
    if (!accounts)
        return forward(accounts);
    return newestOf(accounts->jobs);
}

} // namespace ddp::remote::slurm
