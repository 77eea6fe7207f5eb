// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_controller.h"
#include "ui/services.h"
#include "ui/session/analysis_session.h"
#include "ui/session/palette.h"
#include "ui/session/settings.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"
#include "ui/tasks/task_runner.h"

#include <QMainWindow>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QTabWidget;

namespace ddp::ui {

class ElidedLabel;
class HelpOverlay;
class ImportIssuesPanel;
class LogPanel;
class MainWindowCluster;
class MainWindowOutput;
class MessageBar;
class Navigation;
class NodeDashboardPanel;
class RunDetails;
class SliceDetails;
class StartPage;
class TimelineView;
class ViewOptions;

/// Puts the parts together and passes their signals on; decides nothing itself.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// `theme` overrides what the user chose, for this start only.
    explicit MainWindow(Services services, std::optional<ThemeMode> theme = std::nullopt);
    ~MainWindow() override;

    void openPaths(const std::vector<std::filesystem::path>& paths);
    /// The run that was open at the end of the last start, if the user wants that and it is still there.
    void reopenLast();
    void startCheck(const CheckRequest& request);
    /// Nothing runs and nothing is being read: what is shown is final.
    bool idle() const;
    /// The run that is shown; none before the first.
    const RunRecord* shownRun() const;
    /// The problem that the window tells of at present; empty: none.
    QString message() const;

Q_SIGNALS:
    void closed(); ///< no window and no job any more

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildContent();
    void buildDocks();
    void buildWindowDocks();
    void buildMenus();
    void buildFileMenu();
    void buildDemoMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void buildToolBar();
    void buildOutput();
    void connectCluster();
    void takeIcons();
    void connectParts();
    void restoreLayout();
    void resetLayout();
    QByteArray layoutState() const;
    void sizeDocks();

    struct DockSizes {
        int nodes; ///< width
        int details;
        int log; ///< height
    };

    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content);
    DockSizes dockSizes() const;
    void setDockSizes(const DockSizes& sizes);
    void settleTitle(QDockWidget& dock);
    QAction* addCheck(QMenu& menu, const QString& name, const QString& text, const QString& tip,
                      const CheckRequest& request);
    void showRun(const QString& id);     ///< with its trace
    void showVerdict(const QString& id); ///< in all docks
    void showCenter(QWidget* page);
    void showProblem(const QString& sentence);
    void takeTrace();
    void showSummary();
    void traceFailed(const QString& sentence);
    bool keepsTraces() const;
    void showEvidence(const QString& runId, const QString& file, qint64 line);
    void open(const std::vector<std::filesystem::path>& paths, bool again);
    void sayMissing(const std::filesystem::path& path, bool again);
    void remember(const QString& path);
    void fillRecent();
    void chooseFile();
    void chooseFolder();
    void goTo(QDockWidget* dock, QWidget* focus);

    Services m_services;
    Settings m_settings;
    Palette m_palette;
    TaskRunner m_runner;
    RunController m_runs;
    TraceSession m_session;
    ViewState m_view;
    AnalysisSession m_analysis;
    TaskSlot m_openSlot;
    std::unique_ptr<Navigation> m_navigation;

    QString m_shownRun;
    bool m_traceAskedFor = false; // the user named the trace, so its failure is said loudly
    bool m_closing = false;
    bool m_laidOut = false;
    bool m_layoutRestored = false;
    DockSizes m_dockSizes{};
    QSize m_arrangedFor; // the window's size that m_dockSizes are for
    bool m_saveTheme = true;

    MainWindowOutput* m_output = nullptr;
    MainWindowCluster* m_cluster = nullptr;
    QStackedWidget* m_nodePages = nullptr; // the nodes of this machine's runs, or of the chosen cluster
    QDockWidget* m_jobsDock = nullptr;
    ElidedLabel* m_folder = nullptr;
    MessageBar* m_message = nullptr;
    QWidget* m_content = nullptr;       // of the timeline dock: the message, and below it …
    QStackedWidget* m_center = nullptr; // … the start page or the timeline
    StartPage* m_start = nullptr;
    TimelineView* m_timeline = nullptr;
    NodeDashboardPanel* m_nodes = nullptr;
    QTabWidget* m_detailTabs = nullptr;
    RunDetails* m_runDetails = nullptr;
    SliceDetails* m_sliceDetails = nullptr;
    LogPanel* m_log = nullptr;
    ImportIssuesPanel* m_issues = nullptr;
    HelpOverlay* m_help = nullptr;
    ViewOptions* m_viewOptions = nullptr;
    QDockWidget* m_nodesDock = nullptr;
    QDockWidget* m_timelineDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    QDockWidget* m_logDock = nullptr;
    QDockWidget* m_issuesDock = nullptr;
    QDockWidget* m_summaryDock = nullptr;
    std::vector<QDockWidget*> m_bottomDocks; // in the order of their tabs
    QMenu* m_demoMenu = nullptr;
    QMenu* m_recentMenu = nullptr;
    QAction* m_openAction = nullptr;
    QAction* m_stopAction = nullptr;
    QAction* m_zoomIn = nullptr;
    QAction* m_zoomOut = nullptr;
    QAction* m_fit = nullptr;
    QAction* m_helpAction = nullptr;
    QByteArray m_defaultLayout;
};

} // namespace ddp::ui
