// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_record.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("RunRecord", text);
}

QString phaseText(RunPhase phase) {
    switch (phase) {
    case RunPhase::Preparing:
        return tr("starting");
    case RunPhase::Running:
        return tr("running");
    case RunPhase::Stopping:
        return tr("stopping");
    case RunPhase::Pulling:
        return tr("fetching");
    case RunPhase::Judging:
        return tr("judging");
    case RunPhase::Done:
        break;
    }
    return tr("done");
}

} // namespace

RunStatus statusOf(triage::Verdict verdict) {
    switch (verdict) {
    case triage::Verdict::Pass:
        return RunStatus::Pass;
    case triage::Verdict::Fail:
        return RunStatus::Fail;
    case triage::Verdict::Inconclusive:
        break;
    }
    return RunStatus::Inconclusive;
}

RunStatus statusOf(const RunRecord& run) {
    if (!run.over())
        return RunStatus::Running;
    if (run.stopped)
        return RunStatus::Stopped;
    if (!run.failure.isEmpty() || !run.report)
        return RunStatus::Broken;
    return statusOf(run.report->verdict);
}

QString statusText(const RunRecord& run, const QDateTime& now) {
    switch (statusOf(run)) {
    case RunStatus::Running:
        return tr("%1 %2 s").arg(phaseText(run.phase)).arg(std::max<qint64>(0, run.started.secsTo(now)));
    case RunStatus::Pass:
        return u"PASS"_s;
    case RunStatus::Fail:
        return u"FAIL"_s;
    case RunStatus::Inconclusive:
        return u"INCONCLUSIVE"_s;
    case RunStatus::Stopped:
        return tr("stopped");
    case RunStatus::Broken:
        break;
    }
    return tr("not judged");
}

QString causeText(const RunRecord& run) {
    if (run.stopped)
        return tr("stopped by you");
    if (!run.report)
        return {};
    QString cause = QString::fromStdString(run.report->diagnosis.cause);
    return cause.replace(u'_', u' ');
}

QString kindText(const RunRecord& run) {
    if (run.simulated())
        return tr("%1 (simulated)").arg(QString(run.simulate).replace(u'-', u' '));
    return run.hardware ? tr("hardware check") : tr("healthy run on the CPU");
}

QString titleText(const RunRecord& run) {
    return u"%1, %2"_s.arg(kindText(run), QLocale().toString(run.started, u"d MMM HH:mm:ss"_s));
}

QString verdictSentence(const RunRecord& run) {
    if (!run.over())
        return tr("The check is running.");
    if (run.stopped)
        return tr("You stopped this check before its end, so it says nothing about the node.");
    if (!run.failure.isEmpty())
        return run.failure;
    if (!run.report)
        return tr("This run has not been judged.");
    if (!run.report->diagnosis.sentence.empty())
        return QString::fromStdString(run.report->diagnosis.sentence);
    return run.report->verdict == triage::Verdict::Pass
               ? tr("Every line of the acceptance list has positive evidence.")
               : tr("Not every line of the acceptance list is decided.");
}

QString ageText(const QDateTime& then, const QDateTime& now) {
    const qint64 seconds = then.secsTo(now);
    if (seconds < 10)
        return tr("now");
    if (seconds < 60)
        return tr("%1 s").arg(seconds);
    if (seconds < 3600)
        return tr("%1 min").arg(seconds / 60);
    if (seconds < 48LL * 3600)
        return tr("%1 h").arg(seconds / 3600);
    return tr("%1 days").arg(seconds / (24LL * 3600));
}

} // namespace ddp::ui
