// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/user_rules.h"

#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
class QTableWidget;
class QToolButton;

namespace ddp::ui {

/// The user's own rules, which go before those of the program: what a region counts as, and its colour.
class RulesDialog final : public QDialog {
    Q_OBJECT

public:
    /// Says in one sentence why the rules could not be taken; then the dialog stays.
    using Apply = std::function<Result<void>(const std::vector<UserRule>&)>;

    RulesDialog(std::vector<UserRule> rules, const Palette& palette, const QString& file, Apply apply,
                QWidget* parent = nullptr);

private:
    QWidget* buildTable();
    QWidget* buildSide();
    void showRules();
    void showRow(int row);
    QToolButton* colorButton(int row);
    void setColor(int row, const std::optional<QColor>& color);
    void add();
    void remove();
    void move(int by);
    bool apply();

    std::vector<UserRule> m_rules;
    const Palette& m_palette;
    Apply m_apply;
    QTableWidget* m_table;
    QLabel* m_problem;
};

} // namespace ddp::ui
