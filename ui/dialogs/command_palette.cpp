// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidth = 620;
constexpr int kHeight = 420;
constexpr int kTop = 64;
constexpr int kMargin = 10;
constexpr int kPage = 10; // rows
constexpr int kRowPadding = 8;

/// The name at the left, its key at the right, titles in small.
class CommandDelegate final : public QStyledItemDelegate {
public:
    CommandDelegate(const Palette& palette, QObject* parent)
        : QStyledItemDelegate(parent), m_palette(palette) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Colors& colors = m_palette.colors();
        const bool title = index.data(CommandModel::TitleRole).toBool();
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        const bool chosen = option.state & QStyle::State_Selected;
        painter->save();
        if (chosen)
            painter->fillRect(option.rect, option.palette.brush(QPalette::Highlight));
        QFont font = option.font;
        font.setBold(title);
        painter->setFont(font);
        const QRect room = option.rect.adjusted(kMargin + (title ? 0 : kMargin), 0, -kMargin, 0);
        const QString hint = index.data(CommandModel::HintRole).toString();
        const int hintWidth = hint.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(hint) + 2 * kMargin;
        painter->setPen(colors.muted);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, hint);
        painter->setPen(title || !enabled ? option.palette.color(QPalette::Disabled, QPalette::Text)
                                          : colors.text);
        if (title)
            painter->setPen(colors.muted);
        painter->drawText(room.adjusted(0, 0, -hintWidth, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideMiddle,
                                                        room.width() - hintWidth));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {kWidth / 2, option.fontMetrics.height() + kRowPadding};
    }

private:
    const Palette& m_palette;
};

} // namespace

CommandPalette::CommandPalette(const Palette& palette, QWidget* window)
    : QFrame(window), m_model(new CommandModel(this)), m_query(new QLineEdit), m_list(new QListView) {
    setObjectName(u"commandPalette"_s);
    setAccessibleName(tr("Command palette"));
    setFrameStyle(QFrame::Box | QFrame::Plain);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setForegroundRole(QPalette::Mid); // of the frame
    m_query->setObjectName(u"commandQuery"_s);
    m_query->setAccessibleName(tr("Command"));
    m_query->setPlaceholderText(tr("Type a command, “step 12”, or the name of a region"));
    m_list->setObjectName(u"commandList"_s);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CommandDelegate(palette, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus); // the keys stay in the line
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(m_query);
    column->addWidget(m_list, 1);
    m_query->installEventFilter(this);
    window->installEventFilter(this);
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::takeQuery);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { run(index.row()); });
    hide();
}

void CommandPalette::open(std::vector<CommandGroup> groups) {
    if (isVisible())
        return shut();
    m_model->setGroups(std::move(groups));
    m_before = QApplication::focusWidget();
    m_query->clear();
    takeQuery({});
    raise();
    show();
    m_query->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::place() {
    const QSize window = parentWidget()->size();
    const int rows = std::max(1, m_model->rowCount());
    const int wanted =
        m_query->sizeHint().height() + 4 * kMargin + rows * (m_list->fontMetrics().height() + kRowPadding);
    const QSize size(std::min(kWidth, window.width() - 2 * kMargin),
                     std::min({wanted, kHeight, window.height() - kTop - kMargin}));
    setGeometry(QRect(QPoint((window.width() - size.width()) / 2, kTop), size));
}

void CommandPalette::takeQuery(const QString& query) {
    m_model->setQuery(query);
    const int first = m_model->runnable(0, 1);
    m_list->setCurrentIndex(first < 0 ? QModelIndex() : m_model->index(first));
    m_list->scrollToTop();
    place();
}

void CommandPalette::move(int step) {
    const int now = m_list->currentIndex().row();
    const int wanted = std::clamp(now + step, 0, std::max(0, m_model->rowCount() - 1));
    const int sign = step < 0 ? -1 : 1;
    int row = m_model->runnable(wanted, sign);
    if (row < 0)
        row = m_model->runnable(wanted, -sign);
    if (row < 0)
        return;
    m_list->setCurrentIndex(m_model->index(row));
    m_list->scrollTo(m_model->index(row > 0 && m_model->runnable(row - 1, -1) < 0 ? 0 : row));
}

bool CommandPalette::takeKey(int key) {
    switch (key) {
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_PageUp:
        move(-kPage);
        return true;
    case Qt::Key_PageDown:
        move(kPage);
        return true;
    case Qt::Key_Tab:
        return true; // there is nowhere else to go
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentIndex().row());
        return true;
    case Qt::Key_Escape:
        shut();
        return true;
    default:
        return false;
    }
}

void CommandPalette::run(int row) {
    if (row < 0 || row >= m_model->rowCount() || !m_model->command(row).enabled)
        return;
    const auto work = m_model->command(row).run;
    shut(); // first: it may want the focus
    work();
}

void CommandPalette::shut() {
    const bool ours = isAncestorOf(QApplication::focusWidget());
    hide();
    if (ours && m_before)
        m_before->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_query && event->type() == QEvent::KeyPress)
        return takeKey(static_cast<QKeyEvent*>(event)->key());
    if (watched == m_query && event->type() == QEvent::FocusOut && isVisible()) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            hide();
    }
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace ddp::ui
