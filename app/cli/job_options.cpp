// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_options.h"

#include <CLI/CLI.hpp>

namespace ddp::cli {

void addJson(CLI::App& verb, JobOptions& options) {
    verb.add_flag("--json", options.json, "Print one JSON object; what happens meanwhile goes to stderr");
}

void addBatch(CLI::App& verb, JobOptions& options) {
    verb.add_flag("--batch", options.batch, "Ask nothing: fail where a password or a code would be needed");
}

void addCluster(CLI::App& verb, JobOptions& options) {
    verb.add_option("--cluster", options.cluster, "The cluster; not needed where there is only one");
}

void addDeadline(CLI::App& verb, JobOptions& options) {
    verb.add_option("--deadline", options.deadlineSeconds,
                    "Seconds to wait at most; then exit 75, and the jobs go on")
        ->check(CLI::PositiveNumber);
}

void addMost(CLI::App& verb, JobOptions& options) {
    verb.add_option("--most", options.mostInQueue, "How many jobs may be in the queue of a cluster at a time")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
}

void addIds(CLI::App& verb, JobOptions& options, bool required) {
    verb.add_option("JOB", options.ids, "Jobs by their names, as `jobs` lists them")->required(required);
}

} // namespace ddp::cli
