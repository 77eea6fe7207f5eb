// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/node_row.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>
#include <vector>

namespace ddp::ui {

/// What of the nodes is shown.
struct NodeFilter {
    QString text;               ///< every word of it occurs in a node's row
    QString partition;          ///< empty: any
    std::optional<NodeUse> use; ///< empty: any
    bool operator==(const NodeFilter&) const = default;
};

/// The nodes of a cluster, sorted and filtered here: a proxy would ask for every cell of ten thousand nodes.
/// A new answer with the same nodes in sight keeps the places of the rows.
class ClusterNodesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Columns {
        NodeColumn,
        StateColumn,
        CheckColumn,
        WhenColumn,
        GpuColumn,
        JobsColumn,
        PartitionColumn,
        ReasonColumn,
        kColumns
    };

    struct Counts {
        int pass = 0, fail = 0, inconclusive = 0, running = 0, simulated = 0;
        int unusable = 0; ///< drained, down and the like
        int shown = 0, all = 0;
    };

    explicit ClusterNodesModel(QObject* parent = nullptr);

    void setNodes(std::shared_ptr<const NodeRows> rows);
    void setChecks(NodeChecks checks);
    void setFilter(const NodeFilter& filter);
    const NodeFilter& filter() const { return m_filter; }
    /// Lets the ages move on.
    void tick(const QDateTime& now);

    const NodeRow& row(int place) const { return (*m_rows)[m_shown[static_cast<std::size_t>(place)]]; }
    /// Null: it has not been checked.
    const NodeCheck* check(const QString& node) const;
    const NodeRow* find(const QString& node) const;
    int placeOf(const QString& node) const; ///< -1: not in sight
    QStringList partitions() const;
    Counts counts() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    bool matches(const NodeRow& row, const QStringList& words, const std::string& partition) const;
    bool less(const NodeRow& left, const NodeRow& right) const;
    std::vector<std::uint32_t> arranged(const NodeRows& rows) const;
    std::vector<std::uint32_t> chosen(const NodeRows& rows, const std::vector<std::uint32_t>& order) const;
    QString display(const NodeRow& row, int column) const;
    QVariant symbol(const NodeRow& row, int column) const;

    std::shared_ptr<const NodeRows> m_rows;
    NodeChecks m_checks;
    NodeFilter m_filter;
    std::vector<std::uint32_t> m_order; // all, sorted
    std::vector<std::uint32_t> m_shown; // of these, those that pass the filter
    int m_sortColumn = NodeColumn;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QDateTime m_now = QDateTime::currentDateTime();
};

} // namespace ddp::ui
