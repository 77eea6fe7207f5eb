// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/transport/ssh/questions.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QStringList>
#include <QWizard>

#include <memory>

namespace ddp::ui {

class ClusterJobPage;
class ClusterMachinePage;
class ClusterTestPage;

/// Sets a cluster up, or changes one: which machine, how jobs run there, and a test of it all.
class ClusterAssistant final : public QWizard {
    Q_OBJECT

public:
    struct Parts {
        std::shared_ptr<remote::Questions> questions;
        TaskRunner& runner;
        const Palette& palette;
        QStringList aliases; ///< of the user's ssh configuration
        QStringList taken;   ///< names of other clusters
    };
    /// `cluster` without a name: a new one.
    ClusterAssistant(const Parts& parts, const remote::Cluster& cluster, QWidget* parent);

    /// As it was tested.
    remote::Cluster cluster() const;

private:
    remote::Cluster asked() const;

    remote::Cluster m_cluster;
    ClusterMachinePage* m_machine;
    ClusterJobPage* m_jobs;
    ClusterTestPage* m_test;
};

} // namespace ddp::ui
