// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/analysis_session.h"
#include "ui/session/palette.h"
#include "ui/session/run_memory.h"
#include "ui/session/settings.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"
#include "ui/tasks/task_runner.h"
#include "ui/timeline/view_memory.h"

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace ddp::ui {

class CompareWindow;
class TimelineCanvas;
class ViewExport;

/// The parts of the main window by which something leaves it or is kept: pictures and tables as files, what
/// is remembered of each run, and the comparison with another run.
class MainWindowOutput final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        QMainWindow& window;
        Settings& settings;
        QString settingsFile;
        const TraceSession& session;
        const AnalysisSession& analysis;
        ViewState& view;
        const Palette& palette;
        TaskRunner& runner;
        TimelineCanvas& canvas;
        std::function<bool()> keepsTraces;
    };
    /// After all tables are there, and whatever hands runs on to the canvas.
    explicit MainWindowOutput(const Parts& parts);
    ~MainWindowOutput() override;

    void fillFileMenu(QMenu& menu, QAction* before);
    QAction* compareAction() const { return m_compareAction; }
    RunMemory& memory() { return m_memory; }

    void compareWith(const std::vector<std::filesystem::path>& paths);
    /// Null before the first.
    CompareWindow* compareWindow() const { return m_compare.get(); }
    /// What is open is kept for the next start, and how it is seen.
    void keep();

Q_SIGNALS:
    void problem(const QString& sentence);

private:
    void chooseRun();
    void followTables();
    void saved(const QString& file);

    Parts m_parts;
    RunMemory m_memory;
    ViewMemory m_viewMemory;
    ViewExport* m_export;
    QAction* m_compareAction;
    std::unique_ptr<CompareWindow> m_compare;
};

} // namespace ddp::ui
