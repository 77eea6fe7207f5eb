// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/connection/connection.h"
#include "ui/session/cluster_work.h"
#include "ui/session/poll_interval.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QTimer>

#include <thread>

namespace ddp::ui {

class UiMailbox;

/// The cluster that the window shows, and the one connection to it: asks for its nodes and moves its jobs on,
/// at intervals, in the connection's thread. Lives in the UI thread and never waits there, other than for the
/// end of that thread in the destructor.
class ClusterSession final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        TaskRunner& runner;
        ClusterWork::Places places;
        std::shared_ptr<remote::Questions> questions;
    };
    explicit ClusterSession(Parts parts, QObject* parent = nullptr);
    ~ClusterSession() override;

    /// Leaves the one before, and connects.
    void choose(const remote::Cluster& cluster);
    /// Jobs go on by themselves.
    void leave();
    const remote::Cluster* cluster() const { return m_cluster ? &*m_cluster : nullptr; }
    QString name() const; ///< empty: no cluster is chosen
    const remote::ConnectionState& state() const { return m_state; }

    /// Null until the cluster has answered once.
    std::shared_ptr<const NodeRows> nodes() const { return m_nodes; }
    const QDateTime& nodesSeen() const { return m_nodesSeen; } ///< when they were answered
    const QString& nodesProblem() const { return m_nodesProblem; }
    /// As the book has them, oldest first.
    const std::vector<remote::JobRecord>& jobs() const { return m_jobs; }
    const remote::JobRecord* job(const QString& id) const;

    /// Connects by hand where there is no connection; else asks for nodes and jobs at once.
    void refresh();
    void submit(std::vector<remote::JobRequest> requests, bool alsoUnavailable);
    void cancel(const QString& id);
    void planCancel(const QString& id);
    void pull(const QString& id);
    void askJobsOn(const QString& node);
    /// What this job prints is told from its beginning on, piece by piece, by askLog(). Empty: none.
    void followLog(const QString& id);
    void askLog();

Q_SIGNALS:
    void clusterChanged();
    void stateChanged();
    void nodesChanged();
    void jobsChanged();
    void submitted(int jobs, const QStringList& refused);
    void cancelPlanned(const QString& id, const QString& plan);
    void jobsOnNode(const QString& node, const std::vector<remote::slurm::JobRow>& jobs,
                    const QString& problem);
    void jobLog(const QString& id, const std::vector<remote::TailText>& pieces, const QString& problem);
    void failed(const QString& sentence);

private:
    template <class Job, class Take>
    void post(Job job, Take take);
    void readBook();
    void takeState(const remote::ConnectionState& state);
    void askNodes();
    void takeNodes(Result<std::shared_ptr<const NodeRows>> answer);
    void lookAtJobs();
    void takeJobs(ClusterWork::Jobs answer);
    void takeJob(const remote::JobRecord& job);
    void say(const Error& error);

    Parts m_parts;
    std::optional<remote::Cluster> m_cluster;
    remote::ConnectionState m_state;
    std::shared_ptr<const NodeRows> m_nodes;
    QDateTime m_nodesSeen;
    QString m_nodesProblem;
    QString m_jobsProblem;
    std::vector<remote::JobRecord> m_jobs;
    TaskSlot m_bookSlot;
    QTimer m_nodesTimer;
    QTimer m_jobsTimer;
    QTimer m_soon; // many jobs change at once, and it is told once
    PollInterval m_nodesPause;
    int m_lost = 0;            // tries since it was connected
    std::string m_lostWhy;     // that was told
    bool m_nodesAsked = false; // and not answered yet
    bool m_jobsAsked = false;
    bool m_logAsked = false;
    QString m_logOf;
    std::shared_ptr<UiMailbox> m_mail;
    std::shared_ptr<ClusterWork> m_work; // used by the connection's thread only
    std::unique_ptr<remote::Connection> m_connection;
    std::vector<std::jthread> m_closing; // connections that were left
};

} // namespace ddp::ui
