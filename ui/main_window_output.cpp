// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window_output.h"

#include "ui/dialogs/compare_window.h"
#include "ui/dialogs/view_export.h"
#include "ui/panels/table_actions.h"
#include "ui/session/themed_icon.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QStatusBar>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSavedMs = 8000;

} // namespace

MainWindowOutput::MainWindowOutput(const Parts& parts)
    : QObject(&parts.window), m_parts(parts), m_memory(runMemoryFile(parts.settingsFile)),
      m_viewMemory(m_memory, parts.session, parts.analysis, parts.view, parts.canvas),
      m_export(new ViewExport(parts.canvas, parts.session, parts.palette, parts.runner, parts.window)),
      m_compareAction(new QAction(tr("&Compare with…"), this)) {
    m_compareAction->setObjectName(u"compareWith"_s);
    m_compareAction->setIconText(tr("Compare"));
    m_compareAction->setToolTip(
        tr("Shows the open run and another one below each other, and what differs between them."));
    connect(m_compareAction, &QAction::triggered, this, &MainWindowOutput::chooseRun);
    connect(m_export, &ViewExport::failed, this, &MainWindowOutput::problem);
    connect(m_export, &ViewExport::saved, this, &MainWindowOutput::saved);
    const auto follow = [this] { m_compareAction->setEnabled(m_parts.session.store() != nullptr); };
    connect(&m_parts.session, &TraceSession::changed, this, follow);
    follow();
    const auto takeIcon = [this] {
        m_compareAction->setIcon(themedIcon(u"compare"_s, m_parts.palette.colors()));
    };
    connect(&m_parts.palette, &Palette::changed, this, takeIcon);
    takeIcon();
    followTables();
}

MainWindowOutput::~MainWindowOutput() = default;

void MainWindowOutput::followTables() {
    for (const auto* actions : m_parts.window.findChildren<TableActions*>()) {
        connect(actions, &TableActions::failed, this, &MainWindowOutput::problem);
        connect(actions, &TableActions::saved, this, &MainWindowOutput::saved);
    }
}

void MainWindowOutput::saved(const QString& file) {
    m_parts.window.statusBar()->showMessage(tr("Saved as %1").arg(file), kSavedMs);
}

void MainWindowOutput::fillFileMenu(QMenu& menu, QAction* before) {
    menu.insertAction(before, m_compareAction);
    menu.insertSeparator(before);
    menu.insertAction(before, m_export->exportAction());
    menu.insertAction(before, m_export->copyAction());
    menu.insertSeparator(before);
    auto* reopen = new QAction(tr("Reopen the &last run"), this);
    reopen->setObjectName(u"reopenLast"_s);
    reopen->setCheckable(true);
    reopen->setChecked(m_parts.settings.reopenLast);
    reopen->setToolTip(tr("The next start without a path opens the run that was open last, as it was seen."));
    connect(reopen, &QAction::toggled, this, [this](bool on) {
        m_parts.settings.reopenLast = on;
        m_parts.settings.save(m_parts.settingsFile);
    });
    menu.insertAction(before, reopen);
}

void MainWindowOutput::keep() {
    m_viewMemory.flush();
    m_parts.settings.lastRun.clear();
    for (const std::filesystem::path& path : m_parts.session.paths())
        m_parts.settings.lastRun += QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
    if (m_compare)
        m_compare->close();
}

void MainWindowOutput::chooseRun() {
    const QString folder = QFileDialog::getExistingDirectory(&m_parts.window, tr("Compare with the run in"),
                                                             m_parts.settings.lastFolder);
    if (!folder.isEmpty())
        compareWith({folder.toStdString()});
}

void MainWindowOutput::compareWith(const std::vector<std::filesystem::path>& paths) {
    if (!m_parts.session.store())
        return;
    m_compare = std::make_unique<CompareWindow>(m_parts.palette);
    m_compare->a().show(m_parts.session, m_parts.analysis.run());
    m_compare->b().open(paths, m_parts.session.rules(), m_parts.keepsTraces());
    SliceColoring coloring = m_parts.canvas.coloring();
    coloring.groups.reset(); // they are of the open run
    if (coloring.by == ColorBy::Group)
        coloring.by = ColorBy::Class;
    for (CompareSide* side : {&m_compare->a(), &m_compare->b()})
        side->view().canvas().setColoring(coloring);
    m_compare->show();
    m_compare->raise();
}

} // namespace ddp::ui
