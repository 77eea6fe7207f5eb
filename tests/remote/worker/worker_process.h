// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace ddp::test {

/// What a finished program left behind.
struct Finished {
    int exitCode = -1; // 128 + signal when a signal ended it
    std::string out;
    std::string err;
    double seconds = 0;
};

/// The real worker in a process group of its own, so that a test can ask what is left of it.
class WorkerProcess {
public:
    using Variables = std::vector<std::pair<std::string, std::string>>;

    /// largestFile limits what the process may write to one file, as a full disk would; 0 is no limit.
    explicit WorkerProcess(std::vector<std::string> arguments, const Variables& variables = {},
                           unsigned long largestFile = 0);
    /// Kills what is left.
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    pid_t pid() const { return m_pid; }
    std::string out() const;
    /// Waits until stdout has the text; false when the process ended or seconds passed without it.
    bool waitForOutput(const std::string& text, double seconds) const;
    /// Waits for the end; without one after the seconds the exit code stays -1.
    Finished finish(double seconds = 60);
    /// Processes of the group that are alive, zombies not counted.
    std::vector<pid_t> alive() const;
    bool allGoneWithin(double seconds) const;

private:
    TempFolder m_folder;
    pid_t m_pid = -1;
    double m_begin = 0;
    bool m_reaped = false;
};

/// `ddpscope-worker` with these arguments, to its end.
Finished runWorker(std::vector<std::string> arguments, const WorkerProcess::Variables& variables = {},
                   unsigned long largestFile = 0);

std::string readFile(const std::filesystem::path& file);
/// The lines of a records.jsonl; a line that is no JSON object fails the test.
std::vector<nlohmann::json> readRecordLines(const std::filesystem::path& file);
/// Those of one kind.
std::vector<nlohmann::json> recordsOf(const std::filesystem::path& run, int rank, const std::string& kind);
int countOf(const std::string& text, const std::string& part);
double nowSeconds();

} // namespace ddp::test
