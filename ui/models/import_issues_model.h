// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <QAbstractTableModel>

#include <vector>

namespace ddp::ui {

/// What the import met and went on after; one row per kind and place.
class ImportIssuesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Columns { SeverityColumn, CountColumn, WhereColumn, SentenceColumn, kColumns };
    enum Roles { SymbolRole = Qt::UserRole };

    explicit ImportIssuesModel(QObject* parent = nullptr);
    void setIssues(std::vector<ImportIssue> issues);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ImportIssue> m_issues;
};

} // namespace ddp::ui
