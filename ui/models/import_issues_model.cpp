// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/import_issues_model.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/models/rows_model.h"

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

/// As ddpscope-cli says it.
QString severityField(IssueSeverity severity) {
    switch (severity) {
    case IssueSeverity::DataLoss:
        return u"data_loss"_s;
    case IssueSeverity::Warning:
        return u"warning"_s;
    case IssueSeverity::Info:
        break;
    }
    return u"info"_s;
}

QStringList fieldNames(int column) {
    switch (column) {
    case ImportIssuesModel::SeverityColumn:
        return {u"name"_s, u"severity"_s};
    case ImportIssuesModel::CountColumn:
        return {u"count"_s};
    case ImportIssuesModel::WhereColumn:
        return {u"rank"_s, u"location"_s};
    default:
        return {u"sentence"_s};
    }
}

QVariantList fields(const ImportIssue& issue, int column) {
    switch (column) {
    case ImportIssuesModel::SeverityColumn:
        return {QString::fromStdString(issue.name), severityField(issue.severity)};
    case ImportIssuesModel::CountColumn:
        return {static_cast<qulonglong>(issue.count)};
    case ImportIssuesModel::WhereColumn:
        return {issue.rank ? QVariant(*issue.rank) : QVariant(),
                issue.location ? QVariant(QString::fromStdString(*issue.location)) : QVariant()};
    default:
        return {QString::fromStdString(issue.sentence)};
    }
}

QString whereText(const ImportIssue& issue) {
    QString where =
        issue.rank ? ImportIssuesModel::tr("rank %1").arg(*issue.rank) : ImportIssuesModel::tr("all");
    if (issue.location)
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
    if (role == FieldsRole)
        return fields(issue, index.column());
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
    if (role == FieldsRole)
        return fieldNames(section);
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
