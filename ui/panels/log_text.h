// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QPlainTextEdit>

namespace ddp::ui {

/// Text with line numbers, read only; one line can be marked.
class LogText final : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogText(const Palette& palette, QWidget* parent = nullptr);

    void setText(const QString& text, qint64 firstLine);
    /// Adds at the end; stays at the end unless the user went up.
    void append(const QString& text);
    void followEnd();
    /// Marks the line (numbered as in the file) and brings it to the middle; 0: none.
    void markLine(qint64 line);
    qint64 markedLine() const { return m_marked; }
    qint64 firstLine() const { return m_firstLine; }

    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateGutter();
    void showMark();

    const Palette& m_palette;
    QWidget* m_gutter;
    qint64 m_firstLine = 1;
    qint64 m_marked = 0;
    bool m_follow = false; // the end is kept in sight
};

} // namespace ddp::ui
