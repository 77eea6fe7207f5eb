// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/cluster_session.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QTimer>
#include <QWidget>

class QStackedWidget;
class QLabel;

namespace ddp::ui {

class ElidedLabel;
class LogText;

/// What a job on a cluster prints: followed while it runs, and from its run folder when that is here.
class JobLogView final : public QWidget {
    Q_OBJECT

public:
    JobLogView(ClusterSession& session, TaskRunner& runner, const Palette& palette,
               QWidget* parent = nullptr);

    /// Empty: none.
    void showJob(const QString& id);
    /// What is not seen is not asked for.
    void setSeen(bool seen);
    LogText& text() const { return *m_text; }

private:
    void refresh();
    void ask();
    void takeLog(const QString& id, const std::vector<remote::TailText>& pieces, const QString& problem);
    void readFiles(const remote::JobRecord& job);
    void say(const QString& sentence);

    ClusterSession& m_session;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    QString m_id;
    std::string m_file;      // whose piece came last
    bool m_fromFile = false; // what is shown is from the run folder
    bool m_seen = false;
    QTimer m_timer;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    ElidedLabel* m_title;
    LogText* m_text;
};

} // namespace ddp::ui
