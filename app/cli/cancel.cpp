// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_options.h"
#include "app/cli/outcome.h"
#include "app/cli/watch.h"
#include "app/exit_code.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace ddp::cli {

namespace {

struct Given : JobOptions {
    bool dryRun = false;
};

int run(const Given& given, std::stop_token stop) {
    auto program = JobProgram::open(given.batch, stop);
    if (!program)
        return report(program.error());
    auto jobs = program->named(given.ids);
    if (!jobs)
        return report(jobs.error());
    for (const remote::JobRecord& job : *jobs) {
        auto site = program->on(job.cluster);
        if (!site)
            return report(site.error());
        auto plan = (*site)->jobs->cancelPlan(*(*site)->transport, job, stop);
        if (!plan)
            return report(plan.error());
        fmt::print(stderr, "{}\n", *plan);
        if (given.dryRun)
            continue;
        if (auto marked = (*site)->jobs->cancel(job.id); !marked)
            return report(marked.error());
    }
    if (given.dryRun)
        return 0;
    jobs = followToEnd(*program, given.ids, given);
    if (!jobs)
        return report(jobs.error());
    if (given.json)
        fmt::print("{}", report::jsonText(jobsJson("cancel", *jobs)));
    // What they were judged is not what was asked here.
    const bool over =
        std::all_of(jobs->begin(), jobs->end(), [](const auto& job) { return remote::isFinal(job.state); });
    return over ? 0 : app::exitCodeOf(ErrorCode::Timeout);
}

} // namespace

void addCancel(CLI::App& app, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb = app.add_subcommand("cancel", "Cancel jobs gently, tell what is done to them, and wait for "
                                              "their end; their files are pulled all the same");
    addIds(*verb, *given, true);
    verb->add_flag("--dry-run", given->dryRun, "Only tell what it would do");
    addDeadline(*verb, *given);
    addBatch(*verb, *given);
    addJson(*verb, *given);
    verb->callback([given, &outcome] { outcome.exitCode = run(*given, outcome.stop.get_token()); });
}

} // namespace ddp::cli
