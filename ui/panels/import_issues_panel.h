// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/import_issues_model.h"
#include "ui/session/palette.h"
#include "ui/session/trace_session.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

/// What the import of the open trace met and went on after.
class ImportIssuesPanel final : public QWidget {
    Q_OBJECT

public:
    ImportIssuesPanel(const TraceSession& session, TaskRunner& runner, const Palette& palette,
                      QWidget* parent = nullptr);

Q_SIGNALS:
    void countChanged(int issues);

private:
    void refresh();

    const TraceSession& m_session;
    ImportIssuesModel* m_model;
    QStackedWidget* m_pages;
    QTableView* m_table;
    QLabel* m_empty;
};

} // namespace ddp::ui
