// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "ui/models/job_rows.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::JobKind;
using remote::JobRecord;
using remote::JobRequest;
using remote::JobState;
using remote::LoadingMode;
using remote::Simulation;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("JobRows", text);
}

QDateTime recordedAt(const JobRecord& job) {
    return QDateTime::fromSecsSinceEpoch(job.recorded);
}

bool isSimulated(const JobRequest& request) {
    return request.simulation != Simulation::None || request.simulateBug;
}

/// The clock of the cluster may differ from ours; what is shown is never negative.
QString runningFor(const JobRecord& job, const QDateTime& now) {
    if (!job.started)
        return tr("running");
    const qint64 seconds = std::max<qint64>(0, now.toSecsSinceEpoch() - *job.started);
    return seconds < 120 ? tr("running %1 s").arg(seconds) : tr("running %1 min").arg(seconds / 60);
}

QString causeWords(const JobRecord& job) {
    return QString::fromStdString(job.cause).replace(u'_', u' ');
}

bool endedWell(const JobRecord& job) {
    return job.exitCode == 0 || (!job.exitCode && job.slurmState == remote::slurm::JobState::Completed);
}

RunStatus statusOf(const JobRecord& job) {
    if (!isFinal(job.state))
        return RunStatus::Running;
    if (job.state == JobState::Cancelled || job.cancelWanted)
        return RunStatus::Stopped;
    if (!job.verdict)
        return RunStatus::Broken;
    return ui::statusOf(*job.verdict);
}

Symbol symbolOfJob(const JobRecord& job) {
    switch (job.state) {
    case JobState::Recorded:
    case JobState::Preparing:
    case JobState::Submitting:
    case JobState::Queued:
        return Symbol::Waiting;
    case JobState::Running:
    case JobState::Ended:
    case JobState::Pulled:
        return Symbol::Running;
    case JobState::Judged:
        if (job.request.kind != JobKind::Poc && !job.cancelWanted)
            return endedWell(job) ? Symbol::Pass : Symbol::Warning;
        break;
    case JobState::Failed:
    case JobState::Cancelled:
        break;
    }
    return job.state == JobState::Failed ? Symbol::Warning : symbolOf(statusOf(job));
}

int orderOf(const JobRecord& job) {
    if (!isFinal(job.state))
        return job.state == JobState::Recorded ? 3 : job.state == JobState::Running ? 1 : 2;
    switch (statusOf(job)) {
    case RunStatus::Fail:
        return 4;
    case RunStatus::Broken:
        return 5;
    case RunStatus::Inconclusive:
        return 6;
    case RunStatus::Stopped:
        return 7;
    case RunStatus::Pass:
    case RunStatus::Running:
        break;
    }
    return 8;
}

QString whyText(const JobRecord& job) {
    if (job.state == JobState::Queued && !job.slurmReason.empty() && job.reason.empty())
        return waitingText(QString::fromStdString(job.slurmReason));
    if (job.state == JobState::Judged && !job.cause.empty())
        return causeWords(job);
    return QString::fromStdString(job.reason);
}

} // namespace

QString waitingText(const QString& slurmReason) {
    static const std::array<std::pair<const char*, const char*>, 12> kMeanings{{
        {"Resources", QT_TRANSLATE_NOOP("JobRows", "the node is in use")},
        {"Priority", QT_TRANSLATE_NOOP("JobRows", "other jobs come first")},
        {"ReqNodeNotAvail", QT_TRANSLATE_NOOP("JobRows", "the node takes no jobs at present")},
        {"Reservation", QT_TRANSLATE_NOOP("JobRows", "the node is reserved")},
        {"PartitionDown", QT_TRANSLATE_NOOP("JobRows", "the partition is down")},
        {"PartitionInactive", QT_TRANSLATE_NOOP("JobRows", "the partition takes no jobs")},
        {"PartitionTimeLimit",
         QT_TRANSLATE_NOOP("JobRows", "its time limit is longer than the partition allows, "
                                      "so it never starts")},
        {"PartitionConfig",
         QT_TRANSLATE_NOOP("JobRows", "the partition does not have this node, so it never starts")},
        {"PartitionNodeLimit",
         QT_TRANSLATE_NOOP("JobRows", "the partition does not allow it, so it never starts")},
        {"JobHeldUser", QT_TRANSLATE_NOOP("JobRows", "held by you")},
        {"JobHeldAdmin", QT_TRANSLATE_NOOP("JobRows", "held by an administrator")},
        {"BeginTime", QT_TRANSLATE_NOOP("JobRows", "it may not start yet")},
    }};
    const QString word = slurmReason.section(u',', 0, 0).trimmed();
    for (const auto& [known, meaning] : kMeanings)
        if (word == QLatin1String(known))
            return u"%1 (%2)"_s.arg(tr(meaning), slurmReason);
    if (word.startsWith(u"QOS"_s) || word.startsWith(u"Assoc"_s))
        return tr("a limit of your account is reached (%1)").arg(slurmReason);
    return slurmReason;
}

QString jobStateText(const JobRecord& job, const QDateTime& now) {
    if (job.cancelWanted && !isFinal(job.state))
        return tr("being cancelled");
    switch (job.state) {
    case JobState::Recorded:
        return tr("waits here");
    case JobState::Preparing:
    case JobState::Submitting:
        return tr("submitting");
    case JobState::Queued:
        return tr("queued");
    case JobState::Running:
        return runningFor(job, now);
    case JobState::Ended:
        return tr("fetching");
    case JobState::Pulled:
        return tr("judging");
    case JobState::Failed:
        return tr("not submitted");
    case JobState::Cancelled:
        return tr("cancelled");
    case JobState::Judged:
        break;
    }
    if (job.cancelWanted)
        return tr("cancelled");
    if (job.request.kind != JobKind::Poc)
        return endedWell(job) ? tr("done") : tr("failed");
    switch (statusOf(job)) {
    case RunStatus::Pass:
        return u"PASS"_s;
    case RunStatus::Fail:
        return u"FAIL"_s;
    case RunStatus::Inconclusive:
        return u"INCONCLUSIVE"_s;
    default:
        return tr("not judged");
    }
}

QString jobKindText(const JobRequest& request) {
    QString text;
    switch (request.kind) {
    case JobKind::Scale:
        text = tr("scaling run");
        break;
    case JobKind::Command:
        text = tr("your command");
        break;
    case JobKind::Poc:
        if (isSimulated(request))
            text = tr("%1 (simulated)")
                       .arg(QString::fromLatin1(records::simulationName(request.simulateBug
                                                                            ? Simulation::MissingModel
                                                                            : request.simulation))
                                .replace(u'-', u' '));
        else
            text = request.hardware ? tr("hardware check") : tr("healthy run on the CPU");
        break;
    }
    if (request.loading == LoadingMode::Eager)
        text += tr(", EAGER");
    else if (request.loading == LoadingMode::Lazy)
        text += tr(", LAZY");
    return text;
}

QString jobSentence(const JobRecord& job) {
    if (job.cancelWanted && !isFinal(job.state))
        return tr("It is being cancelled: it is asked to end first, and ended by Slurm when it does not.");
    switch (job.state) {
    case JobState::Recorded:
        return tr("It waits here for its turn: only so many checks are in the queue at a time.");
    case JobState::Preparing:
    case JobState::Submitting:
        return tr("Its folder on the cluster is being written, and it is handed to Slurm.");
    case JobState::Queued:
        return job.slurmReason.empty() ? tr("It waits in Slurm's queue.")
                                       : tr("It waits in Slurm's queue: %1.")
                                             .arg(waitingText(QString::fromStdString(job.slurmReason)));
    case JobState::Running:
        return tr("It runs on its node.");
    case JobState::Ended:
        return tr("It is over; its files are being fetched.");
    case JobState::Pulled:
        return tr("Its files are here and are being judged.");
    case JobState::Failed:
        return job.reason.empty() ? tr("It could not be submitted.") : QString::fromStdString(job.reason);
    case JobState::Cancelled:
        return tr("You cancelled it before Slurm had it.");
    case JobState::Judged:
        break;
    }
    if (job.cancelWanted)
        return tr("You cancelled it, so it says nothing about the node.");
    if (!job.sentence.empty())
        return QString::fromStdString(job.sentence);
    if (!job.reason.empty())
        return QString::fromStdString(job.reason);
    return job.verdict == triage::Verdict::Pass
               ? tr("Every line of the acceptance list has positive evidence.")
               : tr("It is over. Open the run to see what it left.");
}

JobTableRow jobTableRow(const JobRecord& job, const QDateTime& now) {
    JobTableRow row;
    row.id = QString::fromStdString(job.id);
    row.state = jobStateText(job, now);
    row.node = QString::fromStdString(job.request.node);
    row.kind = jobKindText(job.request);
    row.when = ageText(recordedAt(job), now);
    row.why = whyText(job);
    row.symbol = symbolOfJob(job);
    row.order = orderOf(job);
    row.recorded = job.recorded;
    row.slurmId = job.slurmId ? job.slurmId->number : 0;
    row.sentence = jobSentence(job);
    return row;
}

std::vector<JobTableRow> jobTableRows(const std::vector<JobRecord>& jobs, const QDateTime& now) {
    std::vector<JobTableRow> rows;
    rows.reserve(jobs.size());
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job)
        rows.push_back(jobTableRow(*job, now));
    return rows;
}

std::vector<Column<JobTableRow>> jobColumns() {
    using Row = JobTableRow;
    const auto tip = [](const Row& row) {
        const QDateTime recorded = QDateTime::fromSecsSinceEpoch(row.recorded);
        return tr("%1 on %2, asked for %3. %4")
            .arg(row.kind, row.node, QLocale().toString(recorded, QLocale::ShortFormat), row.sentence);
    };
    std::vector<Column<Row>> columns;
    columns.push_back({.title = tr("State"),
                       .tip = tr("Where the job stands; in the end, the verdict."),
                       .text = [](const Row& row) { return row.state; },
                       .key = [](const Row& row) { return QVariant(row.order); },
                       .symbol = [](const Row& row) { return QVariant(static_cast<int>(row.symbol)); },
                       .cellTip = tip,
                       .fields = {{"state", [](const Row& row) { return QVariant(row.state); }}}});
    columns.push_back({.title = tr("Node"),
                       .tip = tr("The node that the job is bound to."),
                       .text = [](const Row& row) { return row.node; },
                       .cellTip = tip,
                       .fields = {{"node", [](const Row& row) { return QVariant(row.node); }}}});
    columns.push_back({.title = tr("What"),
                       .tip = tr("What was asked for."),
                       .text = [](const Row& row) { return row.kind; },
                       .cellTip = tip,
                       .fields = {{"what", [](const Row& row) { return QVariant(row.kind); }}}});
    columns.push_back({.title = tr("When"),
                       .tip = tr("How long ago it was asked for."),
                       .number = true,
                       .text = [](const Row& row) { return row.when; },
                       .key = [](const Row& row) { return QVariant(-row.recorded); },
                       .cellTip = tip,
                       .fields = {{"recorded", [](const Row& row) { return QVariant(row.recorded); }}}});
    columns.push_back(
        {.title = tr("Job"),
         .tip = tr("Its number in Slurm."),
         .number = true,
         .text = [](const Row& row) { return row.slurmId ? QString::number(row.slurmId) : QString(); },
         .key = [](const Row& row) { return QVariant(row.slurmId); },
         .cellTip = tip,
         .fields = {{"slurm_id",
                     [](const Row& row) { return row.slurmId ? QVariant(row.slurmId) : QVariant(); }}}});
    columns.push_back({.title = tr("Why"),
                       .tip = tr("Why it waits, what the evidence names as the cause, or what went wrong."),
                       .text = [](const Row& row) { return row.why; },
                       .cellTip = tip,
                       .fields = {{"why", [](const Row& row) { return QVariant(row.why); }}}});
    return columns;
}

NodeChecks nodeChecks(const std::vector<JobRecord>& jobs) {
    NodeChecks checks;
    const QDateTime now = QDateTime::currentDateTime();
    for (const JobRecord& job : jobs) { // oldest first: later ones take their places
        const QString node = QString::fromStdString(job.request.node);
        if (node.isEmpty())
            continue;
        NodeCheck& check = checks[node];
        check.jobs += isFinal(job.state) ? 0 : 1;
        const bool simulated = isSimulated(job.request);
        const bool known = !check.word.isEmpty();
        if (job.request.kind != JobKind::Poc || job.state == JobState::Cancelled ||
            (known && simulated && !check.simulated))
            continue;
        check.status = statusOf(job);
        check.word = check.status == RunStatus::Running ? jobStateText(job, now).section(u' ', 0, 0)
                     : simulated                        ? tr("%1 (demo)").arg(jobStateText(job, now))
                                                        : jobStateText(job, now);
        check.cause = whyText(job);
        check.when = recordedAt(job);
        check.jobId = QString::fromStdString(job.id);
        check.simulated = simulated;
    }
    return checks;
}

} // namespace ddp::ui
