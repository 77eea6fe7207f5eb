// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/node_table_model.h"

#include <QLocale>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

NodeTableModel::NodeTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void NodeTableModel::update(const RunRecord& run) {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&run](const RunRecord& row) {
        return row.node == run.node && row.simulated() == run.simulated();
    });
    if (found == m_rows.end()) {
        const int row = static_cast<int>(m_rows.size());
        beginInsertRows({}, row, row);
        m_rows.push_back(run);
        endInsertRows();
        return;
    }
    if (found->id != run.id && found->started > run.started)
        return;
    *found = run;
    const int row = static_cast<int>(found - m_rows.begin());
    Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
}

void NodeTableModel::tick(const QDateTime& now) {
    m_now = now;
    if (m_rows.empty())
        return;
    const int last = static_cast<int>(m_rows.size()) - 1;
    Q_EMIT dataChanged(index(0, StateColumn), index(last, StateColumn), {Qt::DisplayRole});
    Q_EMIT dataChanged(index(0, WhenColumn), index(last, WhenColumn), {Qt::DisplayRole});
}

NodeTableModel::Counts NodeTableModel::counts() const {
    Counts counts;
    for (const RunRecord& run : m_rows) {
        switch (statusOf(run)) {
        case RunStatus::Pass:
            ++counts.pass;
            break;
        case RunStatus::Fail:
            ++counts.fail;
            break;
        case RunStatus::Inconclusive:
        case RunStatus::Stopped: // it says nothing about the node
            ++counts.inconclusive;
            break;
        case RunStatus::Running:
            ++counts.running;
            break;
        case RunStatus::Broken:
            ++counts.other;
            break;
        }
    }
    return counts;
}

QModelIndex NodeTableModel::indexOfRun(const QString& id) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&id](const RunRecord& row) { return row.id == id; });
    return found == m_rows.end() ? QModelIndex() : index(static_cast<int>(found - m_rows.begin()), 0);
}

int NodeTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= kColumns)
        return {};
    const RunRecord& run = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return display(run, index.column());
    case Qt::ToolTipRole:
        return toolTip(run);
    case StatusRole:
        return static_cast<int>(statusOf(run));
    case RunIdRole:
        return run.id;
    case SortRole:
        return sortKey(run, index.column());
    case SimulatedRole:
        return run.simulated();
    default:
        return {};
    }
}

QVariant NodeTableModel::display(const RunRecord& run, int column) const {
    switch (column) {
    case StateColumn:
        return statusText(run, m_now);
    case NodeColumn:
        return run.simulated() ? tr("%1 (demo)").arg(run.node) : run.node;
    case CauseColumn: {
        const QString cause = causeText(run);
        return cause.isEmpty() && run.over() ? u"–"_s : cause;
    }
    case WhenColumn:
        return ageText(run.started, m_now);
    default:
        return {};
    }
}

QVariant NodeTableModel::sortKey(const RunRecord& run, int column) const {
    switch (column) {
    case StateColumn: // what needs a person comes first
        switch (statusOf(run)) {
        case RunStatus::Running:
            return 0;
        case RunStatus::Fail:
            return 1;
        case RunStatus::Broken:
            return 2;
        case RunStatus::Inconclusive:
            return 3;
        case RunStatus::Stopped:
            return 4;
        case RunStatus::Pass:
            return 5;
        }
        return 6;
    case WhenColumn:
        return run.started;
    default:
        return display(run, column);
    }
}

QString NodeTableModel::toolTip(const RunRecord& run) const {
    return u"<p><b>%1</b>: %2</p><p>%3</p><p>%4</p>"_s.arg(
        run.node.toHtmlEscaped(), kindText(run).toHtmlEscaped(), verdictSentence(run).toHtmlEscaped(),
        tr("Started %1.").arg(QLocale().toString(run.started, QLocale::ShortFormat)));
}

QVariant NodeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case StateColumn:
        return tip ? tr("The verdict of the node's newest check.") : tr("State");
    case NodeColumn:
        return tip ? tr("The node. Faults reproduced on purpose have a row of their own, marked “demo”.")
                   : tr("Node");
    case CauseColumn:
        return tip ? tr("What the evidence names as the cause.") : tr("Cause");
    case WhenColumn:
        return tip ? tr("How long ago the check was started.") : tr("When");
    default:
        return {};
    }
}

WordFilterProxy::WordFilterProxy(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(NodeTableModel::SortRole);
    setDynamicSortFilter(true);
}

void WordFilterProxy::setWords(const QString& text) {
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool WordFilterProxy::filterAcceptsRow(int row, const QModelIndex& parent) const {
    QString line;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        line += sourceModel()->index(row, column, parent).data().toString() + u'\n';
    return std::all_of(m_words.begin(), m_words.end(),
                       [&line](const QString& word) { return line.contains(word, Qt::CaseInsensitive); });
}

} // namespace ddp::ui
