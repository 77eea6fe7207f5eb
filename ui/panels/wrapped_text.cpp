// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/wrapped_text.h"

#include <cmath>

namespace ddp::ui {

WrappedText::WrappedText(const QString& name, const QString& title, QWidget* parent) : QTextEdit(parent) {
    setObjectName(name);
    setAccessibleName(title);
    setReadOnly(true);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
}

void WrappedText::setFullText(const QString& text) {
    if (text == toPlainText())
        return;
    setPlainText(text);
    fit();
}

void WrappedText::resizeEvent(QResizeEvent* event) {
    QTextEdit::resizeEvent(event);
    fit();
}

void WrappedText::fit() {
    document()->setTextWidth(viewport()->width());
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 2);
}

} // namespace ddp::ui
