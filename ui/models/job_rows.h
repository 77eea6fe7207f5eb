// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_job.h"
#include "ui/delegates/verdict_symbol.h"
#include "ui/models/node_row.h"
#include "ui/models/rows_model.h"

#include <QDateTime>

#include <vector>

namespace ddp::ui {

/// One job of a cluster as the table shows it, at one moment.
struct JobTableRow {
    QString id;
    QString state; ///< "queued", "running 41 s", "FAIL", …
    QString node;
    QString kind;     ///< "missing model (simulated)", "hardware check, EAGER", …
    QString when;     ///< "2 min"
    QString why;      ///< why it waits, what the evidence names, or why it could not be
    QString sentence; ///< about where it stands
    Symbol symbol = Symbol::Waiting;
    int order = 0; ///< of the states: what needs a person, or moves, comes first
    qint64 recorded = 0;
    quint64 slurmId = 0; ///< 0: Slurm does not have it yet
};

JobTableRow jobTableRow(const remote::JobRecord& job, const QDateTime& now);
/// Newest first.
std::vector<JobTableRow> jobTableRows(const std::vector<remote::JobRecord>& jobs, const QDateTime& now);
std::vector<Column<JobTableRow>> jobColumns();

/// The newest check of each node. A fault that was reproduced on purpose counts only where there is no other.
NodeChecks nodeChecks(const std::vector<remote::JobRecord>& jobs);

QString jobStateText(const remote::JobRecord& job, const QDateTime& now);
QString jobKindText(const remote::JobRequest& request);
/// Slurm's word for why a job waits, and what it means.
QString waitingText(const QString& slurmReason);
/// A sentence about where the job stands; never empty.
QString jobSentence(const remote::JobRecord& job);

} // namespace ddp::ui
