// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <string>

namespace ddp::worker {

/// Makes DIR (and its parents) and says why it can not take a run; empty when it can. Called by whoever
/// starts first: the parent for all its ranks, so that a refused folder is one sentence and not one per rank.
std::string prepareRunFolder(const std::string& out);

/// A rank's stdout, worker.log and records.jsonl. Every line leaves in one write() and nothing is buffered,
/// so two ranks never meet in the middle of a line and a SIGKILL loses nothing. Any thread may write.
class RankOutput {
public:
    RankOutput() = default;
    ~RankOutput();
    RankOutput(const RankOutput&) = delete;
    RankOutput& operator=(const RankOutput&) = delete;

    /// Opens DIR/rank-<rank>/…; without a DIR only stdout is written. Returns a sentence when DIR is of no
    /// use.
    std::string open(const std::string& out, int rank);

    /// Text with its line ends, to stdout and worker.log.
    void print(const std::string& text);
    /// One record line with its line end.
    void record(const std::string& line);
    /// DIR/rank-<rank>, or empty without a DIR.
    const std::string& folder() const { return m_folder; }
    /// Says once on stderr that the run's files are incomplete; the check itself goes on.
    void reportLoss(const std::string& path, const std::string& why);

private:
    void append(int file, const char* name, const std::string& text);

    std::string m_folder;
    int m_log = -1;
    int m_records = -1;
    std::atomic<bool> m_lossReported{false};
};

} // namespace ddp::worker
