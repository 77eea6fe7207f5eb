// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/job_rows.h"
#include "ui/session/cluster_session.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QMessageBox;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

class ElidedLabel;
class JobLogView;

/// The jobs of the chosen cluster, those of earlier starts too, and beside them what the selected one prints.
class ClusterJobsPanel final : public QWidget {
    Q_OBJECT

public:
    ClusterJobsPanel(ClusterSession& session, TaskRunner& runner, const Palette& palette,
                     QWidget* parent = nullptr);

    QTableView& table() const { return *m_table; }
    QStringList selectedJobs() const; ///< their ids, in the order in which they are shown
    void selectJob(const QString& id);
    /// Only a log that is seen is followed.
    void setSeen(bool seen);

Q_SIGNALS:
    void runWanted(const QString& jobId);
    void openCountChanged(int jobs); ///< that are not over

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildLine();
    void connectParts();
    void buildTable();
    void takeJobs();
    void tick();
    void showCounts();
    void followSelection();
    std::vector<const remote::JobRecord*> selected() const;
    void askToCancel();
    void confirmCancel(const QString& id, const QString& plan);
    void openRun();

    ClusterSession& m_session;
    RowsModel<JobTableRow>* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    ElidedLabel* m_counts;
    QAction *m_open = nullptr, *m_cancel = nullptr, *m_pull = nullptr;
    JobLogView* m_log;
    QTimer m_clock;
    int m_quietTicks = 0;
    QStringList m_cancelling; // ids, while their plan is asked and confirmed
    QPointer<QMessageBox> m_question;
};

} // namespace ddp::ui
