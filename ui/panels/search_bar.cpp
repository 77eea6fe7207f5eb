// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStyle>
#include <QToolButton>

#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMs = 150;
constexpr int kTextWidth = 260;

QString number(quint64 count) {
    return QLocale().toString(static_cast<qulonglong>(count));
}

} // namespace

SearchBar::SearchBar(const TraceSession& session, ViewState& view, TaskRunner& runner, QWidget* parent)
    : QWidget(parent), m_session(session), m_view(view), m_runner(runner), m_text(new QLineEdit),
      m_count(new QLabel) {
    setObjectName(u"searchBar"_s);
    m_text->setObjectName(u"searchText"_s);
    m_text->setAccessibleName(tr("Find slices by the name of their region"));
    m_text->setPlaceholderText(tr("Name of a region, or a part of it"));
    m_text->setClearButtonEnabled(true);
    m_text->setFixedWidth(kTextWidth);
    m_count->setObjectName(u"searchCount"_s);
    m_count->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 4, 3);
    row->setSpacing(6);
    row->addWidget(new QLabel(tr("Find")));
    row->addWidget(m_text);
    m_previous = addButton(u"searchPrevious"_s, Qt::UpArrow, tr("Previous hit (Shift+F3)."));
    m_next = addButton(u"searchNext"_s, Qt::DownArrow, tr("Next hit (F3)."));
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_count, 1);
    auto* close = addButton(u"searchClose"_s, Qt::NoArrow, tr("Closes the search (Esc)."));
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    row->addWidget(close);
    connect(m_previous, &QToolButton::clicked, this, [this] { goOn(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { goOn(true); });
    connect(close, &QToolButton::clicked, this, &SearchBar::shut);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &SearchBar::start);
    connect(m_text, &QLineEdit::textChanged, this, [this] {
        m_wish = Wish::None;
        m_pause.start();
    });
    connect(&m_session, &TraceSession::changed, this, [this] {
        take(nullptr);
        if (isVisibleTo(parentWidget()))
            start();
    });
    connect(&m_view, &ViewState::selectionChanged, this, [this] {
        m_note.clear();
        say();
    });
    hide();
    say();
}

QToolButton* SearchBar::addButton(const QString& name, Qt::ArrowType arrow, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setArrowType(arrow);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

void SearchBar::open() {
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
    if (!m_search && !m_text->text().isEmpty())
        start();
}

void SearchBar::openWith(const QString& text) {
    m_text->setText(text);
    open();
    goOn(true);
}

void SearchBar::shut() {
    hide();
    m_runner.drop(m_slot);
    m_pause.stop();
    take(nullptr);
    Q_EMIT closed();
}

void SearchBar::start() {
    m_pause.stop();
    m_runner.drop(m_slot);
    const auto store = m_session.store();
    const QString text = m_text->text();
    if (!store || text.isEmpty()) {
        take(nullptr);
        return;
    }
    using Answer = Result<std::shared_ptr<const SliceSearch>>;
    m_runner.start(
        m_slot, tr("Looking for “%1”").arg(text),
        [store, text](TaskContext& context) -> Answer {
            auto search = SliceSearch::of(store, text, context.stop, context.progress);
            if (!search)
                return fail(ErrorCode::Cancelled, "The search was stopped.");
            return search;
        },
        this,
        [this](Answer answer) {
            m_note = answer ? QString() : tr("The search was stopped. Press Enter to begin it again.");
            take(answer ? std::move(*answer) : nullptr);
        });
    say();
}

void SearchBar::take(std::shared_ptr<const SliceSearch> search) {
    m_search = std::move(search);
    Q_EMIT found(m_search);
    say();
    if (const Wish wish = std::exchange(m_wish, Wish::None); m_search && wish != Wish::None)
        goOn(wish == Wish::Next);
}

void SearchBar::goOn(bool forward) {
    if (!isVisibleTo(parentWidget()))
        open();
    if (!m_search || m_search->text() != m_text->text()) {
        if (m_text->text().isEmpty())
            return;
        if (m_pause.isActive() || !m_runner.running(m_slot))
            start();
        m_wish = forward ? Wish::Next : Wish::Previous;
        return;
    }
    const TimeRange window = m_view.visible();
    const Nanoseconds middle(window.begin.count + window.length().count / 2);
    const auto from = [&](Nanoseconds time, const std::optional<SliceRef>& slice) {
        return forward ? m_search->next(time, slice) : m_search->previous(time, slice);
    };
    const TimeRange run = m_search->store()->extent();
    auto hit = from(middle, m_view.selection());
    const bool around = !hit;
    if (around)
        hit = from(forward ? run.begin : run.end + Nanoseconds(1), std::nullopt);
    if (!hit)
        return;
    Q_EMIT hitReached(*hit);
    m_note = !around ? QString() : forward ? tr("from the beginning again") : tr("from the end again");
    say();
}

void SearchBar::say() {
    QString text;
    if (m_runner.running(m_slot))
        text = tr("searching …");
    else if (!m_search)
        text = m_note;
    else if (m_search->count() == 0)
        text = tr("no slice has this in its region's name");
    else if (const auto place = m_view.selection() ? m_search->placeOf(*m_view.selection()) : std::nullopt)
        text = tr("%1 of %2").arg(number(*place), number(m_search->count()));
    else
        text = m_search->count() == 1 ? tr("1 slice") : tr("%1 slices").arg(number(m_search->count()));
    if (m_search && m_search->count() > 0 && !m_note.isEmpty())
        text += u" – "_s + m_note;
    m_count->setText(text);
    m_count->setAccessibleName(text);
    const bool any = m_search && m_search->count() > 0;
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
}

void SearchBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return shut();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return goOn(!(event->modifiers() & Qt::ShiftModifier));
    QWidget::keyPressEvent(event);
}

} // namespace ddp::ui
