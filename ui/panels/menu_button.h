// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyleOptionToolButton>
#include <QToolButton>

namespace ddp::ui {

/// A button of the tool bar that opens a menu. Its text has an arrow of its own: a style sheet that hides the
/// style's arrow would keep the colours that the button had when it was set.
class MenuButton final : public QToolButton {
public:
    MenuButton(const QString& name, QMenu* menu) {
        setObjectName(name);
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setPopupMode(QToolButton::InstantPopup);
        setMenu(menu);
    }
    void setTitle(const QString& title) { setText(title + QStringLiteral(" ▾")); }

protected:
    void initStyleOption(QStyleOptionToolButton* option) const override {
        QToolButton::initStyleOption(option);
        option->features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
    }
};

} // namespace ddp::ui
