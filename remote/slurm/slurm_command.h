// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/transport.h"

#include <chrono>
#include <compare>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote::slurm {

/// A release of Slurm: 22.05.8.
struct Version {
    int major = 0;
    int minor = 0;
    int micro = 0;
    auto operator<=>(const Version&) const = default;
};

/// How a cluster is spoken to.
struct Site {
    Version version;     ///< of its commands; 0.0.0 while unknown, which asks in text only
    std::string cluster; ///< for `--clusters`; empty is the one that the commands speak to by themselves
};

/// One command of Slurm as words. A word is data: no shell of the other side reads anything in it.
struct SlurmCommand {
    std::vector<std::string> words;
    std::string input{};
    std::chrono::milliseconds deadline = std::chrono::seconds(30);
    /// sbatch hands its environment to the job, so that one stays as the user has it. All others are asked
    /// for times in UTC and words in English.
    bool environmentOfJob = false;
};

/// A command and how its answer is read. `parse` takes stdout; its errors do not name the host yet.
template <class T>
struct Question {
    SlurmCommand command;
    std::function<Result<T>(std::string_view out)> parse;
};

/// The line for the POSIX shell of the other side: settings of the user that change what is printed are
/// unset.
std::string shellLine(const SlurmCommand& command);

/// Adds `--clusters` where the site names one.
SlurmCommand forSite(const Site& site, std::vector<std::string> words);

/// Runs the command. Every exit code is a result; an answer that was cut off is an error.
Result<CommandResult> runSlurm(Transport& transport, const SlurmCommand& command, std::stop_token stop);

/// What a failed command says, in one sentence. Unreachable: the controller or the database does not answer,
/// nothing is known about any job or node. Failed: everything else.
Error slurmError(const std::string& host, const SlurmCommand& command, const CommandResult& result);

/// The error of a parser, with the command and the host in it.
Error parseError(const std::string& host, const SlurmCommand& command, const Error& error);

/// Asks once, blocking. An error says nothing about the jobs and nodes that were asked for.
template <class T>
Result<T> ask(Transport& transport, const Question<T>& question, std::stop_token stop) {
    auto result = runSlurm(transport, question.command, stop);
    if (!result)
        return forward(result);
    // With --json the reason of a failure is in the answer, not on stderr.
    const bool silent = result->err.find_first_not_of(" \n") == std::string::npos;
    if (result->exitCode != 0 && !(silent && result->out.find("\"errors\"") != std::string::npos))
        return tl::unexpected<Error>(slurmError(transport.host(), question.command, *result));
    auto value = question.parse(result->out);
    if (!value)
        return tl::unexpected<Error>(parseError(transport.host(), question.command, value.error()));
    if (result->exitCode != 0)
        return tl::unexpected<Error>(slurmError(transport.host(), question.command, *result));
    return value;
}

/// "slurm 22.05.8", "slurm-wlm 23.11.4"
Question<Version> versionQuestion();
Result<Version> parseVersion(std::string_view out);

} // namespace ddp::remote::slurm
