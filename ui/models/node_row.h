// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/node.h"
#include "ui/session/run_record.h"

#include <QDateTime>
#include <QHash>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace ddp::ui {

/// What a node can be used for, of all that Slurm's words say; in the order in which it needs a person.
enum class NodeUse : std::uint8_t { Broken, Drained, Unknown, Reserved, InUse, Idle };

/// One node as the dashboard shows it. Made in the thread that asked; a value from then on.
struct NodeRow {
    remote::slurm::Node node;
    QString name;
    QString state; ///< all flags, in Slurm's words: "idle+drain"
    QString reason;
    QString gpus; ///< "2 of 8 a100"
    QString partitions;
    QString words; ///< all of these in small letters, one a line: what a filter looks through
    std::uint64_t gpuCount = 0;
    int place = 0; ///< among all names, with numbers in names taken as numbers
    NodeUse use = NodeUse::Unknown;
    bool takesJobs = false;
};

using NodeRows = std::vector<NodeRow>;

/// The newest check of a node: what became of it, or how far it is.
struct NodeCheck {
    RunStatus status = RunStatus::Broken;
    QString word;   ///< "PASS", "waiting", …
    QString cause;  ///< what the evidence names, or why the job waits; may be empty
    QDateTime when; ///< it was asked for
    QString jobId;
    bool simulated = false; ///< a fault that was reproduced on purpose: it says nothing about the node
    int jobs = 0;           ///< own jobs on the node, or bound for it, that are not over
};
using NodeChecks = QHash<QString, NodeCheck>; ///< by the node's name

/// Any thread. Ordered as the names are.
NodeRows nodeRows(std::vector<remote::slurm::Node> nodes);

/// "node9" is before "node10".
bool naturalLess(const QString& a, const QString& b);

NodeUse nodeUse(const remote::slurm::NodeState& state);
/// A sentence: what the state means for a job.
QString nodeUseSentence(const NodeRow& row);
/// "Kill task failed (root, 30 Nov 12:12)"; empty without a reason.
QString reasonText(const NodeRow& row);
/// All that is known, as rich text for a tool tip.
QString nodeToolTip(const NodeRow& row, const NodeCheck* check);

} // namespace ddp::ui
