// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/report_model.h"
#include "ui/runs/run_controller.h"
#include "ui/session/palette.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeView;
class QVBoxLayout;

namespace ddp::ui {

class VerdictBadge;

/// Everything about one run: verdict, the sentence that explains it, what to do next, and the acceptance list
/// with its evidence. Earlier runs of the node are a choice at the top.
class RunDetails final : public QWidget {
    Q_OBJECT

public:
    RunDetails(const RunController& runs, const Palette& palette, QWidget* parent = nullptr);

    void showRun(const QString& id);
    const QString& shownRun() const { return m_id; }
    const ReportModel& model() const { return *m_model; }

Q_SIGNALS:
    void runChosen(const QString& id);
    void evidenceActivated(const QString& runId, const QString& file, int line);

private:
    void buildTree();
    QWidget* buildHead();
    void refresh();
    void fillHistory(const RunRecord& run);
    void fillNext(const RunRecord& run);
    void activate(const QModelIndex& index);

    const RunController& m_runs;
    const Palette& m_palette;
    QString m_id;
    ReportModel* m_model;
    QStackedWidget* m_pages;
    VerdictBadge* m_badge;
    QLabel* m_node;
    QLabel* m_sentence;
    QLabel* m_nextTitle;
    QLabel* m_next;
    QPushButton* m_copyNext;
    QComboBox* m_history;
    QTreeView* m_tree;
    QWidget* m_filler;                              // below the head while there is no list
    std::shared_ptr<const triage::Report> m_report; // what the tree shows
};

} // namespace ddp::ui
