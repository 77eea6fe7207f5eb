// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/report.h"
#include "core/triage/rules.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ddp::triage {

/// All lines that one rule fitted, of one rank.
struct Finding {
    const Rule* rule = nullptr;
    std::string id;
    std::optional<int> rank; ///< empty: the line does not say, and the file belongs to no rank
    int count = 0;
    Evidence first;
    std::uint64_t order = 0; ///< of the first line, among all lines of all files

    bool harmless() const { return rule->indicatorClass == IndicatorClass::Harmless; }
    bool primary() const { return !harmless() && !rule->secondary; }
    std::string cause() const { return rule->cause.empty() ? id : rule->cause; }
};

/// One rank's view in libtorch's parameter check: "Rank `rank` has `own` params, while rank `other` has …".
struct DdpMismatch {
    int rank = 0;
    std::int64_t own = 0;
    int other = 0;
    std::int64_t value = 0;
    Evidence evidence;
};

/// Reads the numbers out of the message; nothing when it is another one.
std::optional<DdpMismatch> parsedMismatch(std::string_view message);

/// What the lines of the node check say in a log, for runs without records.
struct LogRank {
    std::optional<std::string> host;
    std::optional<std::string> device;
    std::optional<std::string> moduleLoading;
    std::optional<std::int64_t> parameters;
    std::optional<std::string> stage; ///< the last one that it entered
    bool simulated = false;
    bool done = false;
    int goodSteps = 0;
    Evidence start;
    Evidence count;
    Evidence step;
    Evidence end;
    Evidence stageLine;
};

/// Everything that was found in the logs of a run.
struct LogFindings {
    std::vector<Finding> findings; ///< in the order of their first lines
    std::vector<DdpMismatch> mismatches;
    std::map<int, LogRank> ranks;
    std::optional<int> worldSize;
    std::optional<Evidence> ncclOutput; ///< NCCL speaks in the logs: its warnings would be there
    int files = 0;                      ///< with at least one line
    int unfinishedFiles = 0;            ///< whose last line has no line end
    std::vector<std::string> problems;  ///< files that could not be read to their end

    void add(const RuleSet::Match& match, std::optional<int> rank, Evidence evidence, std::uint64_t order);
    /// The earliest finding that decides: specific before generic, faults of node and code before the
    /// scheduler's. nullptr: none.
    const Finding* deciding() const;
    const Finding* firstSecondary() const;
    const Finding* find(std::string_view id) const;

private:
    std::map<std::pair<std::string, int>, std::size_t> m_rows;
};

} // namespace ddp::triage
