// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of MainWindow and their sizes.
#include "ui/main_window.h"

#include "ui/main_window_cluster.h"
#include "ui/panels/cluster_jobs_panel.h"
#include "ui/panels/cluster_nodes_panel.h"
#include "ui/panels/collectives_panel.h"
#include "ui/panels/findings_panel.h"
#include "ui/panels/import_issues_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/node_dashboard_panel.h"
#include "ui/panels/node_details.h"
#include "ui/panels/profile_panel.h"
#include "ui/panels/run_details.h"
#include "ui/panels/slice_details.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/summary_panel.h"

#include <QDockWidget>
#include <QEvent>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNodesWidth = 336;
constexpr int kDetailsWidth = 330;
constexpr int kLogHeight = 226;   // for eight ranks in the summary
constexpr int kLayoutVersion = 3; // raise it when docks come, go or change their names

/// Qt moves docks that lie behind another one's tab out of the window.
bool inFront(const QDockWidget& dock) {
    return dock.isVisible() && dock.geometry().right() >= 0 && dock.geometry().bottom() >= 0;
}

bool isInDockBehind(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
            return !dock->isFloating() && !inFront(*dock);
    return false;
}

} // namespace

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    connect(dock, &QWidget::windowTitleChanged, dock, &QWidget::setAccessibleName);
    dock->setWidget(content);
    addDockWidget(Qt::BottomDockWidgetArea, dock);
    const auto settle = [this, dock] { settleTitle(*dock); };
    connect(dock, &QDockWidget::topLevelChanged, this, settle, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, settle, Qt::QueuedConnection);
    connect(dock, &QDockWidget::visibilityChanged, this, settle, Qt::QueuedConnection);
    return dock;
}

/// A dock whose tab says its name needs no title bar that says it again.
void MainWindow::settleTitle(QDockWidget& dock) {
    const bool inTabs = !dock.isFloating() && !tabifiedDockWidgets(&dock).isEmpty();
    QWidget* own = dock.titleBarWidget();
    if (inTabs && !own) {
        dock.setTitleBarWidget(new QWidget);
    } else if (!inTabs && own) {
        dock.setTitleBarWidget(nullptr);
        own->deleteLater();
    }
}

void MainWindow::buildDocks() {
    m_nodes = new NodeDashboardPanel(m_runs, m_palette);
    m_nodePages = new QStackedWidget;
    m_nodePages->addWidget(m_nodes);
    m_nodePages->addWidget(m_cluster->nodes());
    m_runDetails = new RunDetails(m_runs, m_palette);
    m_sliceDetails = new SliceDetails(m_session, m_analysis, m_view, m_runner);
    m_detailTabs = new QTabWidget;
    m_detailTabs->setObjectName(u"detailTabs"_s);
    m_detailTabs->setDocumentMode(true);
    m_detailTabs->addTab(m_runDetails, tr("Node check"));
    m_detailTabs->addTab(m_sliceDetails, tr("Slice"));
    m_detailTabs->addTab(m_cluster->details(), tr("Node"));
    m_log = new LogPanel(m_runner, m_runs, m_palette);
    m_issues = new ImportIssuesPanel(m_session, m_runner, m_palette);

    // All content is in docks, so that each can be moved; all in one area, so that they line up.
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_nodesDock = addDock(u"nodesDock"_s, tr("Nodes"), m_nodePages);
    m_timelineDock = addDock(u"timelineDock"_s, tr("Start"), m_content);
    m_detailsDock = addDock(u"detailsDock"_s, tr("Details"), m_detailTabs);
    buildWindowDocks();
    m_jobsDock = addDock(u"jobsDock"_s, tr("Jobs"), m_cluster->jobs());
    connect(m_jobsDock, &QDockWidget::visibilityChanged, m_cluster->jobs(), &ClusterJobsPanel::setSeen);
    m_logDock = addDock(u"logDock"_s, tr("Log"), m_log);
    m_issuesDock = addDock(u"issuesDock"_s, tr("Import issues"), m_issues);
    m_bottomDocks.insert(m_bottomDocks.end(), {m_jobsDock, m_logDock, m_issuesDock});
    splitDockWidget(m_nodesDock, m_timelineDock, Qt::Horizontal);
    splitDockWidget(m_timelineDock, m_bottomDocks.front(), Qt::Vertical);
    splitDockWidget(m_timelineDock, m_detailsDock, Qt::Horizontal);
    for (std::size_t i = 1; i < m_bottomDocks.size(); ++i)
        tabifyDockWidget(m_bottomDocks[i - 1], m_bottomDocks[i]);
    for (QDockWidget* dock : m_bottomDocks)
        dock->installEventFilter(this);
    m_nodesDock->installEventFilter(this);
    m_detailsDock->installEventFilter(this);
    m_logDock->raise();
}

/// Those that follow the visible window; only the one in front asks.
void MainWindow::buildWindowDocks() {
    const WindowPanel::Parts parts{m_analysis, m_view, m_runner, m_palette};
    const auto add = [this](const QString& name, const QString& title, WindowPanel* panel) {
        QDockWidget* dock = addDock(name, title, panel);
        connect(dock, &QDockWidget::visibilityChanged, panel, &WindowPanel::setSeen);
        m_bottomDocks.push_back(dock);
        return dock;
    };
    m_summaryDock = add(u"summaryDock"_s, tr("Summary"), new SummaryPanel(parts));
    add(u"profileDock"_s, tr("Profile"), new ProfilePanel(parts));
    add(u"stepsDock"_s, tr("Steps"), new StepsPanel(parts));
    add(u"collectivesDock"_s, tr("Collectives"), new CollectivesPanel(parts));
    add(u"findingsDock"_s, tr("Findings"), new FindingsPanel(parts));
}

/// A dock that lies behind another one is visible for Qt, but not for who presses Tab.
bool MainWindow::focusNextPrevChild(bool next) {
    const QWidget* first = focusWidget();
    bool moved = false;
    do {
        moved = QMainWindow::focusNextPrevChild(next);
    } while (moved && focusWidget() != first && isInDockBehind(focusWidget()));
    return moved;
}

/// Who opens a trace wants its numbers; who has chosen another table keeps it.
void MainWindow::showSummary() {
    if (inFront(*m_logDock))
        m_summaryDock->raise();
}

void MainWindow::restoreLayout() {
    resize(1280, 800);
    m_defaultLayout = layoutState();
    if (!m_settings.windowGeometry.isEmpty())
        restoreGeometry(m_settings.windowGeometry);
    m_layoutRestored = restoreState(m_settings.windowLayout, kLayoutVersion);
}

QByteArray MainWindow::layoutState() const {
    return saveState(kLayoutVersion);
}

void MainWindow::resetLayout() {
    restoreState(m_defaultLayout, kLayoutVersion);
    sizeDocks();
}

void MainWindow::sizeDocks() {
    m_dockSizes = {kNodesWidth, kDetailsWidth, kLogHeight};
    setDockSizes(m_dockSizes);
    m_arrangedFor = size();
}

MainWindow::DockSizes MainWindow::dockSizes() const {
    const auto front = std::ranges::find_if(m_bottomDocks, [](QDockWidget* dock) { return inFront(*dock); });
    return {m_nodesDock->width(), m_detailsDock->width(),
            (front != m_bottomDocks.end() ? *front : m_logDock)->height()};
}

/// The timeline gets what these leave.
void MainWindow::setDockSizes(const DockSizes& sizes) {
    // Sizes that do not add up to what there is would all be scaled.
    const DockSizes now = dockSizes();
    const int wide = now.nodes + m_timelineDock->width() + now.details;
    const int high = m_timelineDock->height() + now.log;
    resizeDocks({m_nodesDock, m_timelineDock, m_detailsDock},
                {sizes.nodes, std::max(1, wide - sizes.nodes - sizes.details), sizes.details},
                Qt::Horizontal);
    resizeDocks({m_timelineDock, m_logDock}, {std::max(1, high - sizes.log), sizes.log}, Qt::Vertical);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_laidOut, true))
        return;
    // Only a window that is laid out takes and tells sizes.
    const auto arrange = [this] {
        m_arrangedFor = size();
        if (m_layoutRestored)
            m_dockSizes = dockSizes();
        else
            sizeDocks();
        for (QDockWidget* dock : m_bottomDocks)
            if (auto* panel = qobject_cast<WindowPanel*>(dock->widget()))
                panel->setSeen(inFront(*dock)); // until then all docks say that they are seen
    };
    QMetaObject::invokeMethod(this, arrange, Qt::QueuedConnection);
}

/// What a larger window has more belongs to the timeline; Qt shares it out, and has done so when this comes.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (!m_laidOut)
        return;
    const auto arrange = [this] {
        setDockSizes(m_dockSizes);
        m_arrangedFor = size();
    };
    QMetaObject::invokeMethod(this, arrange, Qt::QueuedConnection); // only what is laid out takes sizes
}

/// A dock that changes its size while the window does not was given it by the user.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && m_laidOut && size() == m_arrangedFor)
        m_dockSizes = dockSizes();
    return QMainWindow::eventFilter(watched, event);
}

} // namespace ddp::ui
