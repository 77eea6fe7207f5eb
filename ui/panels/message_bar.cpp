// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/message_bar.h"

#include "ui/delegates/verdict_symbol.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

namespace ddp::ui {

MessageBar::MessageBar(const Palette& palette, QWidget* parent)
    : QFrame(parent), m_palette(palette), m_text(new QLabel) {
    setObjectName(QStringLiteral("messageBar"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton;
    close->setAutoRaise(true);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setToolTip(tr("Closes this message."));
    close->setAccessibleName(tr("Close message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(36, 6, 6, 6);
    row->addWidget(m_text, 1);
    row->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::showMessage(MessageKind kind, const QString& sentence) {
    m_kind = kind;
    m_text->setText(sentence);
    setAccessibleName(sentence);
    show();
    update();
}

QString MessageBar::message() const {
    return isHidden() ? QString() : m_text->text();
}

void MessageBar::paintEvent(QPaintEvent*) {
    const Colors& colors = m_palette.colors();
    const QColor edge = m_kind == MessageKind::Problem ? colors.warning : colors.accent;
    QPainter painter(this);
    painter.fillRect(rect(), colors.base);
    painter.fillRect(QRect(0, 0, 4, height()), edge);
    painter.setPen(colors.line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    drawSymbol(painter, QRectF(13, height() / 2.0 - 7.5, 15, 15),
               m_kind == MessageKind::Problem ? Symbol::Warning : Symbol::Info, edge, colors.base);
}

} // namespace ddp::ui
