// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/records/record_reader.h"
#include "core/records/utf8.h"
#include "core/triage/log_findings.h"
#include "core/triage/triage.h"

#include <optional>
#include <string>
#include <vector>

namespace ddp::triage {

/// A rank that left records, or a folder at least.
struct RankRun {
    int rank = 0;
    std::optional<records::RankRecords> records;
    std::string shown; ///< how evidence names the records file
};

/// Everything that was read of one run.
struct Run {
    std::vector<RankRun> ranks; ///< in rank order
    std::optional<int> expected;
    std::optional<int> exitCode; ///< of the job's script
    Evidence exitEvidence;
    bool launched = false; ///< by a job script of ours, which writes an exit code when it gets to its end
    std::optional<std::string> plannedNode;
    std::string simulate; ///< what was reproduced on purpose; empty: nothing
    LogFindings logs;

    bool simulated() const { return !simulate.empty(); }
    bool hasRecords() const;
    bool hardware() const; ///< a check of GPUs was asked for
    const records::RankRecords* recordsOf(int rank) const;
    const RankRun* find(int rank) const;
    std::vector<int> missingRanks() const;  ///< expected, but without records
    std::vector<std::string> hosts() const; ///< that the ranks reported, each once
    std::optional<std::string> hostOf(int rank) const;
};

Result<Run> loadRun(const std::vector<std::filesystem::path>& paths, const Options& options,
                    std::stop_token stop);

/// A record as evidence: the line that the worker wrote.
template <class T>
Evidence evidenceOf(const RankRun& run, const records::Recorded<T>& record) {
    constexpr std::size_t kEvidenceBytes = 400;
    std::string text = records::toLine(record.value, run.rank, record.timeNs);
    text.pop_back(); // the line end
    return {run.shown, record.line, records::shortened(text, kEvidenceBytes)};
}

} // namespace ddp::triage
