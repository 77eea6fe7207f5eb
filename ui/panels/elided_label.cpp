// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/elided_label.h"

namespace ddp::ui {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), m_mode(mode) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setMinimumWidth(60);
}

void ElidedLabel::setFullText(const QString& text) {
    m_full = text;
    setAccessibleName(text);
    fit();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void ElidedLabel::fit() {
    const QString shown = fontMetrics().elidedText(m_full, m_mode, contentsRect().width() - 2 * margin());
    setText(shown);
    setToolTip(shown == m_full ? QString() : m_full);
}

} // namespace ddp::ui
