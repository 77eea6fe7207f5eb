// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/report.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace ddp::ui {

/// The acceptance list as a tree: the cause with its evidence first, then the seven lines with theirs. An
/// evidence row knows its file and line.
class ReportModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Roles { SymbolRole = Qt::UserRole, FileRole, LineRole, PlaceRole, TextRole };

    explicit ReportModel(QObject* parent = nullptr);
    void setReport(std::shared_ptr<const triage::Report> report);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Group {
        int symbol; // a Symbol of verdict_symbol.h
        QString text;
        QString toolTip;
        const std::vector<triage::Evidence>* evidence; // in m_report
    };
    QVariant groupData(const Group& group, int role) const;
    static QVariant evidenceData(const triage::Evidence& evidence, int role);

    std::shared_ptr<const triage::Report> m_report;
    std::vector<Group> m_groups;
};

} // namespace ddp::ui
