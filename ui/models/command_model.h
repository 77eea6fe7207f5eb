// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <functional>
#include <vector>

class QMenuBar;

namespace ddp::ui {

/// Something that can be done by its name.
struct Command {
    QString text;
    QString hint; ///< its key, or what else stands at the right
    bool enabled = true;
    std::function<void()> run;
};

struct CommandGroup {
    QString title;
    std::function<std::vector<Command>(const QString& query)> find; ///< what fits to what was typed
};

/// Whether every word of the query is in the text; letter case does not matter.
bool fitsQuery(const QString& text, const QString& query);

/// The actions of all menus, with the menus that lead to them, as they are now.
std::vector<Command> commandsOf(const QMenuBar& bar);

/// The commands that fit what was typed, under the titles of their groups.
class CommandModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { HintRole = Qt::UserRole, TitleRole };

    using QAbstractListModel::QAbstractListModel;

    void setGroups(std::vector<CommandGroup> groups);
    void setQuery(const QString& query);
    /// The next row that can be run, from `row` on in steps of `step`; -1 for none.
    int runnable(int row, int step) const;
    const Command& command(int row) const { return m_rows[static_cast<std::size_t>(row)].command; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        bool title = false;
        Command command;
    };
    std::vector<CommandGroup> m_groups;
    std::vector<Row> m_rows;
};

} // namespace ddp::ui
