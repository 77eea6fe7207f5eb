// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace ddp::ui {

enum class MessageKind { Note, Problem };

/// One sentence about what went wrong, above the content, until it is closed or the next one comes.
class MessageBar final : public QFrame {
    Q_OBJECT

public:
    explicit MessageBar(const Palette& palette, QWidget* parent = nullptr);
    void showMessage(MessageKind kind, const QString& sentence);
    QString message() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Palette& m_palette;
    MessageKind m_kind = MessageKind::Note;
    QLabel* m_text;
};

} // namespace ddp::ui
