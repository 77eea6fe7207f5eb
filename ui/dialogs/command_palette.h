// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/command_model.h"
#include "ui/session/palette.h"

#include <QFrame>
#include <QPointer>

class QLineEdit;
class QListView;

namespace ddp::ui {

/// Everything that can be done, by name: type, choose with Up and Down, Enter does it. Lies above the window
/// until it loses the focus.
class CommandPalette final : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const Palette& palette, QWidget* window);
    void open(std::vector<CommandGroup> groups);
    const CommandModel& model() const { return *m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void takeQuery(const QString& query);
    void move(int step);
    bool takeKey(int key);
    void run(int row);
    void shut();

    CommandModel* m_model;
    QLineEdit* m_query;
    QListView* m_list;
    QPointer<QWidget> m_before; // had the focus
};

} // namespace ddp::ui
