// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/check_nodes_dialog.h"
#include "ui/services.h"
#include "ui/session/cluster_session.h"
#include "ui/session/palette.h"
#include "ui/session/settings.h"
#include "ui/tasks/task_runner.h"

#include <QObject>

#include <memory>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QStackedWidget;
class QToolBar;

namespace ddp::ui {

class ClusterJobsPanel;
class ClusterNodesPanel;
class ConnectionLabel;
class ConnectionQuestions;
class MenuButton;
class NodeDetails;

/// The parts of the main window about clusters: which one is chosen, how it is set up, its nodes and jobs,
/// and the checks of nodes. Its widgets are put into the window by who makes it.
class MainWindowCluster final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        QMainWindow& window;
        Settings& settings;
        const Services& services;
        TaskRunner& runner;
        const Palette& palette;
    };
    explicit MainWindowCluster(const Parts& parts);
    ~MainWindowCluster() override;

    ClusterSession& session() { return m_session; }
    ClusterNodesPanel* nodes() const { return m_nodes; }
    ClusterJobsPanel* jobs() const { return m_jobs; }
    NodeDetails* details() const { return m_details; }
    ConnectionLabel* connection() const { return m_connection; }

    void buildMenu(QMenu& menu);
    void fillToolBar(QToolBar& bar);
    void takeIcons();
    /// Reads the clusters that are set up, and connects to the one that was chosen last.
    void start();
    /// From an empty window: the assistant, or the choice where there are clusters.
    void connectSomewhere();
    void setUpWorker();
    void openAssistant(remote::Cluster cluster);
    void checkNodes();

Q_SIGNALS:
    void chosen(bool cluster); ///< false: this machine
    void submitted();
    void nodeChosen();
    void runWanted(const std::filesystem::path& folder);
    void problem(const QString& sentence);
    void note(const QString& sentence);

private:
    QAction* add(QMenu& menu, const char* name, const QString& text, const QString& tip,
                 const QKeySequence& key, std::function<void()> act);
    void connectParts();
    void readClusters(std::function<void()> then);
    void takeClusters(std::vector<remote::Cluster> clusters);
    void fillChoice();
    void choose(const QString& name);
    const remote::Cluster* find(const QString& name) const;
    void followCluster();
    void keep(const remote::Cluster& cluster);
    void askToRemove();
    void remove(const QString& name);
    void submit(const CheckNodesDialog& dialog);
    void showRun(const QString& jobId);

    Parts m_parts;
    std::shared_ptr<ConnectionQuestions> m_questions;
    ClusterSession m_session;
    TaskSlot m_readSlot;
    TaskSlot m_writeSlot;
    TaskSlot m_aliasSlot;
    std::vector<remote::Cluster> m_clusters;
    CheckChoice m_check; // of the last dialog
    ClusterNodesPanel* m_nodes;
    ClusterJobsPanel* m_jobs;
    NodeDetails* m_details;
    ConnectionLabel* m_connection;
    MenuButton* m_button = nullptr;
    QMenu* m_choice = nullptr; // which cluster
    QActionGroup* m_choices = nullptr;
    QAction *m_add = nullptr, *m_edit = nullptr, *m_remove = nullptr, *m_worker = nullptr,
            *m_refresh = nullptr, *m_checkAction = nullptr;
};

} // namespace ddp::ui
