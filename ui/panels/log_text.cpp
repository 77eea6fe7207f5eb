// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_text.h"

#include <QFontDatabase>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

namespace ddp::ui {

namespace {

class Gutter final : public QWidget {
public:
    explicit Gutter(LogText* text) : QWidget(text), m_text(text) {}
    QSize sizeHint() const override { return {m_text->gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { m_text->paintGutter(event); }

private:
    LogText* m_text;
};

constexpr int kGutterMargin = 8;

} // namespace

LogText::LogText(const Palette& palette, QWidget* parent)
    : QPlainTextEdit(parent), m_palette(palette), m_gutter(new Gutter(this)) {
    setObjectName(QStringLiteral("logText"));
    setAccessibleName(tr("Log"));
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    setFont(fixed);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &LogText::updateGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int moved) {
        if (moved != 0)
            m_gutter->scroll(0, moved);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(&palette, &Palette::changed, this, [this] {
        showMark();
        m_gutter->update();
    });
    // Only what the user does is an action; our own changes of the value are not.
    QScrollBar* bar = verticalScrollBar();
    connect(bar, &QScrollBar::actionTriggered, this,
            [this, bar] { m_follow = m_follow && bar->sliderPosition() >= bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar] {
        if (m_follow)
            bar->setValue(bar->maximum());
    });
    updateGutter();
}

void LogText::setText(const QString& text, qint64 firstLine) {
    m_firstLine = firstLine;
    m_marked = 0;
    m_follow = false;
    setPlainText(text);
    showMark();
    updateGutter();
}

void LogText::append(const QString& text) {
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (m_follow)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogText::followEnd() {
    m_follow = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogText::markLine(qint64 line) {
    m_marked = line;
    showMark();
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(line - m_firstLine));
    if (line <= 0 || !block.isValid())
        return;
    setTextCursor(QTextCursor(block));
    centerCursor();
    horizontalScrollBar()->setValue(0);
}

void LogText::showMark() {
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = document()->findBlockByNumber(static_cast<int>(m_marked - m_firstLine));
    if (m_marked > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(m_palette.colors().highlightLine);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    setExtraSelections(marks);
    m_gutter->update();
}

int LogText::gutterWidth() const {
    const qint64 last = m_firstLine + blockCount();
    const auto digits = std::max<qsizetype>(3, QString::number(last).size());
    return 2 * kGutterMargin + static_cast<int>(digits) * fontMetrics().horizontalAdvance(u'9');
}

void LogText::updateGutter() {
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void LogText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    updateGutter();
}

void LogText::paintGutter(QPaintEvent* event) {
    const Colors& colors = m_palette.colors();
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), colors.laneBand);
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        const qint64 line = m_firstLine + block.blockNumber();
        const QRectF row(0, top, m_gutter->width() - kGutterMargin, height);
        if (line == m_marked)
            painter.fillRect(QRectF(0, top, m_gutter->width(), height), colors.highlightLine);
        painter.setPen(line == m_marked ? colors.text : colors.muted);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        top += height;
        block = block.next();
    }
}

} // namespace ddp::ui
