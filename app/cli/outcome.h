// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <stop_token>

namespace CLI {
class App;
}

namespace ddp::cli {

/// What a verb leaves behind for main(), and the stop that Ctrl+C requests.
struct Outcome {
    int exitCode = 0;
    std::stop_source stop;
};

/// One line on stderr; gives the exit code that architecture.md fixes for this kind of error.
int report(const Error& error);

// Each adds its verb to the command line; the verb runs when it was chosen.
void addInfo(CLI::App& app, Outcome& outcome);
void addProfile(CLI::App& app, Outcome& outcome);
void addOverlap(CLI::App& app, Outcome& outcome);
void addSteps(CLI::App& app, Outcome& outcome);
void addCollectives(CLI::App& app, Outcome& outcome);
void addFindings(CLI::App& app, Outcome& outcome);
void addCompare(CLI::App& app, Outcome& outcome);
void addScaling(CLI::App& app, Outcome& outcome);
void addConvert(CLI::App& app, Outcome& outcome);
void addTriage(CLI::App& app, Outcome& outcome);
void addSubmit(CLI::App& app, Outcome& outcome);
void addJobs(CLI::App& app, Outcome& outcome);
void addWatch(CLI::App& app, Outcome& outcome);
void addPull(CLI::App& app, Outcome& outcome);
void addCancel(CLI::App& app, Outcome& outcome);
void addCluster(CLI::App& app, Outcome& outcome);
void addNodes(CLI::App& app, Outcome& outcome);

} // namespace ddp::cli
