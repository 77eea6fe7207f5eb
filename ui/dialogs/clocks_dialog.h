// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/clocks_table.h"
#include "ui/session/trace_session.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace ddp::ui {

class FactTable;

/// How the clocks of the ranks lie to each other, what collectives would make of them, and offsets by hand.
class ClocksDialog final : public QDialog {
    Q_OBJECT

public:
    ClocksDialog(TraceSession& session, TaskRunner& runner, QWidget* parent = nullptr);

private:
    QWidget* buildHand();
    void takeStore();
    void takeRow();
    void setByHand();
    void reset();
    void tryOut();
    void showTrial();

    TraceSession& m_session;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    std::optional<MergeTrial> m_trial;
    std::shared_ptr<const TraceStore> m_tried; // what the trial is of
    RowsModel<ClockRow>* m_rows;
    FactTable* m_table;
    QLabel* m_which;
    QLineEdit* m_offset;
    QPushButton *m_set, *m_reset, *m_try;
    QLabel* m_said;
};

} // namespace ddp::ui
