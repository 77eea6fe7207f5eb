// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/window_panel.h"

#include "ui/delegates/bar_delegate.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/table_actions.h"
#include "ui/session/time_text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

namespace {

constexpr int kRowPadding = 6;
constexpr int kCellPadding = 8;
constexpr int kMostColumnWidth = 420;
constexpr int kRowsMeasured = 50;

} // namespace

WindowPanel::WindowPanel(const Parts& parts, const QString& name, const QString& title)
    : m_parts(parts), m_headLine(new QHBoxLayout), m_window(new QLabel),
      m_note(new ElidedLabel(Qt::ElideRight)), m_pages(new QStackedWidget), m_table(new QTableView),
      m_empty(new QLabel) {
    setObjectName(name + u"Panel");
    m_window->setObjectName(name + u"Window");
    m_note->setObjectName(name + u"Note");
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_empty->setObjectName(name + u"Empty");
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    buildTable(name, title);
    m_headLine->setContentsMargins(8, 4, 8, 4);
    m_headLine->setSpacing(16);
    m_headLine->addWidget(m_window);
    m_headLine->addWidget(m_note, 1);
    auto* filled = new QWidget;
    auto* filledColumn = new QVBoxLayout(filled);
    filledColumn->setContentsMargins(0, 0, 0, 0);
    filledColumn->setSpacing(0);
    filledColumn->addLayout(m_headLine);
    filledColumn->addWidget(m_table, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(filled);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);

    connect(&m_parts.analysis, &AnalysisSession::changed, this, &WindowPanel::refresh);
    connect(&m_parts.analysis, &AnalysisSession::windowChanged, this, &WindowPanel::refresh);
    m_empty->setText(m_parts.analysis.reason());
}

void WindowPanel::buildTable(const QString& name, const QString& title) {
    m_table->setObjectName(name + u"Table");
    m_table->setAccessibleName(title);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
    m_table->horizontalHeader()->setHighlightSections(false);
    new TableActions(*m_table, m_parts.runner, name, [this] { return m_shown; }); // the table's
    m_table->installEventFilter(this);
    connect(m_table, &QTableView::clicked, this, &WindowPanel::takeClick);
}

void WindowPanel::takeClick(const QModelIndex& index) {
    // With a modifier a click selects rows to copy. The second click of a double click may hit another row,
    // after the first one has changed the window.
    const bool again = m_sinceClick.isValid() && m_sinceClick.elapsed() < QApplication::doubleClickInterval();
    if (QApplication::keyboardModifiers() != Qt::NoModifier || again)
        return;
    m_sinceClick.start();
    activate(index.row());
}

bool WindowPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const QModelIndex index = m_table->currentIndex();
    if ((key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) || !index.isValid())
        return QWidget::eventFilter(watched, event);
    activate(index.row());
    return true;
}

void WindowPanel::setModel(QAbstractItemModel& model, int barColumn, int wideColumn) {
    m_table->setModel(&model);
    m_wideColumn = wideColumn;
    if (barColumn >= 0)
        m_table->setItemDelegateForColumn(barColumn, new BarDelegate(m_parts.palette, m_table));
    QHeaderView* heading = m_table->horizontalHeader();
    heading->setSectionResizeMode(QHeaderView::Interactive);
    if (wideColumn >= 0)
        heading->setSectionResizeMode(wideColumn, QHeaderView::Stretch);
    heading->setSortIndicator(-1, Qt::AscendingOrder); // until the user chooses a column, as the rows come
    m_table->setSortingEnabled(true);
    connect(heading, &QHeaderView::sortIndicatorChanged, this, &WindowPanel::growColumns);
}

void WindowPanel::sortBy(int column, Qt::SortOrder order) {
    m_table->sortByColumn(column, order);
}

void WindowPanel::setSeen(bool seen) {
    m_seen = seen;
    if (seen && m_stale)
        refresh();
}

void WindowPanel::refresh() {
    m_stale = !m_seen;
    if (!ready()) {
        m_parts.runner.drop(m_slot);
        m_empty->setText(missing());
        m_pages->setCurrentIndex(0);
    } else if (m_seen) {
        ask();
    }
}

QString WindowPanel::heading(TimeRange window) const {
    return tr("Visible window %1 of %2")
        .arg(durationText(window.length()), durationText(m_parts.view.extent().length()));
}

void WindowPanel::say(TimeRange window, const QString& note, const QString& empty) {
    m_shown = window;
    m_window->setText(heading(window));
    m_note->setFullText(note);
    m_empty->setText(empty);
    m_pages->setCurrentIndex(m_table->model()->rowCount() > 0 ? 1 : 0);
    growColumns();
}

/// Columns get wider for what does not fit, and never narrower: numbers that change do not move what is
/// beside them.
void WindowPanel::growColumns() {
    QHeaderView* heading = m_table->horizontalHeader();
    const QAbstractItemModel& model = *m_table->model();
    const int rows = std::min(model.rowCount(), kRowsMeasured);
    for (int column = 0; column < model.columnCount(); ++column) {
        if (column == m_wideColumn)
            continue;
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        int wanted = column == heading->sortIndicatorSection()
                         ? heading->sectionSizeHint(column)
                         : heading->fontMetrics().horizontalAdvance(title) + 2 * kCellPadding;
        for (int row = 0; row < rows; ++row)
            wanted =
                std::max(wanted, m_table->sizeHintForIndex(model.index(row, column)).width() + kCellPadding);
        wanted = std::min(wanted, kMostColumnWidth);
        if (!m_grown || heading->sectionSize(column) < wanted)
            heading->resizeSection(column, wanted);
    }
    m_grown = m_grown || rows > 0;
}

void WindowPanel::wrapRows() {
    m_table->setWordWrap(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

} // namespace ddp::ui
