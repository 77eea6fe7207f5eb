// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/table_actions.h"

#include "ui/models/table_text.h"
#include "ui/tasks/write_file.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QKeyEvent>
#include <QTableView>

#include <algorithm>
#include <numeric>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

TableActions::TableActions(QTableView& table, TaskRunner& runner, const QString& name,
                           std::function<std::optional<TimeRange>()> window)
    : QObject(&table), m_table(table), m_runner(runner), m_name(name), m_window(std::move(window)) {
    const auto add = [this](const QString& id, const QString& text, auto act) {
        auto* action = new QAction(text, &m_table);
        action->setObjectName(m_name + id);
        connect(action, &QAction::triggered, this, act);
        m_table.addAction(action);
    };
    add(u"CopyCell"_s, tr("Copy cell"), [this] { copyCell(); });
    add(u"CopyRows"_s, tr("Copy selected rows\tCtrl+C"), [this] { copyRows(); });
    add(u"CopyTable"_s, tr("Copy table"), [this] { copyTable(); });
    add(u"SaveCsv"_s, tr("Save as CSV…"),
        [this] { chooseFile(u".csv"_s, tr("Comma-separated values (*.csv)")); });
    add(u"SaveJson"_s, tr("Save as JSON…"), [this] { chooseFile(u".json"_s, tr("JSON (*.json)")); });
    m_table.setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table.installEventFilter(this);
}

/// The table itself would copy one cell without a heading.
bool TableActions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
        return QObject::eventFilter(watched, event);
    copyRows();
    return true;
}

void TableActions::copyCell() const {
    const QModelIndex index = m_table.currentIndex();
    if (index.isValid())
        QApplication::clipboard()->setText(index.data().toString());
}

void TableActions::copyRows() const {
    QList<int> rows;
    for (const QModelIndex& index : m_table.selectionModel()->selectedRows())
        rows += index.row();
    if (rows.isEmpty())
        return;
    std::sort(rows.begin(), rows.end());
    QApplication::clipboard()->setText(tableText(*m_table.model(), rows));
}

void TableActions::copyTable() const {
    QList<int> rows(m_table.model()->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    QApplication::clipboard()->setText(tableText(*m_table.model(), rows));
}

void TableActions::chooseFile(const QString& ending, const QString& kind) {
    QString file = QFileDialog::getSaveFileName(&m_table, tr("Save table"), m_name + ending, kind);
    if (file.isEmpty())
        return;
    if (!file.endsWith(ending, Qt::CaseInsensitive))
        file += ending;
    save(file);
}

void TableActions::save(const QString& file) {
    const bool json = file.endsWith(u".json", Qt::CaseInsensitive);
    m_runner.start(
        m_slot, tr("Saving %1").arg(file),
        [data = tableData(*m_table.model(), m_name, m_window ? m_window() : std::nullopt), file,
         json](TaskContext&) -> Result<QString> {
            return writeWhole(file, json ? tableJson(data) : tableCsv(data));
        },
        this,
        [this](Result<QString> done) {
            if (done)
                Q_EMIT saved(*done);
            else
                Q_EMIT failed(QString::fromStdString(done.error().message));
        });
}

} // namespace ddp::ui
