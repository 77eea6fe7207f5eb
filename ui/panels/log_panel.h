// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/log_reader.h"
#include "ui/runs/run_controller.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace ddp::ui {

class LogText;

/// The text files of a run, and the output of the one that is under way. Files are read in tasks, long ones
/// in parts.
class LogPanel final : public QWidget {
    Q_OBJECT

public:
    LogPanel(TaskRunner& runner, const RunController& runs, const Palette& palette,
             QWidget* parent = nullptr);

    /// The files of the run; shows its live output while it is under way, else its first file.
    void showRun(const QString& id);
    /// Opens the file at the line and marks it; `file` as evidence names it.
    void showLine(const QString& id, const QString& file, qint64 line);
    QString currentFile() const; ///< as the chooser names it; empty for live output
    LogText& text() const { return *m_text; }

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void takeOutput(const QString& id, const QString& text);
    void listFiles(const QString& wanted);
    void fillChooser(const QStringList& files, const QString& wanted);
    void load(const QString& file, qint64 line, LogAnchor anchor, bool mark);
    void showPart(const QString& file, const LogPart& part, qint64 line, bool mark);
    void showLive();
    void showEmpty(const QString& sentence);

    TaskRunner& m_runner;
    const RunController& m_runs;
    TaskSlot m_listSlot;
    TaskSlot m_readSlot;
    QString m_runId;
    std::filesystem::path m_folder;
    QString m_liveRun; // whose output m_live is
    QString m_live;
    bool m_showsLive = false;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QComboBox* m_chooser;
    QLabel* m_range;
    QToolButton* m_earlier;
    QToolButton* m_later;
    LogText* m_text;
};

} // namespace ddp::ui
