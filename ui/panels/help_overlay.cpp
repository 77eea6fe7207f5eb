// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/help_overlay.h"

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <vector>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kSmallestLetters = 6; // in points

struct KeyHelp {
    const char* keys;
    const char* what;
};

// QT_TRANSLATE_NOOP keeps the texts here and translatable.
const std::vector<KeyHelp> kTimelineKeys{
    {"W, S or wheel", QT_TRANSLATE_NOOP("HelpOverlay", "zoom in and out at the mouse")},
    {"A, D or Shift+wheel", QT_TRANSLATE_NOOP("HelpOverlay", "move left and right")},
    {"drag", QT_TRANSLATE_NOOP("HelpOverlay", "move the picture")},
    {"Up, Down, PgUp, PgDn", QT_TRANSLATE_NOOP("HelpOverlay", "scroll through the ranks")},
    {"F", QT_TRANSLATE_NOOP("HelpOverlay", "show the whole trace")},
    {"click", QT_TRANSLATE_NOOP("HelpOverlay", "select a slice; fold a rank")},
    {", and .", QT_TRANSLATE_NOOP("HelpOverlay", "previous and next slice of the lane")},
    {"drag on the ruler", QT_TRANSLATE_NOOP("HelpOverlay", "mark a range of time")},
    {"Shift+drag", QT_TRANSLATE_NOOP("HelpOverlay", "mark a range of time, in the rows")},
    {"Z or double click", QT_TRANSLATE_NOOP("HelpOverlay", "zoom to the marked range, else to the slice")},
    {"Esc", QT_TRANSLATE_NOOP("HelpOverlay", "clear the selection and the range")},
    {"M", QT_TRANSLATE_NOOP("HelpOverlay", "set a bookmark at the mouse")},
    {"[ and ]", QT_TRANSLATE_NOOP("HelpOverlay", "previous and next bookmark")},
    {"Backspace", QT_TRANSLATE_NOOP("HelpOverlay", "back to the window before")},
};

const std::vector<KeyHelp> kClusterKeys{
    {"Ctrl+L", QT_TRANSLATE_NOOP("HelpOverlay", "choose a cluster, or this machine")},
    {"Ctrl+N", QT_TRANSLATE_NOOP("HelpOverlay", "check the selected nodes of the cluster")},
    {"Ctrl+J", QT_TRANSLATE_NOOP("HelpOverlay", "go to the jobs on the cluster")},
    {"Del", QT_TRANSLATE_NOOP("HelpOverlay", "cancel the selected jobs, after a question")},
    {"F5", QT_TRANSLATE_NOOP("HelpOverlay", "ask for nodes and jobs now, or connect again")},
};

const std::vector<KeyHelp> kWindowKeys{
    {"Ctrl+O", QT_TRANSLATE_NOOP("HelpOverlay", "open a trace")},
    {"Ctrl+Shift+O", QT_TRANSLATE_NOOP("HelpOverlay", "open the folder of a run")},
    {"Ctrl+E", QT_TRANSLATE_NOOP("HelpOverlay", "export the view as PNG, SVG or PDF")},
    {"Ctrl+Shift+C", QT_TRANSLATE_NOOP("HelpOverlay", "copy the view as a picture")},
    {"Ctrl+C", QT_TRANSLATE_NOOP("HelpOverlay", "copy the selected rows of a table; more by a right click")},
    {"Ctrl+K", QT_TRANSLATE_NOOP("HelpOverlay", "all commands by their names (Ctrl+Shift+P as well)")},
    {"Ctrl+F", QT_TRANSLATE_NOOP("HelpOverlay", "find slices by the name of their region")},
    {"Ctrl+Shift+F", QT_TRANSLATE_NOOP("HelpOverlay", "filter lanes and slices")},
    {"F3, Shift+F3", QT_TRANSLATE_NOOP("HelpOverlay", "next and previous hit")},
    {"Ctrl+G", QT_TRANSLATE_NOOP("HelpOverlay", "go to a time or a step")},
    {"Alt+Left, Alt+Right", QT_TRANSLATE_NOOP("HelpOverlay", "back to the window before, and forward")},
    {"Ctrl+M", QT_TRANSLATE_NOOP("HelpOverlay", "list the bookmarks")},
    {"Ctrl+D", QT_TRANSLATE_NOOP("HelpOverlay", "reproduce the bug here")},
    {"Ctrl+.", QT_TRANSLATE_NOOP("HelpOverlay", "stop the running check")},
    {"Ctrl+1 … Ctrl+5", QT_TRANSLATE_NOOP("HelpOverlay", "go to nodes, timeline, details, log, issues")},
    {"Ctrl+6 … Ctrl+0",
     QT_TRANSLATE_NOOP("HelpOverlay", "go to summary, profile, steps, collectives, findings")},
    {"Enter", QT_TRANSLATE_NOOP("HelpOverlay", "open the selected evidence, node or job; zoom to a step")},
    {"Ctrl+Q", QT_TRANSLATE_NOOP("HelpOverlay", "quit")},
    {"?", QT_TRANSLATE_NOOP("HelpOverlay", "show or hide this help")},
};

void addKeys(QGridLayout& grid, int row, int column, const QString& title, const std::vector<KeyHelp>& keys) {
    auto* heading = new QLabel(u"<b>%1</b>"_s.arg(title));
    grid.addWidget(heading, row++, column, 1, 2);
    for (const KeyHelp& key : keys) {
        auto* name = new QLabel(QString::fromUtf8(key.keys));
        QFont bold = name->font();
        bold.setBold(true);
        name->setFont(bold);
        grid.addWidget(name, row, column);
        grid.addWidget(new QLabel(QCoreApplication::translate("HelpOverlay", key.what)), row, column + 1);
        ++row;
    }
}

} // namespace

HelpOverlay::HelpOverlay(const Palette& palette, QWidget* window)
    : QWidget(window), m_palette(palette), m_card(new QWidget(this)) {
    setObjectName(u"helpOverlay"_s);
    setAccessibleName(tr("Keys"));
    setFocusPolicy(Qt::StrongFocus);
    m_card->setAutoFillBackground(true);
    m_card->setBackgroundRole(QPalette::Base);
    fillCard();
    window->installEventFilter(this);
    hide();
}

QStringList HelpOverlay::keys() {
    QStringList all;
    for (const auto* keys : {&kTimelineKeys, &kClusterKeys, &kWindowKeys})
        for (const KeyHelp& key : *keys)
            all += QString::fromUtf8(key.keys);
    return all;
}

void HelpOverlay::fillCard() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(7);
    addKeys(*grid, 0, 0, tr("In the timeline"), kTimelineKeys);
    addKeys(*grid, static_cast<int>(kTimelineKeys.size()) + 1, 0, tr("On a cluster"), kClusterKeys);
    grid->setColumnMinimumWidth(2, 18);
    addKeys(*grid, 0, 3, tr("Everywhere"), kWindowKeys);
    auto* column = new QVBoxLayout(m_card);
    column->setContentsMargins(26, 22, 26, 22);
    column->setSpacing(14);
    column->addLayout(grid);
    auto* close = new QLabel(tr("Press any key to close."));
    close->setEnabled(false);
    column->addWidget(close);
}

void HelpOverlay::toggle() {
    if (isVisible())
        return done();
    m_before = QApplication::focusWidget();
    place();
    raise();
    show();
    setFocus();
}

/// In the middle of the window, with letters small enough to be seen whole.
void HelpOverlay::place() {
    setGeometry(parentWidget()->rect());
    QFont letters = font();
    double size = QFontInfo(letters).pointSizeF();
    do {
        letters.setPointSizeF(size);
        m_card->setFont(letters);
        m_card->layout()->activate();
        m_card->adjustSize();
        size -= 0.5;
    } while ((m_card->width() > width() || m_card->height() > height()) && size > kSmallestLetters);
    m_card->move((width() - m_card->width()) / 2, (height() - m_card->height()) / 2);
}

void HelpOverlay::done() {
    hide();
    if (m_before)
        m_before->setFocus();
}

bool HelpOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QWidget::eventFilter(watched, event);
}

void HelpOverlay::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key != Qt::Key_Shift && key != Qt::Key_Control && key != Qt::Key_Alt && key != Qt::Key_AltGr)
        done();
}

void HelpOverlay::mousePressEvent(QMouseEvent*) {
    done();
}

void HelpOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(0, 0, 0, m_palette.colors().dark ? 150 : 90));
    painter.setPen(m_palette.colors().line);
    painter.setBrush(m_palette.colors().base);
    painter.drawRect(m_card->geometry().adjusted(-1, -1, 0, 0));
}

} // namespace ddp::ui
