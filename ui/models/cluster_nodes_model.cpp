// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/cluster_nodes_model.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/models/rows_model.h"

#include <algorithm>
#include <numeric>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

int urgency(const NodeCheck* check) {
    if (!check || check->word.isEmpty())
        return 9;
    switch (check->status) {
    case RunStatus::Fail:
        return 0;
    case RunStatus::Broken:
        return 1;
    case RunStatus::Inconclusive:
        return 2;
    case RunStatus::Running:
        return 3;
    case RunStatus::Stopped:
        return 4;
    case RunStatus::Pass:
        break;
    }
    return 5;
}

struct Heading {
    const char* title;
    const char* tip;
};

// In the order of the columns.
const Heading kHeadings[] = {
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "Node"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "The node's name in Slurm.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "State"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "What Slurm says of the node, with all flags.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "Check"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "What the newest check of the node found, or how far it is.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "When"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "How long ago that check was asked for.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "GPUs"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "How many GPUs are in use, of how many, and of which type.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "Jobs"),
     QT_TRANSLATE_NOOP(
         "ClusterNodesModel",
         "How many checks of yours run or wait on the node. Its other jobs are in the details.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "Partitions"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "The partitions that the node is in.")},
    {QT_TRANSLATE_NOOP("ClusterNodesModel", "Reason"),
     QT_TRANSLATE_NOOP("ClusterNodesModel", "Why the node is drained or down, as the administrator or Slurm "
                                            "wrote it.")},
};

bool isNumber(int column) {
    return column == ClusterNodesModel::WhenColumn || column == ClusterNodesModel::JobsColumn ||
           column == ClusterNodesModel::GpuColumn;
}

} // namespace

ClusterNodesModel::ClusterNodesModel(QObject* parent)
    : QAbstractTableModel(parent), m_rows(std::make_shared<const NodeRows>()) {}

void ClusterNodesModel::setNodes(std::shared_ptr<const NodeRows> rows) {
    auto order = arranged(*rows);
    auto shown = chosen(*rows, order);
    // While the same names are in sight in the same order, only their contents are new.
    const bool same =
        std::equal(m_shown.begin(), m_shown.end(), shown.begin(), shown.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return (*m_rows)[a].name == (*rows)[b].name; });
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    m_order = std::move(order);
    m_shown = std::move(shown);
    if (!same)
        endResetModel();
    else if (!m_shown.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void ClusterNodesModel::setChecks(NodeChecks checks) {
    m_checks = std::move(checks);
    setNodes(m_rows);
}

void ClusterNodesModel::setFilter(const NodeFilter& filter) {
    if (filter == m_filter)
        return;
    m_filter = filter;
    beginResetModel();
    m_shown = chosen(*m_rows, m_order);
    endResetModel();
}

void ClusterNodesModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_sortOrder = order;
    beginResetModel();
    m_order = arranged(*m_rows);
    m_shown = chosen(*m_rows, m_order);
    endResetModel();
}

void ClusterNodesModel::tick(const QDateTime& now) {
    m_now = now;
    if (!m_shown.empty() && !m_checks.isEmpty())
        Q_EMIT dataChanged(index(0, WhenColumn), index(rowCount() - 1, WhenColumn), {Qt::DisplayRole});
}

std::vector<std::uint32_t> ClusterNodesModel::arranged(const NodeRows& rows) const {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    if (m_sortColumn != NodeColumn) // they come in the order of their names
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return less(rows[a], rows[b]); });
    if (m_sortOrder == Qt::DescendingOrder)
        std::reverse(order.begin(), order.end());
    return order;
}

bool ClusterNodesModel::less(const NodeRow& left, const NodeRow& right) const {
    switch (m_sortColumn) {
    case StateColumn:
        return left.use != right.use ? left.use < right.use : left.state < right.state;
    case CheckColumn:
        return urgency(check(left.name)) < urgency(check(right.name));
    case WhenColumn: {
        const NodeCheck* one = check(left.name);
        const NodeCheck* other = check(right.name);
        return one && (!other || one->when > other->when);
    }
    case GpuColumn:
        return left.gpuCount < right.gpuCount;
    case JobsColumn: {
        const NodeCheck* one = check(left.name);
        const NodeCheck* other = check(right.name);
        return (one ? one->jobs : 0) > (other ? other->jobs : 0);
    }
    case PartitionColumn:
        return left.partitions < right.partitions;
    case ReasonColumn: // those with one first
        return left.reason.isEmpty() != right.reason.isEmpty() ? right.reason.isEmpty()
                                                               : left.reason < right.reason;
    default:
        return left.place < right.place;
    }
}

std::vector<std::uint32_t> ClusterNodesModel::chosen(const NodeRows& rows,
                                                     const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint32_t> shown;
    const QStringList words = m_filter.text.toLower().split(u' ', Qt::SkipEmptyParts);
    const std::string partition = m_filter.partition.toStdString();
    for (const std::uint32_t at : order)
        if (matches(rows[at], words, partition))
            shown.push_back(at);
    return shown;
}

bool ClusterNodesModel::matches(const NodeRow& row, const QStringList& words,
                                const std::string& partition) const {
    if (m_filter.use && row.use != *m_filter.use)
        return false;
    if (!partition.empty() && std::ranges::find(row.node.partitions, partition) == row.node.partitions.end())
        return false;
    const NodeCheck* checked = words.isEmpty() ? nullptr : check(row.name);
    return std::ranges::all_of(words, [&](const QString& word) {
        return row.words.contains(word) || (checked && (checked->word.contains(word, Qt::CaseInsensitive) ||
                                                        checked->cause.contains(word, Qt::CaseInsensitive)));
    });
}

const NodeCheck* ClusterNodesModel::check(const QString& node) const {
    const auto found = m_checks.constFind(node);
    return found == m_checks.constEnd() ? nullptr : &*found;
}

const NodeRow* ClusterNodesModel::find(const QString& node) const {
    const auto found =
        std::lower_bound(m_rows->begin(), m_rows->end(), node,
                         [](const NodeRow& row, const QString& name) { return naturalLess(row.name, name); });
    return found != m_rows->end() && found->name == node ? &*found : nullptr;
}

int ClusterNodesModel::placeOf(const QString& node) const {
    const NodeRow* wanted = find(node);
    if (!wanted)
        return -1;
    const auto at = static_cast<std::uint32_t>(wanted - m_rows->data());
    const auto found = std::ranges::find(m_shown, at);
    return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

QStringList ClusterNodesModel::partitions() const {
    QStringList all;
    for (const NodeRow& row : *m_rows)
        for (const std::string& name : row.node.partitions)
            if (const QString partition = QString::fromStdString(name); !all.contains(partition))
                all += partition;
    all.sort();
    return all;
}

ClusterNodesModel::Counts ClusterNodesModel::counts() const {
    Counts counts;
    counts.all = static_cast<int>(m_rows->size());
    counts.shown = rowCount();
    for (const NodeRow& row : *m_rows) {
        counts.unusable += row.takesJobs ? 0 : 1;
        const NodeCheck* checked = check(row.name);
        if (!checked || checked->word.isEmpty())
            continue;
        if (checked->simulated && checked->status != RunStatus::Running) {
            ++counts.simulated;
            continue;
        }
        switch (checked->status) {
        case RunStatus::Pass:
            ++counts.pass;
            break;
        case RunStatus::Fail:
            ++counts.fail;
            break;
        case RunStatus::Running:
            ++counts.running;
            break;
        case RunStatus::Inconclusive:
        case RunStatus::Stopped:
        case RunStatus::Broken:
            ++counts.inconclusive;
            break;
        }
    }
    return counts;
}

int ClusterNodesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int ClusterNodesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant ClusterNodesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns)
        return {};
    const NodeRow& node = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case KeyRole:
        return display(node, index.column());
    case Qt::ToolTipRole:
        return nodeToolTip(node, check(node.name));
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SymbolRole:
        return symbol(node, index.column());
    default:
        return {};
    }
}

QString ClusterNodesModel::display(const NodeRow& row, int column) const {
    const NodeCheck* checked = check(row.name);
    switch (column) {
    case NodeColumn:
        return row.name;
    case StateColumn:
        return row.state;
    case CheckColumn:
        return checked ? checked->word : QString();
    case WhenColumn:
        return checked && !checked->word.isEmpty() ? ageText(checked->when, m_now) : QString();
    case GpuColumn:
        return row.gpus;
    case JobsColumn:
        return checked && checked->jobs > 0 ? QString::number(checked->jobs) : QString();
    case PartitionColumn:
        return row.partitions;
    case ReasonColumn:
        return row.reason;
    default:
        return {};
    }
}

QVariant ClusterNodesModel::symbol(const NodeRow& row, int column) const {
    if (column == CheckColumn) {
        const NodeCheck* checked = check(row.name);
        if (checked && !checked->word.isEmpty())
            return static_cast<int>(symbolOf(checked->status));
    }
    if (column == StateColumn && !row.takesJobs)
        return static_cast<int>(row.use == NodeUse::Unknown ? Symbol::Unknown : Symbol::Warning);
    return {};
}

QVariant ClusterNodesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return tr(kHeadings[section].title);
    case Qt::ToolTipRole:
        return tr(kHeadings[section].tip);
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace ddp::ui
