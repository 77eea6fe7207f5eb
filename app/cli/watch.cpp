// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/watch.h"

#include "app/cli/outcome.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace ddp::cli {

namespace {

int run(const JobOptions& options, std::stop_token stop) {
    auto program = JobProgram::open(options.batch, std::move(stop));
    if (!program)
        return report(program.error());
    program->mostInQueue = options.mostInQueue;
    std::vector<std::string> ids = options.ids;
    if (ids.empty()) {
        auto jobs = program->book().all();
        if (!jobs)
            return report(jobs.error());
        for (const remote::JobRecord& job : *jobs)
            if (!remote::isFinal(job.state))
                ids.push_back(job.id);
    }
    const auto jobs = followToEnd(*program, ids, options);
    if (!jobs)
        return report(jobs.error());
    if (options.json)
        fmt::print("{}", report::jsonText(jobsJson("watch", *jobs)));
    return exitCodeOf(*jobs);
}

} // namespace

Result<std::vector<remote::JobRecord>> followToEnd(JobProgram& program, const std::vector<std::string>& ids,
                                                   const JobOptions& options) {
    auto named = program.named(ids);
    if (!named)
        return forward(named);
    // What a wrong name or a password would be needed for is said at once, not waited for.
    for (const remote::JobRecord& job : *named) {
        if (remote::isFinal(job.state))
            continue;
        if (auto site = program.on(job.cluster); !site)
            return forward(site);
    }
    std::FILE* live = options.json ? stderr : stdout;
    const auto tell = [live](const remote::JobRecord& job) {
        fmt::print(live, "{}", jobLine(job));
        std::fflush(live);
    };
    std::optional<std::chrono::seconds> deadline;
    if (options.deadlineSeconds > 0)
        deadline =
            std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double>(options.deadlineSeconds));
    return program.follow(
        ids, deadline, [](const remote::JobRecord& job) { return remote::isFinal(job.state); }, tell);
}

void addWatch(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<JobOptions>();
    auto* verb = app.add_subcommand(
        "watch",
        "Move jobs on until they are judged, with a line for every change; exit 0 all PASS, 1 a FAIL, "
        "2 an INCONCLUSIVE, 70 one could not be submitted, 75 the deadline passed");
    addIds(*verb, *options, false);
    addDeadline(*verb, *options);
    addMost(*verb, *options);
    addBatch(*verb, *options);
    addJson(*verb, *options);
    verb->footer("Without a JOB: all that are not over. It can be stopped and started again at any time.");
    verb->callback([options, &outcome] { outcome.exitCode = run(*options, outcome.stop.get_token()); });
}

} // namespace ddp::cli
