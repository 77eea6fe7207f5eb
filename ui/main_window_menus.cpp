// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and the tool bar of MainWindow; what they do is in main_window.cpp.
#include "ui/main_window.h"

#include "ui/main_window_output.h"
#include "ui/navigation.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/import_issues_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/log_text.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/node_dashboard_panel.h"
#include "ui/panels/run_details.h"
#include "ui/panels/start_page.h"
#include "ui/session/themed_icon.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"
#include "ui/view_options.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStyleOptionToolButton>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

/// A panel itself may not take the focus; its first child that does, does. False: there is none.
bool focusInside(QWidget& panel) {
    QWidget* next = &panel;
    do {
        if (next->focusPolicy() != Qt::NoFocus && next->isVisible() &&
            (next == &panel || panel.isAncestorOf(next))) {
            next->setFocus(Qt::ShortcutFocusReason);
            return true;
        }
        next = next->nextInFocusChain();
    } while (next != &panel);
    return false;
}

/// Its text has an arrow of its own. A style sheet that hides the style's arrow would keep the colours that
/// the button had when it was set.
class MenuButton final : public QToolButton {
protected:
    void initStyleOption(QStyleOptionToolButton* option) const override {
        QToolButton::initStyleOption(option);
        option->features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
    }
};

} // namespace

void MainWindow::buildMenus() {
    buildFileMenu();
    buildDemoMenu();
    buildViewMenu();
    m_navigation = std::make_unique<Navigation>(Navigation::Parts{m_session, m_view, m_analysis, m_runner,
                                                                  m_palette, *m_timeline, *m_detailTabs,
                                                                  *this, m_services.settingsFile});
    connect(m_navigation.get(), &Navigation::failed, this, &MainWindow::showProblem);
    buildHelpMenu();
    buildToolBar();
    takeIcons();
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    m_openAction = menu->addAction(tr("&Open trace…"), QKeySequence::Open, this, &MainWindow::chooseFile);
    m_openAction->setObjectName(u"openTrace"_s);
    m_openAction->setIconText(tr("Open…"));
    m_openAction->setToolTip(
        tr("Opens an OTF2 archive (Ctrl+O). For the folder of a whole run, press Ctrl+Shift+O."));
    menu->addAction(tr("Open run &folder…"), QKeySequence(u"Ctrl+Shift+O"_s), this,
                    &MainWindow::chooseFolder);
    m_recentMenu = menu->addMenu(tr("&Recent"));
    menu->addSeparator();
    menu->setToolTipsVisible(true);
    QAction* keep = menu->addAction(tr("&Keep traces for quick opening"), this, [this](bool on) {
        m_settings.keepTraces = on;
        m_settings.save(m_services.settingsFile);
    });
    keep->setObjectName(u"keepTraces"_s);
    keep->setCheckable(true);
    keep->setChecked(m_settings.keepTraces);
    keep->setToolTip(
        tr("What was read of a trace stays in the cache folder (at most 20 GiB), so that the trace opens "
           "at once the next time."));
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence(u"Ctrl+Q"_s), this, &QWidget::close);
}

QAction* MainWindow::addCheck(QMenu& menu, const QString& name, const QString& text, const QString& tip,
                              const CheckRequest& request) {
    QAction* action = menu.addAction(text, this, [this, request] { startCheck(request); });
    action->setObjectName(name);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    return action;
}

void MainWindow::buildDemoMenu() {
    using remote::Simulation;
    m_demoMenu = menuBar()->addMenu(tr("&Demo"));
    m_demoMenu->setToolTipsVisible(true);
    addCheck(*m_demoMenu, u"demoMissingModel"_s, tr("&Missing model"),
             tr("Rank 1 builds no model; libtorch's own check on rank 0 finds “inconsistent 0 params”."),
             {Simulation::MissingModel, false})
        ->setShortcut(QKeySequence(u"Ctrl+D"_s));
    addCheck(*m_demoMenu, u"demoLostCollective"_s, tr("&Lost collective"),
             tr("Both ranks have the model, but the first collective is not delivered: the same message, "
                "another cause."),
             {Simulation::LostCollective, false});
    addCheck(*m_demoMenu, u"demoHang"_s, tr("&Hang"),
             tr("One rank never enters the collective; the deadline ends the job and names the stage."),
             {Simulation::Hang, false});
    addCheck(*m_demoMenu, u"demoHealthy"_s, tr("H&ealthy run"),
             tr("The whole check on the CPU, without a fault. It can not pass a GPU node, and says so."),
             {Simulation::None, false});
    m_demoMenu->addSeparator();
    addCheck(*m_demoMenu, u"checkHardware"_s, tr("Hardware &check on this machine"),
             tr("The real check: needs at least two GPUs and NCCL, and fails in words where there are none."),
             {Simulation::None, true});
    m_demoMenu->addSeparator();
    m_stopAction = m_demoMenu->addAction(tr("&Stop the check"), QKeySequence(u"Ctrl+."_s), &m_runs,
                                         &RunController::stop);
    m_stopAction->setObjectName(u"stopCheck"_s);
    m_stopAction->setIconText(tr("Stop"));
    m_stopAction->setToolTip(tr("Ends the running check and all its processes (Ctrl+.)."));
    m_stopAction->setEnabled(false);
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    TimelineCanvas* canvas = &m_timeline->canvas();
    m_zoomIn = menu->addAction(tr("Zoom &in\tW"), canvas, &TimelineCanvas::zoomIn);
    m_zoomOut = menu->addAction(tr("Zoom &out\tS"), canvas, &TimelineCanvas::zoomOut);
    m_fit = menu->addAction(tr("&Whole trace\tF"), &m_view, &ViewState::fit);
    m_zoomIn->setToolTip(tr("Zooms into the timeline (W, or the wheel at the mouse)."));
    m_zoomOut->setToolTip(tr("Zooms out of the timeline (S, or the wheel at the mouse)."));
    m_fit->setToolTip(tr("Shows the whole trace (F)."));
    m_zoomIn->setIconText(tr("Zoom in"));
    m_zoomOut->setIconText(tr("Zoom out"));
    m_fit->setIconText(tr("Fit"));
    for (QAction* action : {m_zoomIn, m_zoomOut, m_fit})
        action->setEnabled(false);
    menu->addAction(tr("Fold all ranks"), canvas, [canvas] { canvas->foldAll(true); });
    menu->addAction(tr("Unfold all ranks"), canvas, [canvas] { canvas->foldAll(false); });
    QAction* bands = menu->addAction(tr("Overlap &bands"), this, [this, canvas](bool on) {
        canvas->setBands(on);
        m_settings.showBands = on;
        m_settings.save(m_services.settingsFile);
    });
    bands->setObjectName(u"overlapBands"_s);
    bands->setToolTip(
        tr("Tints the lanes of a device where exposed or hidden communication fills its time."));
    bands->setCheckable(true);
    bands->setChecked(m_settings.showBands);
    canvas->setBands(m_settings.showBands);
    m_viewOptions = new ViewOptions(
        {m_session, m_analysis, m_runner, m_palette, m_settings, m_services.settingsFile, *m_timeline, *this},
        this);
    m_viewOptions->addTo(*menu);
    menu->addSeparator();

    QMenu* go = menu->addMenu(tr("&Go to"));
    go->addAction(tr("Nodes"), QKeySequence(u"Ctrl+1"_s), this, [this] {
        goTo(m_nodesDock, nullptr);
        m_nodes->focusFilter();
    });
    go->addAction(tr("Timeline"), QKeySequence(u"Ctrl+2"_s), this, [this] {
        showCenter(m_timeline);
        goTo(m_timelineDock, &m_timeline->canvas());
    });
    go->addAction(tr("Details"), QKeySequence(u"Ctrl+3"_s), this,
                  [this] { goTo(m_detailsDock, m_detailTabs->currentWidget()); });
    go->addAction(tr("Log"), QKeySequence(u"Ctrl+4"_s), this, [this] { goTo(m_logDock, &m_log->text()); });
    go->addAction(tr("Import issues"), QKeySequence(u"Ctrl+5"_s), this,
                  [this] { goTo(m_issuesDock, m_issues); });
    const QString keys = u"67890"_s; // the keys that follow, for the docks about the window
    for (qsizetype i = 0; i < keys.size(); ++i) {
        QDockWidget* dock = m_bottomDocks[static_cast<std::size_t>(i)];
        go->addAction(dock->windowTitle(), QKeySequence(u"Ctrl+%1"_s.arg(keys[i])), this,
                      [this, dock] { goTo(dock, dock->widget()); });
    }
    go->addAction(tr("Start page"), this, [this] { showCenter(m_start); });

    QMenu* docks = menu->addMenu(tr("&Docks"));
    std::vector<QDockWidget*> all{m_nodesDock, m_timelineDock, m_detailsDock};
    all.insert(all.end(), m_bottomDocks.begin(), m_bottomDocks.end());
    for (QDockWidget* dock : all)
        docks->addAction(dock->toggleViewAction());
    docks->addSeparator();
    docks->addAction(tr("Default layout"), this, &MainWindow::resetLayout);

    QMenu* theme = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, ThemeMode> modes[] = {{tr("As the desktop"), ThemeMode::System},
                                                   {tr("Light"), ThemeMode::Light},
                                                   {tr("Dark"), ThemeMode::Dark}};
    for (const auto& [text, mode] : modes) {
        QAction* action = theme->addAction(text, this, [this, chosen = mode] {
            m_saveTheme = true;
            m_palette.setMode(chosen);
        });
        action->setCheckable(true);
        action->setChecked(mode == m_palette.mode());
        group->addAction(action);
    }
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    m_helpAction = menu->addAction(tr("&Keys"), QKeySequence(u"?"_s), m_help, &HelpOverlay::toggle);
    m_helpAction->setShortcuts({QKeySequence(u"?"_s), QKeySequence(u"Shift+?"_s), QKeySequence(u"F1"_s)});
    m_helpAction->setObjectName(u"showKeys"_s);
    m_helpAction->setToolTip(tr("Shows all keys (?)."));
}

void MainWindow::buildToolBar() {
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(u"toolBar"_s);
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(16, 16));
    auto* demo = new MenuButton;
    demo->setObjectName(u"demoButton"_s);
    demo->setText(tr("Demo") + u" ▾"_s);
    demo->setToolTip(tr("Runs a check on this machine; no GPU is needed."));
    demo->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    demo->setPopupMode(QToolButton::InstantPopup);
    demo->setMenu(m_demoMenu);
    bar->addWidget(demo);
    bar->addAction(m_stopAction);
    bar->addSeparator();
    bar->addAction(m_openAction);
    bar->addSeparator();
    bar->addAction(m_zoomIn);
    bar->addAction(m_zoomOut);
    bar->addAction(m_fit);
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addAction(&m_navigation->paletteAction());
    bar->addAction(m_helpAction);
}

/// After connectParts(): what it does with a run comes last.
void MainWindow::buildOutput() {
    m_output =
        new MainWindowOutput({*this, m_settings, m_services.settingsFile, m_session, m_analysis, m_view,
                              m_palette, m_runner, m_timeline->canvas(), [this] { return keepsTraces(); }});
    auto* keep = findChild<QAction*>(u"keepTraces"_s);
    m_output->fillFileMenu(*qobject_cast<QMenu*>(keep->parent()), keep);
    findChild<QToolBar*>(u"toolBar"_s)->insertAction(m_zoomIn, m_output->compareAction());
    findChild<QToolBar*>(u"toolBar"_s)->insertSeparator(m_zoomIn);
    connect(m_output, &MainWindowOutput::problem, this, &MainWindow::showProblem);
    m_session.rememberClocks(&m_output->memory());
    if (const QString problem = m_output->memory().problem(); !problem.isEmpty())
        m_message->showMessage(MessageKind::Note, problem);
}

void MainWindow::takeIcons() {
    const Colors& colors = m_palette.colors();
    m_openAction->setIcon(themedIcon(u"open"_s, colors));
    m_stopAction->setIcon(themedIcon(u"stop"_s, colors));
    m_zoomIn->setIcon(themedIcon(u"zoom-in"_s, colors));
    m_zoomOut->setIcon(themedIcon(u"zoom-out"_s, colors));
    m_fit->setIcon(themedIcon(u"fit"_s, colors));
    m_helpAction->setIcon(themedIcon(u"keys"_s, colors));
    m_navigation->paletteAction().setIcon(themedIcon(u"search"_s, colors));
    if (auto* demo = findChild<QToolButton*>(u"demoButton"_s))
        demo->setIcon(themedIcon(u"play"_s, colors));
}

void MainWindow::goTo(QDockWidget* dock, QWidget* focus) {
    dock->show();
    dock->raise();
    if (focus && !focusInside(*focus))
        focusInside(*dock->widget());
}

void MainWindow::fillRecent() {
    m_recentMenu->clear();
    for (const QString& path : m_settings.recentPaths)
        m_recentMenu->addAction(path, this, [this, path] { openPaths({path.toStdString()}); });
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("&Clear list"), this, [this] {
        m_settings.recentPaths.clear();
        m_settings.save(m_services.settingsFile);
        fillRecent();
    });
    m_recentMenu->setEnabled(!m_settings.recentPaths.isEmpty());
    m_start->setRecent(m_settings.recentPaths);
}

void MainWindow::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open trace"), m_settings.lastFolder,
                                                      tr("OTF2 archives (*.otf2);;All files (*)"));
    if (file.isEmpty())
        return;
    m_settings.lastFolder = QFileInfo(file).absolutePath();
    openPaths({file.toStdString()});
}

void MainWindow::chooseFolder() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Open run folder"), m_settings.lastFolder);
    if (folder.isEmpty())
        return;
    m_settings.lastFolder = QFileInfo(folder).absolutePath();
    openPaths({folder.toStdString()});
}

} // namespace ddp::ui
