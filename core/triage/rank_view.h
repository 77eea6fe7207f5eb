// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/run.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::triage {

/// Where a stage stands in the order of the node check; -1: a stage that this program does not know.
int stageIndex(std::string_view stage);

/// How far one rank got and how it ended.
struct RankView {
    int rank = 0;
    const RankRun* run = nullptr; ///< nullptr: it left nothing
    int reached = -1;             ///< the furthest stage that began
    std::string stage;            ///< its name; empty: none
    bool inStage = false;         ///< that stage did not end
    bool ended = false;           ///< it wrote its end marker
    bool deadline = false;        ///< its watchdog ended it, or it waited for a peer until the deadline
    bool waiting = false;         ///< it is inside the canary all-gather, waiting for the others
    bool stopped = false;         ///< by SIGINT or SIGTERM
    const records::Recorded<records::ErrorRecord>* ownError =
        nullptr; ///< of no peer's and no deadline's making
    const records::Recorded<records::ErrorRecord>* peerError = nullptr; ///< another rank failed first

    const records::RankRecords* data() const { return run && run->records ? &*run->records : nullptr; }
    bool passed() const;
    std::string where() const; ///< "in stage canary", "after stage canary", "before its first stage"
    /// The last line it wrote, or that the rank left nothing.
    Evidence lastWords() const;
};

/// One for every rank that is expected or left something, in rank order.
std::vector<RankView> viewsOf(const Run& run);

/// The first line in the text of an error that a rule knows.
std::optional<RuleSet::Match> matchOf(std::string_view what);

} // namespace ddp::triage
