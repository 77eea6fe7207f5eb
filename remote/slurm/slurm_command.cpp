// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/slurm_command.h"

#include "remote/slurm/slurm_text.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ddp::remote::slurm {

namespace {

// 10,000 nodes are 25 MB of JSON.
constexpr std::size_t kOutputLimit = 256u << 20;

bool containsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// The last line that says something: what comes before it are warnings and banners.
std::string lastLine(std::string_view text) {
    std::string last;
    for (const std::string_view line : lines(text))
        if (!trimmed(line).empty())
            last = trimmed(line);
    return last;
}

} // namespace

std::string shellLine(const SlurmCommand& command) {
    // Names of variables only, so nothing of their values is read by the shell.
    std::string line = "unset SLURM_TIME_FORMAT";
    line += " $(env | sed -n";
    for (const char* tool : {"SBATCH", "SQUEUE", "SINFO", "SACCT", "SCANCEL", "SCONTROL"})
        line += fmt::format(" -e 's/^\\({}_[A-Z0-9_]*\\)=.*/\\1/p'", tool);
    line += "); ";
    if (!command.environmentOfJob)
        line += "LC_ALL=C TZ=UTC0 SLURM_TIME_FORMAT=standard ";
    return line + shellCommand(command.words);
}

SlurmCommand forSite(const Site& site, std::vector<std::string> words) {
    if (!site.cluster.empty())
        words.insert(words.begin() + 1, "--clusters=" + site.cluster);
    return SlurmCommand{std::move(words)};
}

Result<CommandResult> runSlurm(Transport& transport, const SlurmCommand& command, std::stop_token stop) {
    Command run;
    run.shell = shellLine(command);
    run.input = command.input;
    run.deadline = command.deadline;
    run.outputLimit = kOutputLimit;
    auto result = transport.run(run, stop);
    if (result && result->truncated)
        return fail(
            ErrorCode::Failed,
            fmt::format("`{}` on {} printed more than {} MB, and the end of it is missing. Ask for less.",
                        command.words.front(), transport.host(), kOutputLimit >> 20));
    return result;
}

Error slurmError(const std::string& host, const SlurmCommand& command, const CommandResult& result) {
    const std::string& tool = command.words.front();
    std::string said = lastLine(result.err);
    if (said.empty())
        said = lastLine(result.out);
    if (result.exitCode == 127)
        return {ErrorCode::Failed,
                fmt::format("`{}` is not found on {}. Does Slurm need a login shell or a module there?", tool,
                            host)};
    if (containsAny(result.err,
                    {"Unable to contact slurm controller", "Socket timed out", "Rate limit exceeded",
                     "Zero Bytes were transmitted", "Connection refused", "Connection timed out",
                     "Unable to connect to database", "DBD_", "Transport endpoint is not connected"}))
        return {
            ErrorCode::Unreachable,
            fmt::format("The Slurm of {} does not answer (`{}`: {}). What is known of jobs and nodes stays "
                        "as it was; try again later.",
                        host, tool, said)};
    return {ErrorCode::Failed, fmt::format("`{}` failed on {} with exit code {}: {}", tool, host,
                                           result.exitCode, said.empty() ? "it printed nothing." : said)};
}

Error parseError(const std::string& host, const SlurmCommand& command, const Error& error) {
    return {error.code, fmt::format("The answer of `{}` on {} can not be used: {}", command.words.front(),
                                    host, error.message)};
}

Question<Version> versionQuestion() {
    return {SlurmCommand{{"sinfo", "--version"}}, parseVersion};
}

Result<Version> parseVersion(std::string_view out) {
    for (const std::string_view line : lines(out)) {
        const auto blank = line.find(' ');
        if (!line.starts_with("slurm") || blank == std::string_view::npos)
            continue;
        std::array<int, 3> parts{};
        std::string_view rest = line.substr(blank + 1);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parts[i]);
            if (error != std::errc())
                break;
            rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
            if (!rest.starts_with('.'))
                break;
            rest.remove_prefix(1);
        }
        if (parts[0] > 0)
            return Version{parts[0], parts[1], parts[2]};
    }
    return fail(ErrorCode::Unreadable, "no version of Slurm is in it.");
}

} // namespace ddp::remote::slurm
