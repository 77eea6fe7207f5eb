// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/run_record.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <vector>

namespace ddp::ui {

/// One row per node: its newest run. Faults that were reproduced on purpose are a row of their own, so that a
/// demo never hides what is known about the machine.
class NodeTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Columns { StateColumn, NodeColumn, CauseColumn, WhenColumn, kColumns };
    enum Roles { StatusRole = Qt::UserRole, RunIdRole, SortRole, SimulatedRole };

    struct Counts {
        int pass = 0, fail = 0, inconclusive = 0, running = 0, other = 0;
    };

    explicit NodeTableModel(QObject* parent = nullptr);

    /// Takes the newest run of a node over, ignores older ones.
    void update(const RunRecord& run);
    /// Lets the ages and running times move on.
    void tick(const QDateTime& now);
    Counts counts() const;
    QModelIndex indexOfRun(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant display(const RunRecord& run, int column) const;
    QVariant sortKey(const RunRecord& run, int column) const;
    QString toolTip(const RunRecord& run) const;

    std::vector<RunRecord> m_rows;
    QDateTime m_now = QDateTime::currentDateTime();
};

/// Keeps the rows in which every word of the filter occurs somewhere.
class WordFilterProxy final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit WordFilterProxy(QObject* parent = nullptr);
    void setWords(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace ddp::ui
