// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

class QTableView;

namespace ddp::ui {

/// How a table leaves the program: copied as text, or saved as CSV or JSON with the numbers behind its texts.
/// Adds the actions to the table's context menu, and Ctrl+C. Belongs to the table.
class TableActions final : public QObject {
    Q_OBJECT

public:
    /// `name` stands in the file, and is its name at first. `window`: what the numbers are of; may be null.
    TableActions(QTableView& table, TaskRunner& runner, const QString& name,
                 std::function<std::optional<TimeRange>()> window);

    /// The ending says the format: .csv or .json. Written in a task.
    void save(const QString& file);

Q_SIGNALS:
    void saved(const QString& file);
    void failed(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void copyCell() const;
    void copyRows() const;
    void copyTable() const;
    void chooseFile(const QString& ending, const QString& kind);

    QTableView& m_table;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    QString m_name;
    std::function<std::optional<TimeRange>()> m_window;
};

} // namespace ddp::ui
