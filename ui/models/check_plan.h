// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_job.h"
#include "ui/models/node_row.h"
#include "ui/models/rows_model.h"

#include <chrono>
#include <vector>

namespace ddp::ui {

enum class CheckMode { Hardware, MissingModel, LostCollective, Hang, Healthy };
enum class CheckLoading { Default, Lazy, Eager, Both };

/// What is asked for each of several nodes.
struct CheckChoice {
    CheckMode mode = CheckMode::Hardware;
    CheckLoading loading = CheckLoading::Default;
    std::chrono::minutes timeLimit{10};
    std::chrono::seconds stageDeadline{45};
    bool alsoUnavailable = false; ///< a job also for nodes that take none at present
    bool operator==(const CheckChoice&) const = default;
};

/// One or two for each node that gets jobs, in the order of the nodes.
std::vector<remote::JobRequest> checkRequests(const std::vector<NodeRow>& nodes, const CheckChoice& choice);

/// One job as it would be in the book, to show its script: the ranks are those of the node.
remote::JobRecord sampleJob(const remote::JobRequest& request, const NodeRow& node,
                            const std::string& cluster, const std::string& folder);

/// What becomes of a node.
struct CheckNodeRow {
    QString node;
    QString state;
    QString what; ///< "gets a job", "not submitted: Kill task failed"
    bool refused = false;
};
std::vector<CheckNodeRow> checkNodeRows(const std::vector<NodeRow>& nodes, const CheckChoice& choice);
std::vector<Column<CheckNodeRow>> checkNodeColumns();

} // namespace ddp::ui
