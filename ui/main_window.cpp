// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/panels/elided_label.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/import_issues_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/node_dashboard_panel.h"
#include "ui/panels/run_details.h"
#include "ui/panels/slice_details.h"
#include "ui/panels/start_page.h"
#include "ui/runs/run_catalog.h"
#include "ui/tasks/task_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

namespace {

constexpr int kNodesWidth = 336;
constexpr int kDetailsWidth = 330;
constexpr int kLogHeight = 230;
constexpr int kLayoutVersion = 1; // raise it when docks come, go or change their names

/// What the window does with the paths that it is given.
struct OpenPlan {
    std::vector<fs::path> runs;   ///< folders to judge
    std::vector<fs::path> traces; ///< to open as one run; run folders too
};

Result<OpenPlan> planFor(const std::vector<fs::path>& paths) {
    OpenPlan plan;
    for (const fs::path& path : paths) {
        if (path.extension() == ".nsys-rep")
            return fail(ErrorCode::Unreadable,
                        path.string() +
                            " is in the closed format of Nsight Systems. Type: nsys export "
                            "--type sqlite " +
                            path.string() + " and open what it writes.");
        std::error_code error;
        if (!fs::exists(path, error))
            return fail(ErrorCode::Unreadable,
                        path.string() + " does not exist. Check the spelling of the path.");
        if (fs::is_directory(path, error) && looksLikeRunFolder(path))
            plan.runs.push_back(path);
        plan.traces.push_back(path);
    }
    return plan;
}

} // namespace

MainWindow::MainWindow(Services services, std::optional<ThemeMode> theme)
    : m_services(std::move(services)), m_settings(Settings::load(m_services.settingsFile)),
      m_palette(theme.value_or(m_settings.theme)), m_runs(m_runner, m_services), m_session(m_runner),
      m_saveTheme(!theme) {
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"ddpscope"_s);
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildContent();
    buildDocks();
    buildMenus();
    connectParts();
    restoreLayout();
    fillRecent();
    m_runs.loadEarlierRuns();
}

MainWindow::~MainWindow() {
    // The parts refer to the members of this object, so they go first.
    m_runner.stopAll();
    qDeleteAll(findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly));
    delete m_help;
    setStatusBar(nullptr);
}

void MainWindow::buildContent() {
    m_message = new MessageBar(m_palette);
    m_start = new StartPage(m_palette);
    m_timeline = new TimelineView(m_session, m_view, m_palette);
    m_center = new QStackedWidget;
    m_center->setObjectName(u"center"_s);
    m_center->addWidget(m_start);
    m_center->addWidget(m_timeline);
    m_center->setMinimumWidth(320);
    m_content = new QWidget;
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_center, 1);
    m_folder = new ElidedLabel(Qt::ElideMiddle);
    m_folder->setObjectName(u"runFolder"_s);
    m_folder->setMargin(4);
    statusBar()->addWidget(m_folder, 1);
    statusBar()->addPermanentWidget(new TaskBar(m_runner));
    statusBar()->setSizeGripEnabled(false);
    m_help = new HelpOverlay(m_palette, this);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
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
    m_runDetails = new RunDetails(m_runs, m_palette);
    m_sliceDetails = new SliceDetails(m_session, m_view);
    m_detailTabs = new QTabWidget;
    m_detailTabs->setObjectName(u"detailTabs"_s);
    m_detailTabs->setDocumentMode(true);
    m_detailTabs->addTab(m_runDetails, tr("Node check"));
    m_detailTabs->addTab(m_sliceDetails, tr("Slice"));
    m_log = new LogPanel(m_runner, m_runs, m_palette);
    m_issues = new ImportIssuesPanel(m_session, m_palette);

    // All content is in docks, so that each can be moved; all in one area, so that they line up.
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_nodesDock = addDock(u"nodesDock"_s, tr("Nodes"), m_nodes);
    m_timelineDock = addDock(u"timelineDock"_s, tr("Start"), m_content);
    m_detailsDock = addDock(u"detailsDock"_s, tr("Details"), m_detailTabs);
    m_logDock = addDock(u"logDock"_s, tr("Log"), m_log);
    m_issuesDock = addDock(u"issuesDock"_s, tr("Import issues"), m_issues);
    splitDockWidget(m_nodesDock, m_timelineDock, Qt::Horizontal);
    splitDockWidget(m_timelineDock, m_detailsDock, Qt::Horizontal);
    splitDockWidget(m_timelineDock, m_logDock, Qt::Vertical);
    tabifyDockWidget(m_logDock, m_issuesDock);
    for (QDockWidget* dock : {m_nodesDock, m_detailsDock, m_logDock, m_issuesDock})
        dock->installEventFilter(this);
    m_logDock->raise();
}

void MainWindow::connectParts() {
    connect(&m_runs, &RunController::refused, this, &MainWindow::showProblem);
    connect(&m_runs, &RunController::failed, this, &MainWindow::showProblem);
    connect(&m_runs, &RunController::runStarted, this, &MainWindow::showRun);
    connect(&m_runs, &RunController::runFinished, this, &MainWindow::showRun);
    connect(&m_runs, &RunController::adopted, this,
            &MainWindow::showVerdict); // its trace is being opened already
    const auto followRunning = [this] {
        m_stopAction->setEnabled(m_runs.busy());
        if (m_closing && !m_runs.busy())
            close();
    };
    connect(&m_runs, &RunController::runStarted, this, followRunning);
    connect(&m_runs, &RunController::runFinished, this, followRunning);
    connect(&m_session, &TraceSession::changed, this, &MainWindow::takeTrace);
    connect(&m_session, &TraceSession::failed, this, &MainWindow::traceFailed);
    connect(&m_view, &ViewState::selectionChanged, this, [this] {
        if (m_view.selection())
            m_detailTabs->setCurrentWidget(m_sliceDetails);
    });
    connect(&m_palette, &Palette::changed, this, &MainWindow::takeIcons);

    connect(m_nodes, &NodeDashboardPanel::runActivated, this, &MainWindow::showRun);
    connect(m_runDetails, &RunDetails::runChosen, this, &MainWindow::showRun);
    connect(m_runDetails, &RunDetails::evidenceActivated, this, &MainWindow::showEvidence);
    connect(m_log, &LogPanel::failed, this, &MainWindow::showProblem);
    connect(m_issues, &ImportIssuesPanel::countChanged, this, [this](int count) {
        m_issuesDock->setWindowTitle(count > 0 ? tr("Import issues (%1)").arg(count) : tr("Import issues"));
    });
    connect(m_start, &StartPage::demoWanted, this, [this] {
        startCheck({remote::Simulation::MissingModel, false});
    });
    connect(m_start, &StartPage::openWanted, this, &MainWindow::chooseFolder);
    connect(m_start, &StartPage::pathWanted, this,
            [this](const QString& path) { openPaths({path.toStdString()}); });
}

void MainWindow::startCheck(const CheckRequest& request) {
    m_message->hide();
    m_runs.start(request);
}

void MainWindow::showRun(const QString& id) {
    const RunRecord* run = m_runs.find(id);
    if (!run)
        return;
    showVerdict(id);
    showCenter(m_timeline);
    m_traceAskedFor = false;
    if (!run->failure.isEmpty())
        m_session.close(tr("This run left no trace that could be read."));
    else if (run->over())
        m_session.open({run->folder}, titleText(*run), keepsTraces());
    else
        m_session.close(tr("The check is running. Its trace appears here when it is over."));
}

void MainWindow::showVerdict(const QString& id) {
    m_shownRun = id;
    m_nodes->selectRun(id);
    m_runDetails->showRun(id);
    m_detailTabs->setCurrentWidget(m_runDetails);
    m_log->showRun(id);
    if (const RunRecord* run = m_runs.find(id))
        m_folder->setFullText(QString::fromStdString(run->folder.string()));
}

void MainWindow::showCenter(QWidget* page) {
    m_center->setCurrentWidget(page);
    m_timelineDock->setWindowTitle(page == m_timeline ? tr("Timeline") : tr("Start"));
    m_timelineDock->show();
    m_timelineDock->raise();
}

void MainWindow::takeTrace() {
    const bool open = m_session.store() != nullptr;
    for (QAction* action : {m_zoomIn, m_zoomOut, m_fit})
        action->setEnabled(open);
    setWindowTitle(open ? tr("%1 – ddpscope").arg(m_session.title()) : u"ddpscope"_s);
    if (!open)
        return;
    showCenter(m_timeline);
    m_timeline->setFocus();
}

void MainWindow::traceFailed(const QString& sentence) {
    if (!m_traceAskedFor) {
        m_session.close(sentence);
        return;
    }
    showProblem(sentence);
    if (!m_session.store()) { // an open trace stays
        m_session.close({});
        showCenter(m_start);
    }
}

void MainWindow::showEvidence(const QString& runId, const QString& file, qint64 line) {
    m_logDock->show();
    m_logDock->raise();
    m_log->showLine(runId, file, line);
}

void MainWindow::showProblem(const QString& sentence) {
    m_timelineDock->show();
    m_message->showMessage(MessageKind::Problem, sentence);
}

void MainWindow::openPaths(const std::vector<fs::path>& paths) {
    m_message->hide();
    m_runner.start(
        m_openSlot, tr("Looking at the files"), [paths](TaskContext&) { return planFor(paths); }, this,
        [this, paths](Result<OpenPlan> plan) {
            if (!plan) {
                showProblem(QString::fromStdString(plan.error().message));
                return;
            }
            for (const fs::path& path : paths)
                remember(QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
            for (const fs::path& run : plan->runs)
                m_runs.adopt(run);
            m_traceAskedFor = plan->runs.empty(); // a run folder may well hold no trace
            const fs::path& first = paths.front();
            QString title =
                QString::fromStdString(first.filename().empty() ? first.parent_path().filename().string()
                                                                : first.filename().string());
            if (paths.size() > 1)
                title = tr("%1 and %2 more").arg(title).arg(paths.size() - 1);
            showCenter(m_timeline);
            if (!m_session.store())
                m_session.close(tr("The trace is being read."));
            m_session.open(plan->traces, title, keepsTraces());
        });
}

void MainWindow::remember(const QString& path) {
    m_settings.remember(path);
    m_settings.save(m_services.settingsFile);
    fillRecent();
}

bool MainWindow::keepsTraces() const {
    return m_services.keepTraces && m_settings.keepTraces;
}

bool MainWindow::idle() const {
    return m_runner.idle() && !m_runs.busy();
}

const RunRecord* MainWindow::shownRun() const {
    return m_runs.find(m_shownRun);
}

QString MainWindow::message() const {
    return m_message->message();
}

void MainWindow::restoreLayout() {
    resize(1280, 800);
    m_defaultLayout = saveState(kLayoutVersion);
    if (!m_settings.windowGeometry.isEmpty())
        restoreGeometry(m_settings.windowGeometry);
    m_layoutRestored = restoreState(m_settings.windowLayout, kLayoutVersion);
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
    return {m_nodesDock->width(), m_detailsDock->width(),
            m_logDock->isVisible() ? m_logDock->height() : m_issuesDock->height()};
}

/// The timeline gets what these leave.
void MainWindow::setDockSizes(const DockSizes& sizes) {
    resizeDocks({m_nodesDock, m_timelineDock, m_detailsDock},
                {sizes.nodes, std::max(1, width() - sizes.nodes - sizes.details), sizes.details},
                Qt::Horizontal);
    resizeDocks({m_timelineDock, m_logDock}, {std::max(1, height() - sizes.log), sizes.log}, Qt::Vertical);
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

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closing && isVisible()) {
        m_settings.windowGeometry = saveGeometry();
        m_settings.windowLayout = saveState(kLayoutVersion);
        if (m_saveTheme)
            m_settings.theme = m_palette.mode();
        m_settings.save(m_services.settingsFile);
    }
    m_closing = true;
    if (m_runs.busy()) {
        // The window goes at once; the program stays until the job has no process any more.
        m_runs.stop();
        hide();
        event->ignore();
        return;
    }
    event->accept();
    Q_EMIT closed();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    std::vector<fs::path> paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            paths.emplace_back(url.toLocalFile().toStdString());
    }
    if (!paths.empty())
        openPaths(paths);
}

} // namespace ddp::ui
