// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/node_table_model.h"
#include "ui/runs/run_controller.h"
#include "ui/session/palette.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

/// The nodes and what is known about each: filter line, table, and how many passed and failed.
class NodeDashboardPanel final : public QWidget {
    Q_OBJECT

public:
    NodeDashboardPanel(RunController& runs, const Palette& palette, QWidget* parent = nullptr);

    const NodeTableModel& model() const { return *m_model; }
    void selectRun(const QString& id);
    void focusFilter();

Q_SIGNALS:
    void runActivated(const QString& id); ///< show it everywhere

private:
    void buildTable();
    void takeRun(const QString& id);
    void showCounts();
    void showMenu(const QPoint& position);
    QString runAt(const QModelIndex& proxyIndex) const;

    RunController& m_runs;
    const Palette& m_palette;
    NodeTableModel* m_model;
    WordFilterProxy* m_proxy;
    QLineEdit* m_filter;
    QTableView* m_table;
    QStackedWidget* m_pages;
    QLabel* m_counts;
    QTimer m_clock;
};

} // namespace ddp::ui
