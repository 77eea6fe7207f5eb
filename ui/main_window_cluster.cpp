// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window_cluster.h"

#include "remote/cluster/cluster_file.h"
#include "ui/dialogs/cluster_assistant.h"
#include "ui/dialogs/connection_questions.h"
#include "ui/dialogs/worker_dialog.h"
#include "ui/panels/cluster_jobs_panel.h"
#include "ui/panels/cluster_nodes_panel.h"
#include "ui/panels/connection_label.h"
#include "ui/panels/menu_button.h"
#include "ui/panels/node_details.h"
#include "ui/session/ssh_aliases.h"
#include "ui/session/themed_icon.h"

#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QMainWindow>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::Cluster;

MainWindowCluster::MainWindowCluster(const Parts& parts)
    : m_parts(parts), m_questions(std::make_shared<ConnectionQuestions>(parts.window)),
      m_session({parts.runner, {parts.services.jobsFile, parts.services.runsFolder}, m_questions}),
      m_nodes(new ClusterNodesPanel(m_session, parts.palette)),
      m_jobs(new ClusterJobsPanel(m_session, parts.runner, parts.palette)),
      m_details(new NodeDetails(m_session)), m_connection(new ConnectionLabel(m_session, parts.palette)) {
    setParent(&parts.window);
    connectParts();
}

MainWindowCluster::~MainWindowCluster() = default;

void MainWindowCluster::connectParts() {
    connect(&m_session, &ClusterSession::failed, this, &MainWindowCluster::problem);
    connect(&m_session, &ClusterSession::clusterChanged, this, &MainWindowCluster::followCluster);
    connect(&m_session, &ClusterSession::submitted, this, [this](int jobs, const QStringList& refused) {
        Q_EMIT submitted();
        if (!refused.isEmpty())
            Q_EMIT note(tr("%1 jobs were taken up. Not submitted: %2").arg(jobs).arg(refused.join(u' ')));
    });
    connect(m_nodes, &ClusterNodesPanel::currentChanged, m_details, [this](const QString& node) {
        m_details->showNode(node);
        if (!node.isEmpty())
            Q_EMIT nodeChosen();
    });
    connect(m_nodes, &ClusterNodesPanel::checkWanted, this, &MainWindowCluster::checkNodes);
    connect(m_nodes, &ClusterNodesPanel::runWanted, this, &MainWindowCluster::showRun);
    connect(m_jobs, &ClusterJobsPanel::runWanted, this, &MainWindowCluster::showRun);
    connect(m_details, &NodeDetails::runWanted, this, &MainWindowCluster::showRun);
}

QAction* MainWindowCluster::add(QMenu& menu, const char* name, const QString& text, const QString& tip,
                                const QKeySequence& key, std::function<void()> act) {
    QAction* action = menu.addAction(text, this, std::move(act));
    action->setObjectName(QString::fromLatin1(name));
    action->setToolTip(tip);
    action->setStatusTip(tip);
    if (!key.isEmpty())
        action->setShortcut(key);
    return action;
}

void MainWindowCluster::buildMenu(QMenu& menu) {
    menu.setToolTipsVisible(true);
    m_choice = menu.addMenu(tr("&Choose"));
    m_choice->setObjectName(u"clusterChoice"_s);
    m_choice->setToolTipsVisible(true);
    m_choices = new QActionGroup(this);
    m_add = add(menu, "clusterAdd", tr("&Add a cluster…"),
                tr("Sets up a cluster: its login node, how jobs run there, and a test of it all."), {},
                [this] { openAssistant({}); });
    m_edit = add(menu, "clusterEdit", tr("&Settings of the cluster…"),
                 tr("Changes how the chosen cluster is set up, and tests it again."), {}, [this] {
                     if (const Cluster* cluster = find(m_session.name()))
                         openAssistant(*cluster);
                 });
    m_worker =
        add(menu, "clusterWorkerSetUp", tr("Set up the &worker…"),
            tr("Builds the program that checks the nodes on the chosen cluster, or takes one that is given."),
            {}, [this] { setUpWorker(); });
    m_remove = add(menu, "clusterRemove", tr("&Remove the cluster…"),
                   tr("Forgets the settings of the chosen cluster; nothing on the cluster is touched."), {},
                   [this] { askToRemove(); });
    menu.addSeparator();
    m_checkAction =
        add(menu, "checkNodes", tr("Check &nodes…"),
            tr("Checks the selected nodes of the cluster: says first what will be submitted (Ctrl+N)."),
            QKeySequence(u"Ctrl+N"_s), [this] { checkNodes(); });
    m_checkAction->setIconText(tr("Check nodes…"));
    m_refresh = add(menu, "clusterRefresh", tr("&Ask again now"),
                    tr("Asks for the nodes and jobs of the cluster now, or connects again (F5)."),
                    QKeySequence(u"F5"_s), [this] { m_session.refresh(); });
    connect(m_choice, &QMenu::aboutToShow, this, [this] { readClusters({}); });
    fillChoice();
}

void MainWindowCluster::fillToolBar(QToolBar& bar) {
    m_button = new MenuButton(u"clusterButton"_s, m_choice);
    m_button->setToolTip(
        tr("Where nodes are checked: on this machine, or on one of your clusters (Ctrl+L)."));
    auto* open = new QAction(tr("Choose a cluster"), this);
    open->setShortcut(QKeySequence(u"Ctrl+L"_s));
    connect(open, &QAction::triggered, m_button, &QToolButton::showMenu);
    m_parts.window.addAction(open);
    bar.addWidget(m_button);
    bar.addAction(m_checkAction);
    bar.addSeparator();
    followCluster();
}

void MainWindowCluster::takeIcons() {
    m_button->setIcon(themedIcon(u"cluster"_s, m_parts.palette.colors()));
    m_checkAction->setIcon(themedIcon(u"check"_s, m_parts.palette.colors()));
}

void MainWindowCluster::start() {
    readClusters([this] {
        if (find(m_parts.settings.cluster))
            choose(m_parts.settings.cluster);
    });
}

void MainWindowCluster::readClusters(std::function<void()> then) {
    m_parts.runner.start(
        m_readSlot, tr("Reading the clusters"),
        [file = m_parts.services.clustersFile](TaskContext&) { return remote::readClusters(file); }, this,
        [this, then = std::move(then)](Result<std::vector<Cluster>> clusters) {
            if (!clusters) {
                Q_EMIT problem(QString::fromStdString(clusters.error().message));
                return;
            }
            takeClusters(std::move(*clusters));
            if (then)
                then();
        });
}

void MainWindowCluster::takeClusters(std::vector<Cluster> clusters) {
    if (clusters != m_clusters) {
        m_clusters = std::move(clusters);
        fillChoice();
    }
}

void MainWindowCluster::fillChoice() {
    const auto choice = [this](const QString& text, const QString& tip, const QString& name) {
        QAction* action = m_choice->addAction(text, this, [this, name] { choose(name); });
        action->setObjectName(name.isEmpty() ? u"chooseThisMachine"_s : u"choose-"_s + name);
        action->setToolTip(tip);
        action->setCheckable(true);
        action->setChecked(name == m_session.name());
        m_choices->addAction(action);
    };
    m_choice->clear();
    choice(tr("&This machine"), tr("Checks run here, without a scheduler."), {});
    for (const Cluster& cluster : m_clusters)
        choice(QString::fromStdString(cluster.name).replace(u'&', u"&&"_s),
               tr("Nodes are checked by jobs on %1.").arg(QString::fromStdString(cluster.host)),
               QString::fromStdString(cluster.name));
    m_choice->addSeparator();
    for (QAction* action : {m_add, m_edit, m_worker, m_remove})
        if (action)
            m_choice->addAction(action);
}

const Cluster* MainWindowCluster::find(const QString& name) const {
    const auto found = std::ranges::find(m_clusters, name.toStdString(), &Cluster::name);
    return name.isEmpty() || found == m_clusters.end() ? nullptr : &*found;
}

void MainWindowCluster::choose(const QString& name) {
    const Cluster* cluster = find(name);
    if (cluster)
        m_session.choose(*cluster);
    else
        m_session.leave();
    m_parts.settings.cluster = m_session.name();
    m_parts.settings.save(m_parts.services.settingsFile);
}

void MainWindowCluster::followCluster() {
    if (!m_button)
        return;
    const QString name = m_session.name();
    m_button->setTitle(name.isEmpty() ? tr("This machine") : name);
    for (QAction* action : {m_edit, m_worker, m_remove, m_checkAction, m_refresh})
        action->setEnabled(!name.isEmpty());
    // It may be an entry of the menu that chose.
    QMetaObject::invokeMethod(this, &MainWindowCluster::fillChoice, Qt::QueuedConnection);
    Q_EMIT chosen(!name.isEmpty());
}

void MainWindowCluster::connectSomewhere() {
    readClusters([this] {
        if (m_clusters.empty())
            openAssistant({});
        else if (m_clusters.size() == 1)
            choose(QString::fromStdString(m_clusters.front().name));
        else
            m_button->showMenu();
    });
}

void MainWindowCluster::openAssistant(Cluster cluster) {
    std::filesystem::path config = m_parts.services.sshConfig;
    if (cluster.name.empty())
        cluster.sshConfig = config;
    if (config.empty())
        config = QDir::homePath().toStdString() + "/.ssh/config";
    m_parts.runner.start(
        m_aliasSlot, tr("Reading the ssh configuration"),
        [config](TaskContext&) -> Result<QStringList> { return sshAliases(config); }, this,
        [this, cluster](const Result<QStringList>& aliases) {
            QStringList taken;
            for (const Cluster& other : m_clusters)
                if (other.name != cluster.name)
                    taken += QString::fromStdString(other.name);
            auto* assistant = new ClusterAssistant(
                {m_questions, m_parts.runner, m_parts.palette, aliases.value_or(QStringList()), taken},
                cluster, &m_parts.window);
            assistant->setAttribute(Qt::WA_DeleteOnClose);
            connect(assistant, &QDialog::accepted, this, [this, assistant] { keep(assistant->cluster()); });
            assistant->open();
        });
}

void MainWindowCluster::setUpWorker() {
    const Cluster* cluster = find(m_session.name());
    if (!cluster)
        return;
    auto* dialog = new WorkerDialog(*cluster, m_questions, m_parts.runner, &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        keep(dialog->cluster());
        Q_EMIT note(tr("The worker on %1 is ready: %2")
                        .arg(QString::fromStdString(dialog->cluster().name),
                             QString::fromStdString(dialog->cluster().worker)));
    });
    dialog->open();
}

void MainWindowCluster::keep(const Cluster& cluster) {
    m_parts.runner.start(
        m_writeSlot, tr("Keeping the cluster"),
        [file = m_parts.services.clustersFile, cluster](TaskContext&) -> Result<std::vector<Cluster>> {
            if (auto stored = remote::storeCluster(file, cluster); !stored)
                return forward(stored);
            return remote::readClusters(file);
        },
        this,
        [this, name = QString::fromStdString(cluster.name)](Result<std::vector<Cluster>> clusters) {
            if (!clusters) {
                Q_EMIT problem(QString::fromStdString(clusters.error().message));
                return;
            }
            takeClusters(std::move(*clusters));
            choose(name);
            if (const Cluster* kept = find(name); kept && kept->worker.empty() && kept->folder.is_absolute())
                setUpWorker(); // without it nothing can be checked
        });
}

void MainWindowCluster::askToRemove() {
    const QString name = m_session.name();
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Remove"), tr("Forget the cluster %1?").arg(name),
                        QMessageBox::NoButton, &m_parts.window);
    question->setObjectName(u"removeQuestion"_s);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(
        tr("Its settings here are deleted. Nothing on the cluster is touched: jobs that are there go on, and "
           "are seen "
           "again when a cluster of this name is added. Runs that were fetched stay."));
    QPushButton* yes = question->addButton(tr("&Forget it"), QMessageBox::AcceptRole);
    yes->setObjectName(u"removeYes"_s);
    question->setDefaultButton(question->addButton(tr("&Keep it"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, name] { remove(name); });
    question->open();
}

void MainWindowCluster::remove(const QString& name) {
    choose({});
    m_parts.runner.start(
        m_writeSlot, tr("Removing the cluster"),
        [file = m_parts.services.clustersFile,
         name = name.toStdString()](TaskContext&) -> Result<std::vector<Cluster>> {
            auto removed = remote::changeClusters(file, [&](std::vector<Cluster>& clusters) -> Result<void> {
                std::erase_if(clusters, [&](const Cluster& cluster) { return cluster.name == name; });
                return {};
            });
            if (!removed)
                return forward(removed);
            return remote::readClusters(file);
        },
        this,
        [this](Result<std::vector<Cluster>> clusters) {
            if (clusters)
                takeClusters(std::move(*clusters));
            else
                Q_EMIT problem(QString::fromStdString(clusters.error().message));
        });
}

void MainWindowCluster::checkNodes() {
    if (!m_session.cluster())
        return;
    std::vector<NodeRow> nodes;
    for (const QString& name : m_nodes->selectedNodes())
        if (const NodeRow* row = m_nodes->model().find(name))
            nodes.push_back(*row);
    if (nodes.empty()) {
        Q_EMIT note(
            tr("Select the nodes to check in the list of nodes first; with Ctrl or Shift, several of them."));
        m_nodes->table().setFocus();
        return;
    }
    auto* dialog = new CheckNodesDialog(*m_session.cluster(), std::move(nodes), m_check, m_parts.palette,
                                        &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { submit(*dialog); });
    dialog->open();
}

void MainWindowCluster::submit(const CheckNodesDialog& dialog) {
    m_check = dialog.choice();
    m_check.alsoUnavailable = false; // is asked anew
    m_session.submit(dialog.requests(), dialog.choice().alsoUnavailable);
}

void MainWindowCluster::showRun(const QString& jobId) {
    const remote::JobRecord* job = m_session.job(jobId);
    if (!job)
        return;
    if (job->runFolder.empty() ||
        (job->state != remote::JobState::Pulled && job->state != remote::JobState::Judged)) {
        m_jobs->selectJob(jobId);
        Q_EMIT submitted();
        return;
    }
    Q_EMIT runWanted(job->runFolder);
}

} // namespace ddp::ui
