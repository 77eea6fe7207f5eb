// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "ui/models/check_plan.h"

#include "ui/delegates/verdict_symbol.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::JobRequest;
using remote::LoadingMode;
using remote::Simulation;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("CheckPlan", text);
}

Simulation simulationOf(CheckMode mode) {
    switch (mode) {
    case CheckMode::MissingModel:
        return Simulation::MissingModel;
    case CheckMode::LostCollective:
        return Simulation::LostCollective;
    case CheckMode::Hang:
        return Simulation::Hang;
    case CheckMode::Hardware:
    case CheckMode::Healthy:
        break;
    }
    return Simulation::None;
}

std::vector<LoadingMode> loadingsOf(CheckLoading loading) {
    switch (loading) {
    case CheckLoading::Lazy:
        return {LoadingMode::Lazy};
    case CheckLoading::Eager:
        return {LoadingMode::Eager};
    case CheckLoading::Both:
        return {LoadingMode::Lazy, LoadingMode::Eager};
    case CheckLoading::Default:
        break;
    }
    return {LoadingMode::Default};
}

} // namespace

std::vector<JobRequest> checkRequests(const std::vector<NodeRow>& nodes, const CheckChoice& choice) {
    std::vector<JobRequest> requests;
    for (const NodeRow& node : nodes) {
        if (!node.takesJobs && !choice.alsoUnavailable)
            continue;
        for (const LoadingMode loading : loadingsOf(choice.loading)) {
            JobRequest request;
            request.node = node.node.name;
            request.hardware = choice.mode == CheckMode::Hardware;
            request.simulation = simulationOf(choice.mode);
            request.loading = loading;
            request.timeLimit = choice.timeLimit;
            request.stageDeadline = choice.stageDeadline;
            requests.push_back(request);
        }
    }
    return requests;
}

remote::JobRecord sampleJob(const JobRequest& request, const NodeRow& node, const std::string& cluster,
                            const std::string& folder) {
    remote::JobRecord job;
    job.id = "poc-" + request.node;
    job.cluster = cluster;
    job.request = request;
    job.nonce = "NONCE";
    job.folder = folder + "/" + job.id;
    if (job.request.ranks == 0)
        job.request.ranks = request.hardware ? std::max(2, static_cast<int>(node.gpuCount)) : 2;
    return job;
}

std::vector<CheckNodeRow> checkNodeRows(const std::vector<NodeRow>& nodes, const CheckChoice& choice) {
    std::vector<CheckNodeRow> rows;
    const bool both = choice.loading == CheckLoading::Both;
    for (const NodeRow& node : nodes) {
        CheckNodeRow row{node.name, node.state, both ? tr("two jobs, LAZY and EAGER") : tr("one job"), false};
        if (!node.takesJobs) {
            row.refused = !choice.alsoUnavailable;
            const QString why = node.reason.isEmpty() ? nodeUseSentence(node) : node.reason;
            row.what = row.refused ? tr("no job: %1").arg(why) : tr("a job that waits: %1").arg(why);
        }
        rows.push_back(row);
    }
    // Those that are different are seen first.
    std::ranges::stable_sort(
        rows, [](const CheckNodeRow& a, const CheckNodeRow& b) { return a.refused > b.refused; });
    return rows;
}

std::vector<Column<CheckNodeRow>> checkNodeColumns() {
    using Row = CheckNodeRow;
    std::vector<Column<Row>> columns;
    columns.push_back({.title = tr("Node"), .text = [](const Row& row) { return row.node; }});
    columns.push_back({.title = tr("State"), .text = [](const Row& row) { return row.state; }});
    columns.push_back({.title = tr("What it gets"),
                       .text = [](const Row& row) { return row.what; },
                       .symbol =
                           [](const Row& row) {
                               return row.refused ? QVariant(static_cast<int>(Symbol::Warning)) : QVariant();
                           }});
    return columns;
}

} // namespace ddp::ui
