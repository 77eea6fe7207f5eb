// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/job_rows.h"
#include "ui/session/cluster_session.h"

#include <QTimer>
#include <QWidget>

class QFormLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace ddp::ui {

class FactTable;

/// A job that is on a node now, whoever it belongs to.
struct NodeJobRow {
    quint64 id = 0;
    QString user;
    QString name;
    QString state;
};

/// All facts about one node of the cluster: its state and reason in full, its GPUs, the jobs that are on it,
/// and its checks.
class NodeDetails final : public QWidget {
    Q_OBJECT

public:
    NodeDetails(ClusterSession& session, QWidget* parent = nullptr);

    void showNode(const QString& node);
    const QString& shownNode() const { return m_node; }

Q_SIGNALS:
    void runWanted(const QString& jobId);

private:
    QWidget* buildFilled();
    void buildTables(QVBoxLayout& column);
    QLabel* addRow(const QString& name, const QString& object);
    void setRow(QLabel* value, const QString& text);
    void refresh();
    void showFacts(const NodeRow& row);
    void showChecks();
    void takeJobs(const QString& node, const std::vector<remote::slurm::JobRow>& jobs,
                  const QString& problem);
    void ask();

    ClusterSession& m_session;
    QString m_node;
    QTimer m_soon; // so that who walks through the nodes asks only for the one where he stops
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_name = nullptr;
    QLabel* m_use = nullptr;
    QFormLayout* m_form = nullptr;
    QLabel *m_state = nullptr, *m_reason = nullptr, *m_gpus = nullptr, *m_gres = nullptr,
           *m_partitions = nullptr, *m_features = nullptr, *m_cpus = nullptr, *m_memory = nullptr,
           *m_booted = nullptr, *m_slurm = nullptr, *m_address = nullptr;
    QLabel* m_jobsTitle = nullptr;
    RowsModel<NodeJobRow>* m_jobs = nullptr;
    FactTable* m_jobTable = nullptr;
    QLabel* m_checksTitle = nullptr;
    RowsModel<JobTableRow>* m_checks = nullptr;
    FactTable* m_checkTable = nullptr;
};

} // namespace ddp::ui
