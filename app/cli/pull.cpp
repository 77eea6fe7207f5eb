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

int run(const JobOptions& options, std::stop_token stop) {
    auto program = JobProgram::open(options.batch, stop);
    if (!program)
        return report(program.error());
    auto jobs = program->named(options.ids);
    if (!jobs)
        return report(jobs.error());
    for (remote::JobRecord& job : *jobs) {
        auto cluster = program->cluster(job.cluster);
        if (!cluster)
            return report(cluster.error());
        auto site = program->on(*cluster);
        if (!site)
            return report(site.error());
        auto pulled = (*site)->jobs->pull(*(*site)->transport, job.id, stop);
        if (!pulled)
            return report(pulled.error());
        job = std::move(*pulled);
        if (!options.json)
            fmt::print("{}  {}\n", job.runFolder.string(), jobStatus(job));
    }
    if (options.json)
        fmt::print("{}", report::jsonText(jobsJson("pull", *jobs)));
    return 0;
}

} // namespace

void addPull(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<JobOptions>();
    auto* verb =
        app.add_subcommand("pull", "Pull what jobs have written by now, also of those that run; those "
                                   "that were judged are judged again");
    addIds(*verb, *options, true);
    addBatch(*verb, *options);
    addJson(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = run(*options, outcome.stop.get_token()); });
}

} // namespace ddp::cli
