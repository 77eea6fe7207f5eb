// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/main_window_output.h"
#include "ui/navigation.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/focus_ring.h"
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
#include "ui/timeline/timeline_data.h"
#include "ui/timeline/timeline_view.h"
#include "ui/view_options.h"

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

/// What the window does with the paths that it is given.
struct OpenPlan {
    std::vector<fs::path> runs;   ///< folders to judge
    std::vector<fs::path> traces; ///< to open as one run; run folders too
    std::optional<fs::path> missing;
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
            return OpenPlan{{}, {}, path};
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
      m_view(this), m_analysis(m_session, m_view, m_runner), m_saveTheme(!theme) {
    setObjectName(u"mainWindow"_s);
    setWindowTitle(u"ddpscope"_s);
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildContent();
    buildDocks();
    buildMenus();
    connectParts();
    buildOutput();
    restoreLayout();
    fillRecent();
    m_runs.loadEarlierRuns();
}

MainWindow::~MainWindow() {
    // The parts refer to the members of this object, so they go first.
    m_runner.stopAll();
    m_session.rememberClocks(nullptr);
    delete m_output;
    qDeleteAll(findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly));
    delete m_help;
    setStatusBar(nullptr);
}

void MainWindow::buildContent() {
    m_message = new MessageBar(m_palette);
    m_start = new StartPage(m_palette);
    m_timeline = new TimelineView(m_session, m_view, m_palette);
    new TimelineData(m_session, m_analysis, m_runner, m_timeline->canvas(), m_timeline);
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
    new FocusRing(this);
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
    connect(&m_analysis, &AnalysisSession::changed, m_timeline,
            [this] { m_timeline->setAnalysis(m_analysis.run()); });
    connect(&m_view, &ViewState::selectionChanged, this, [this] {
        if (m_view.selection())
            m_detailTabs->setCurrentWidget(m_sliceDetails);
    });
    connect(&m_timeline->canvas(), &TimelineCanvas::leftOut, this,
            [this](const QString& sentence) { m_message->showMessage(MessageKind::Note, sentence); });
    connect(&m_palette, &Palette::changed, this, &MainWindow::takeIcons);
    connect(m_viewOptions, &ViewOptions::failed, this, &MainWindow::showProblem);
    m_viewOptions->loadRules();

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
    if (m_traceAskedFor)
        showSummary();
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
    open(paths, false);
}

void MainWindow::reopenLast() {
    std::vector<fs::path> paths;
    for (const QString& path : m_settings.lastRun)
        paths.emplace_back(path.toStdString());
    if (m_settings.reopenLast && !paths.empty())
        open(paths, true);
}

/// A path that was good once is not misspelled: it goes from the list of recent files.
void MainWindow::sayMissing(const fs::path& path, bool again) {
    const QString name = QString::fromStdString(path.string());
    const bool known = m_settings.recentPaths.removeAll(name) > 0;
    m_settings.save(m_services.settingsFile);
    fillRecent();
    if (again)
        m_message->showMessage(MessageKind::Note,
                               tr("%1, which was open last, is not there any more.").arg(name));
    else if (known)
        showProblem(tr("%1 is not there any more; it was taken off the list of recent files.").arg(name));
    else
        showProblem(tr("%1 does not exist. Check the spelling of the path.").arg(name));
}

void MainWindow::open(const std::vector<fs::path>& paths, bool again) {
    m_message->hide();
    m_runner.start(
        m_openSlot, tr("Looking at the files"), [paths](TaskContext&) { return planFor(paths); }, this,
        [this, paths, again](Result<OpenPlan> plan) {
            if (!plan) {
                showProblem(QString::fromStdString(plan.error().message));
                return;
            }
            if (plan->missing) {
                sayMissing(*plan->missing, again);
                return;
            }
            for (const fs::path& path : paths)
                remember(QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
            for (const fs::path& run : plan->runs)
                m_runs.adopt(run);
            m_traceAskedFor = plan->runs.empty(); // a run folder may well hold no trace
            showCenter(m_timeline);
            if (!m_session.store())
                m_session.close(tr("The trace is being read."));
            m_session.open(plan->traces, runTitle(paths), keepsTraces());
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
    return m_runner.idle() && !m_runs.busy() && !m_analysis.settling();
}

const RunRecord* MainWindow::shownRun() const {
    return m_runs.find(m_shownRun);
}

QString MainWindow::message() const {
    return m_message->message();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closing && isVisible()) {
        m_settings.windowGeometry = saveGeometry();
        m_settings.windowLayout = layoutState();
        if (m_saveTheme)
            m_settings.theme = m_palette.mode();
        m_output->keep();
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
