// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/command_model.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString plain(QString text) {
    text = text.section(u'\t', 0, 0);
    text.replace(u"&&"_s, u"\n"_s).remove(u'&').replace(u'\n', u'&');
    return text;
}

QString keyOf(const QAction& action) {
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    return key.isEmpty() ? action.text().section(u'\t', 1) : key;
}

void addActions(const QMenu& menu, const QString& path, bool enabled, std::vector<Command>& commands) {
    for (QAction* action : menu.actions()) {
        const QString text = path + u" › "_s + plain(action->text());
        const bool possible = enabled && action->isEnabled();
        if (action->isSeparator() || !action->isVisible())
            continue;
        if (const QMenu* inner = action->menu()) {
            addActions(*inner, text, possible, commands);
            continue;
        }
        QString hint = keyOf(*action);
        if (action->isCheckable() && action->isChecked())
            hint = hint.isEmpty() ? CommandModel::tr("on") : CommandModel::tr("on · %1").arg(hint);
        commands.push_back({text, hint, possible, [target = QPointer<QAction>(action)] {
                                if (target)
                                    target->trigger();
                            }});
    }
}

} // namespace

bool fitsQuery(const QString& text, const QString& query) {
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(
        words, [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

std::vector<Command> commandsOf(const QMenuBar& bar) {
    std::vector<Command> commands;
    for (QAction* action : bar.actions())
        if (const QMenu* menu = action->menu())
            addActions(*menu, plain(action->text()), action->isEnabled(), commands);
    return commands;
}

void CommandModel::setGroups(std::vector<CommandGroup> groups) {
    m_groups = std::move(groups);
}

void CommandModel::setQuery(const QString& query) {
    beginResetModel();
    m_rows.clear();
    for (const CommandGroup& group : m_groups) {
        std::vector<Command> found = group.find(query.trimmed());
        if (found.empty())
            continue;
        m_rows.push_back({true, {group.title, {}, false, {}}});
        for (Command& command : found)
            m_rows.push_back({false, std::move(command)});
    }
    endResetModel();
}

int CommandModel::runnable(int row, int step) const {
    for (; row >= 0 && row < rowCount(); row += step)
        if (command(row).enabled)
            return row;
    return -1;
}

int CommandModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return row.command.text;
    case Qt::AccessibleTextRole:
        return row.command.hint.isEmpty() ? row.command.text : row.command.text + u", "_s + row.command.hint;
    case HintRole:
        return row.command.hint;
    case TitleRole:
        return row.title;
    default:
        return {};
    }
}

Qt::ItemFlags CommandModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return command(index.row()).enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace ddp::ui
