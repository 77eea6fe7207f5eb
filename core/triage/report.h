// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ddp::triage {

/// Never "probably".
enum class Verdict { Pass, Fail, Inconclusive };

/// Who has to act. None goes with PASS, and with INCONCLUSIVE when nothing points anywhere.
enum class FaultClass { None, NodeFault, UserCodeFault, Scheduler, Environment };

/// What an indicator says about the node; Harmless decides nothing.
enum class IndicatorClass { NodeFault, UserCodeFault, Scheduler, Harmless };

/// A line of a file that decided something.
struct Evidence {
    std::string file; ///< relative to the run folder when it lies inside, else as given
    int line = 0;     ///< from 1; 0: the whole file (for example: it is missing)
    std::string text; ///< the line, without ANSI codes, shortened to 400 characters
};

enum class Answer { Yes, No, Unknown };

/// One of the seven lines of the acceptance list. PASS only when all seven say Yes.
struct AcceptanceLine {
    std::string id; ///< as in cli-json.md: ended_cleanly, no_fatal_error, …
    Answer state = Answer::Unknown;
    std::string sentence;
    std::vector<Evidence> evidence;
};

struct Diagnosis {
    FaultClass faultClass = FaultClass::None;
    std::string cause; ///< as in cli-json.md: lost_collective, rank_without_model, …; empty: none
    std::string sentence;
    std::vector<std::string> next; ///< commands or steps to propose; the program itself never runs them
    std::vector<Evidence> evidence;
};

/// A known pattern that was found in a log or in the records.
struct Indicator {
    std::string id;
    IndicatorClass indicatorClass = IndicatorClass::Harmless;
    bool secondary = false; ///< a consequence of another failure; never decides
    int count = 0;
    Evidence first;
};

struct Report {
    Verdict verdict = Verdict::Inconclusive;
    std::optional<std::string> node;  ///< host name(s) the ranks reported, comma separated
    std::optional<int> ranksExpected; ///< from the records or the caller; empty: unknown
    bool simulated = false;           ///< the run reproduced a fault on purpose
    Diagnosis diagnosis;
    std::vector<AcceptanceLine> acceptance; ///< always seven, in the order of product.md
    std::vector<Indicator> indicators;
};

} // namespace ddp::triage
