// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/import_issues_panel.h"

#include "ui/delegates/symbol_delegate.h"
#include "ui/panels/table_actions.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

ImportIssuesPanel::ImportIssuesPanel(const TraceSession& session, TaskRunner& runner, const Palette& palette,
                                     QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new ImportIssuesModel(this)), m_pages(new QStackedWidget),
      m_table(new QTableView), m_empty(new QLabel) {
    m_table->setObjectName(u"issuesTable"_s);
    m_table->setAccessibleName(tr("Import issues"));
    m_table->setModel(m_model);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(
        QHeaderView::ResizeToContents); // sentences are read whole
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ImportIssuesModel::SentenceColumn,
                                                      QHeaderView::Stretch);
    auto* symbols = new SymbolDelegate(
        palette,
        [](const QModelIndex& index) -> std::optional<Symbol> {
            const QVariant symbol = index.data(ImportIssuesModel::SymbolRole);
            return symbol.isValid() ? std::optional(static_cast<Symbol>(symbol.toInt())) : std::nullopt;
        },
        m_table);
    m_table->setItemDelegateForColumn(ImportIssuesModel::SeverityColumn, symbols);
    new TableActions(*m_table, runner, u"import_issues"_s, nullptr); // the table's
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    connect(&m_session, &TraceSession::changed, this, &ImportIssuesPanel::refresh);
    refresh();
}

void ImportIssuesPanel::refresh() {
    std::vector<ImportIssue> issues;
    if (const auto& store = m_session.store())
        issues.assign(store->issues().begin(), store->issues().end());
    m_empty->setText(m_session.store()
                         ? tr("The trace was read without a loss or a warning.")
                         : tr("What is missing or damaged in a trace is listed here when one is open."));
    m_pages->setCurrentIndex(issues.empty() ? 0 : 1);
    const int count = static_cast<int>(issues.size());
    m_model->setIssues(std::move(issues));
    Q_EMIT countChanged(count);
}

} // namespace ddp::ui
