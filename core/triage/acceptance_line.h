// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/diagnosis.h"
#include "core/triage/report.h"
#include "core/triage/run.h"

#include <string>
#include <vector>

namespace ddp::triage {

/// One line of the acceptance list while it is being filled. A No stays a No; an Unknown never becomes a Yes
/// again.
class Line {
public:
    explicit Line(const char* id) { m_line.id = id; }

    void yes(Evidence evidence);
    void unknown(const std::string& why);
    void unknown(const std::string& why, Evidence evidence);
    void no(const std::string& why, Evidence evidence);
    /// People read logs, not records: their lines come first.
    void noInLog(const std::string& why, Evidence evidence);
    AcceptanceLine settle(const std::string& whenYes, const std::string& whenNothing);

private:
    AcceptanceLine m_line;
    std::size_t m_logLines = 0; // at the begin of its evidence
    std::string m_doubts;
    std::vector<Evidence> m_proofs;
    std::vector<Evidence> m_doubted;
};

/// What several lines need.
struct Context {
    const Run& run;
    const Conclusion& conclusion;
    std::vector<RankView> views;
    std::vector<int> missing;
    bool allEnded = false; ///< every expected rank wrote an end marker with exit code 0
};

/// Ranks without records, or a number of ranks that nobody knows, leave every line open.
void doubtMissing(const Context& c, Line& line);
/// Whether a finding denies the line of this id.
bool deniedBy(const Finding& finding, const char* id);
void denyByFindings(const Context& c, const char* id, Line& line);
std::string capitalised(std::string text);

AcceptanceLine onExpectedGpu(const Context& c);
AcceptanceLine eccClean(const Context& c);
AcceptanceLine noNcclFault(const Context& c);
AcceptanceLine noEagerOverride(const Context& c);

} // namespace ddp::triage
