// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/report.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>

namespace ddp::ui {

enum class RunPhase { Preparing, Running, Stopping, Pulling, Judging, Done };

/// What the dashboard shows of a run, as one word.
enum class RunStatus { Running, Pass, Fail, Inconclusive, Stopped, Broken };

/// One node check: while it runs, and when it is over. A value; the RunController keeps the current ones.
struct RunRecord {
    QString id;
    QString node;
    QString simulate; ///< "none", "missing-model", …
    bool hardware = false;
    int ranks = 0;
    QDateTime started;
    std::filesystem::path folder;
    RunPhase phase = RunPhase::Done;
    bool stopped = false; ///< by the user
    QString failure;      ///< the run could not be made or judged: why, in one sentence
    std::shared_ptr<const triage::Report> report;

    bool over() const { return phase == RunPhase::Done; }
    /// A fault that was reproduced on purpose says nothing about the node, so it has a row of its own.
    bool simulated() const { return simulate != QLatin1String("none") && !simulate.isEmpty(); }
};

RunStatus statusOf(triage::Verdict verdict);
RunStatus statusOf(const RunRecord& run);
QString statusText(const RunRecord& run, const QDateTime& now); ///< "FAIL", "running 12 s", …
QString causeText(const RunRecord& run);                        ///< "rank without model"; empty: none
QString kindText(const RunRecord& run);  ///< "missing model (simulated)", "hardware check", …
QString titleText(const RunRecord& run); ///< kind and time, for titles
/// The sentence that says what is the matter; never empty for a run that is over.
QString verdictSentence(const RunRecord& run);
QString ageText(const QDateTime& then, const QDateTime& now); ///< "now", "2 min", "3 h", "12 days"

} // namespace ddp::ui
