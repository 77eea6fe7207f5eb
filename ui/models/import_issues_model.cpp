// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/import_issues_model.h"

#include "ui/delegates/verdict_symbol.h"

#include <QLocale>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString severityText(IssueSeverity severity) {
    switch (severity) {
    case IssueSeverity::DataLoss:
        return ImportIssuesModel::tr("data loss");
    case IssueSeverity::Warning:
        return ImportIssuesModel::tr("warning");
    case IssueSeverity::Info:
        break;
    }
    return ImportIssuesModel::tr("note");
}

Symbol severitySymbol(IssueSeverity severity) {
    switch (severity) {
    case IssueSeverity::DataLoss:
        return Symbol::Fail;
    case IssueSeverity::Warning:
        return Symbol::Warning;
    case IssueSeverity::Info:
        break;
    }
    return Symbol::Info;
}

QString whereText(const ImportIssue& issue) {
    QString where =
        issue.rank ? ImportIssuesModel::tr("rank %1").arg(*issue.rank) : ImportIssuesModel::tr("all");
    if (issue.location && !issue.location->empty())
        where += u", "_s + QString::fromStdString(*issue.location);
    return where;
}

} // namespace

ImportIssuesModel::ImportIssuesModel(QObject* parent) : QAbstractTableModel(parent) {}

void ImportIssuesModel::setIssues(std::vector<ImportIssue> issues) {
    beginResetModel();
    m_issues = std::move(issues);
    endResetModel();
}

int ImportIssuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_issues.size());
}

int ImportIssuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant ImportIssuesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ImportIssue& issue = m_issues[static_cast<std::size_t>(index.row())];
    if (role == SymbolRole && index.column() == SeverityColumn)
        return static_cast<int>(severitySymbol(issue.severity));
    if (role == Qt::TextAlignmentRole && index.column() == CountColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return u"<p><b>%1</b></p><p>%2</p>"_s.arg(QString::fromStdString(issue.name).toHtmlEscaped(),
                                                  QString::fromStdString(issue.sentence).toHtmlEscaped());
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case SeverityColumn:
        return severityText(issue.severity);
    case CountColumn:
        return QLocale().toString(static_cast<qulonglong>(issue.count));
    case WhereColumn:
        return whereText(issue);
    case SentenceColumn:
        return QString::fromStdString(issue.sentence);
    default:
        return {};
    }
}

QVariant ImportIssuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == CountColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case CountColumn:
        return tr("Count");
    case WhereColumn:
        return tr("Where");
    case SentenceColumn:
        return tr("What it means");
    default:
        return {};
    }
}

} // namespace ddp::ui
