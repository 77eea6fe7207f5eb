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
    double gibibytes = 64;
    std::uint64_t files = remote::CopyLimits().entries;
};

int run(const Given& options, std::stop_token stop) {
    remote::CopyLimits limits;
    limits.bytes = static_cast<std::uint64_t>(options.gibibytes * (1u << 30));
    limits.entries = options.files;
    auto program = JobProgram::open(options.batch, stop);
    if (!program)
        return report(program.error());
    auto jobs = program->named(options.ids);
    if (!jobs)
        return report(jobs.error());
    for (remote::JobRecord& job : *jobs) {
        auto site = program->on(job.cluster);
        if (!site)
            return report(site.error());
        auto pulled = (*site)->jobs->pull(*(*site)->transport, job.id, limits, stop);
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
    auto options = std::make_shared<Given>();
    auto* verb =
        app.add_subcommand("pull", "Pull what jobs have written by now, also of those that run; those "
                                   "that were judged are judged again");
    addIds(*verb, *options, true);
    verb->add_option("--max-size", options->gibibytes, "In GiB; what is larger is not pulled")
        ->check(CLI::Range(0.001, 1e6))
        ->capture_default_str();
    verb->add_option("--max-files", options->files, "Nor what has more files and folders than that")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    addBatch(*verb, *options);
    addJson(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = run(*options, outcome.stop.get_token()); });
}

} // namespace ddp::cli
