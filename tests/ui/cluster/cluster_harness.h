// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "remote/job/job_book.h"
#include "tests/cluster/test_cluster.h"
#include "tests/remote/transport/ssh/ssh_server.h"
#include "tests/ui/window_harness.h"
#include "ui/main_window_cluster.h"
#include "ui/panels/cluster_jobs_panel.h"
#include "ui/panels/cluster_nodes_panel.h"
#include "ui/panels/connection_label.h"
#include "ui/panels/node_details.h"

#include <QDir>
#include <QTableView>

namespace ddp::test {

/// A real Slurm behind a real sshd, and a window with folders of its own that knows the way to it.
struct ClusterHarness {
    TestCluster slurm{Accounts::None};
    SshServer server{
        SshServer::Setup{.extra = "SetEnv SLURM_CONF=" + (slurm.folder() / "slurm.conf").string()}};
    TempFolder home;
    WindowHarness window;

    ClusterHarness() { std::ofstream(window.folder() / "ssh_config") << server.hostBlock("box"); }

    remote::Cluster cluster() const {
        remote::Cluster made;
        made.name = "box";
        made.host = "box";
        made.folder = home.path() / "the scratch";
        made.worker = DDP_BIN_DIR "/ddpscope-worker";
        made.sshConfig = window.folder() / "ssh_config";
        return made;
    }
    ui::MainWindowCluster& parts() { return *window.window().findChild<ui::MainWindowCluster*>(); }
    ui::ClusterSession& session() { return parts().session(); }
    ui::ClusterNodesPanel& nodes() { return *parts().nodes(); }
    ui::ClusterJobsPanel& jobs() { return *parts().jobs(); }
    QTableView& jobTable() { return jobs().table(); }
    template <class T>
    T* child(const char* name) {
        return window.child<T>(name);
    }
    bool connected() { return session().state().phase == remote::ConnectionPhase::Connected; }
    bool waitFor(const std::function<bool()>& isSo, int seconds) {
        return QTest::qWaitFor(isSo, seconds * 1000);
    }
    bool allOver() {
        const auto& all = session().jobs();
        return !all.empty() &&
               std::ranges::all_of(all, [](const remote::JobRecord& job) { return isFinal(job.state); });
    }
    QString nodeCell(const QString& node, int column) {
        const auto& model = nodes().model();
        const int row = model.placeOf(node);
        return row < 0 ? QString() : model.index(row, column).data().toString();
    }
    void selectNodes(const QStringList& names) {
        QTableView& table = nodes().table();
        table.clearSelection();
        for (const QString& name : names)
            table.selectionModel()->select(nodes().model().index(nodes().model().placeOf(name), 0),
                                           QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    /// For who wants to look: into $DDP_PICTURES, light and dark.
    void picture(const char* name, QWidget* of = nullptr) {
        const QString folder = qEnvironmentVariable("DDP_PICTURES");
        if (folder.isEmpty())
            return;
        QWidget* widget = of ? of : &window.window();
        for (const char* theme : {"Dark", "Light"}) {
            for (QAction* action : window.window().findChildren<QAction*>())
                if (action->text() == QLatin1String(theme))
                    action->trigger();
            widget->grab();
            QCoreApplication::processEvents();
            widget->grab().save(QDir(folder).filePath(QString::fromLatin1(name) + u'-' +
                                                      QString::fromLatin1(theme).toLower() + u".png"));
        }
    }
};

} // namespace ddp::test
