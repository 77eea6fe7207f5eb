// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/compare_side.h"
#include "ui/models/compare_table.h"
#include "ui/panels/table_actions.h"
#include "ui/session/coupled_views.h"
#include "ui/tasks/task_runner.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

class ElidedLabel;
class MessageBar;

/// Two runs one above the other, and below them what differs between them. A window of its own, with tasks of
/// its own: the runs stay when the main window opens another one.
class CompareWindow final : public QWidget {
    Q_OBJECT

public:
    explicit CompareWindow(const Palette& palette);
    ~CompareWindow() override;

    CompareSide& a() { return m_a; }
    CompareSide& b() { return m_b; }
    /// Nothing is being read or compared.
    bool idle() const { return m_runner.idle(); }
    /// The problem that is told of at present; empty: none.
    QString message() const;

private:
    enum Coupling { ByTime, ByStep, Apart };

    QWidget* buildHead();
    QWidget* buildTable();
    QTableView* makeTable();
    QWidget* framed(const QString& letter, CompareSide& side);
    void takeRuns();
    void compare();
    void fill(const Comparison& comparison);
    void couple();
    void say(const QString& sentence);

    const Palette& m_palette;
    TaskRunner m_runner;
    TaskSlot m_slot;
    CompareSide m_a;
    CompareSide m_b;
    CoupledViews m_views;
    RowsModel<ComparedRow>* m_rows;
    MessageBar* m_message = nullptr;
    QComboBox* m_coupling = nullptr;
    QLabel* m_couplingNote = nullptr;
    ElidedLabel* m_basis = nullptr;
    QLabel* m_empty = nullptr;
    QStackedWidget* m_pages = nullptr;
};

} // namespace ddp::ui
