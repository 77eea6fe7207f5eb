// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ddp::cli {

/// What every verb about jobs takes.
struct JobOptions {
    std::vector<std::string> ids;
    std::string cluster;
    double deadlineSeconds = 0; ///< 0: none
    int mostInQueue = 8;
    bool json = false;
    bool batch = false;
};

void addJson(CLI::App& verb, JobOptions& options);
void addBatch(CLI::App& verb, JobOptions& options);
void addCluster(CLI::App& verb, JobOptions& options);
void addDeadline(CLI::App& verb, JobOptions& options);
void addMost(CLI::App& verb, JobOptions& options);
void addIds(CLI::App& verb, JobOptions& options, bool required);

} // namespace ddp::cli
