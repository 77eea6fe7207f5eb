// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_options.h"
#include "app/cli/job_program.h"
#include "app/cli/job_report.h"
#include "app/cli/outcome.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

struct Given : JobOptions {
    bool open = false;
};

int run(const Given& given, std::stop_token stop) {
    auto program = JobProgram::open(true, std::move(stop));
    if (!program)
        return report(program.error());
    auto jobs = given.cluster.empty() ? program->book().all() : program->book().forCluster(given.cluster);
    if (!jobs)
        return report(jobs.error());
    if (given.open)
        std::erase_if(*jobs, [](const remote::JobRecord& job) { return remote::isFinal(job.state); });
    if (given.json)
        fmt::print("{}", report::jsonText(jobsJson("jobs", *jobs)));
    else if (jobs->empty())
        fmt::print("No jobs.\n");
    else
        fmt::print("{}", jobTable(*jobs));
    return 0;
}

} // namespace

void addJobs(CLI::App& app, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb = app.add_subcommand("jobs", "List the jobs on all clusters, as they were last known; asks no "
                                            "cluster (`watch` does)");
    verb->add_option("--cluster", given->cluster, "Only those of this cluster");
    verb->add_flag("--open", given->open, "Only those that are not over");
    addJson(*verb, *given);
    verb->callback([given, &outcome] { outcome.exitCode = run(*given, outcome.stop.get_token()); });
}

} // namespace ddp::cli
