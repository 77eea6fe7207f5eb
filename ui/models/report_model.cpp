// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/report_model.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/models/record_sentence.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr quintptr kTopLevel = 0; // children carry 1 + the row of their parent

int answerSymbol(triage::Answer answer) {
    switch (answer) {
    case triage::Answer::Yes:
        return static_cast<int>(Symbol::Pass);
    case triage::Answer::No:
        return static_cast<int>(Symbol::Fail);
    case triage::Answer::Unknown:
        break;
    }
    return static_cast<int>(Symbol::Unknown);
}

QString answerText(triage::Answer answer) {
    switch (answer) {
    case triage::Answer::Yes:
        return ReportModel::tr("yes");
    case triage::Answer::No:
        return ReportModel::tr("no");
    case triage::Answer::Unknown:
        break;
    }
    return ReportModel::tr("not known");
}

} // namespace

ReportModel::ReportModel(QObject* parent) : QAbstractItemModel(parent) {}

void ReportModel::setReport(std::shared_ptr<const triage::Report> report) {
    beginResetModel();
    m_report = std::move(report);
    m_groups.clear();
    if (m_report) {
        const triage::Diagnosis& diagnosis = m_report->diagnosis;
        if (!diagnosis.cause.empty()) {
            QString cause = QString::fromStdString(diagnosis.cause);
            m_groups.push_back({static_cast<int>(Symbol::Cause),
                                tr("Cause: %1").arg(cause.replace(u'_', u' ')),
                                QString::fromStdString(diagnosis.sentence), &diagnosis.evidence});
        }
        for (const triage::AcceptanceLine& line : m_report->acceptance) {
            const QString sentence = QString::fromStdString(line.sentence);
            const QString tip =
                u"%1: %2. %3"_s.arg(QString::fromStdString(line.id), answerText(line.state), sentence);
            m_groups.push_back({answerSymbol(line.state), sentence, tip, &line.evidence});
        }
    }
    endResetModel();
}

QModelIndex ReportModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTopLevel);
}

QModelIndex ReportModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kTopLevel)
        return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kTopLevel);
}

int ReportModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != kTopLevel || parent.column() != 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].evidence->size());
}

int ReportModel::columnCount(const QModelIndex&) const {
    return 1;
}

QVariant ReportModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (index.internalId() == kTopLevel)
        return groupData(m_groups[static_cast<std::size_t>(index.row())], role);
    const Group& group = m_groups[index.internalId() - 1];
    return evidenceData((*group.evidence)[static_cast<std::size_t>(index.row())], role);
}

QVariant ReportModel::groupData(const Group& group, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return group.text;
    case Qt::ToolTipRole:
        return group.toolTip;
    case SymbolRole:
        return group.symbol;
    default:
        return {};
    }
}

QVariant ReportModel::evidenceData(const triage::Evidence& evidence, int role) {
    const QString file = QString::fromStdString(evidence.file);
    const QString line = QString::fromStdString(evidence.text);
    const QString text = recordSentence(line.simplified());
    const QString place = evidence.line > 0 ? u"%1:%2"_s.arg(file).arg(evidence.line) : file;
    switch (role) {
    case Qt::DisplayRole:
        return text.isEmpty() ? place : u"%1  %2"_s.arg(place, text);
    case Qt::ToolTipRole:
        return u"<p>%1</p><p>%2</p><p>%3</p>"_s.arg(place.toHtmlEscaped(), line.toHtmlEscaped(),
                                                    tr("Press Enter or click to open the log at this line."));
    case PlaceRole:
        return place;
    case TextRole:
        return text;
    case FileRole:
        return file;
    case LineRole:
        return evidence.line;
    default:
        return {};
    }
}

QVariant ReportModel::headerData(int, Qt::Orientation, int) const {
    return {};
}

} // namespace ddp::ui
