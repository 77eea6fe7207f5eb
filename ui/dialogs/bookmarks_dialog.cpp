// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bookmarks_dialog.h"

#include "ui/session/time_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowPadding = 8;

} // namespace

BookmarksDialog::BookmarksDialog(Bookmarks& bookmarks, QWidget* parent)
    : QDialog(parent), m_bookmarks(bookmarks), m_table(new QTableWidget(0, 2)),
      m_empty(new QLabel(tr("There are no bookmarks in this run. Press M in the timeline to set one."))) {
    setObjectName(u"bookmarksDialog"_s);
    setWindowTitle(tr("Bookmarks"));
    m_empty->setObjectName(u"bookmarksEmpty"_s);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_table->setObjectName(u"bookmarksTable"_s);
    m_table->setAccessibleName(tr("Bookmarks"));
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Time")});
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->installEventFilter(this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_go = buttons->addButton(tr("&Go to"), QDialogButtonBox::ActionRole);
    m_rename = buttons->addButton(tr("&Rename"), QDialogButtonBox::ActionRole);
    m_remove = buttons->addButton(tr("&Delete"), QDialogButtonBox::ActionRole);
    m_go->setObjectName(u"bookmarkGo"_s);
    m_rename->setObjectName(u"bookmarkRename"_s);
    m_remove->setObjectName(u"bookmarkDelete"_s);
    for (auto* button : {m_go, m_rename, m_remove})
        button->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_table, 1);
    column->addWidget(m_empty);
    column->addWidget(buttons);
    resize(420, 300);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &BookmarksDialog::go);
    connect(m_rename, &QPushButton::clicked, this,
            [this] { m_table->editItem(m_table->item(current(), 0)); });
    connect(m_remove, &QPushButton::clicked, this, &BookmarksDialog::remove);
    connect(m_table, &QTableWidget::cellDoubleClicked, this, &BookmarksDialog::go);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &BookmarksDialog::followSelection);
    connect(m_table, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        m_bookmarks.rename(static_cast<std::size_t>(item->row()), item->text());
        fill(); // an empty name was not taken
    });
    connect(&m_bookmarks, &Bookmarks::changed, this, &BookmarksDialog::fill);
    fill();
}

void BookmarksDialog::open() {
    show();
    raise();
    activateWindow();
    m_table->setFocus();
    if (current() < 0 && m_table->rowCount() > 0)
        m_table->selectRow(0);
}

void BookmarksDialog::rename(std::size_t place) {
    open();
    m_table->selectRow(static_cast<int>(place));
    m_table->editItem(m_table->item(static_cast<int>(place), 0));
}

void BookmarksDialog::fill() {
    const QSignalBlocker quiet(m_table);
    const int row = m_table->currentRow();
    const auto& all = m_bookmarks.all();
    m_table->setRowCount(static_cast<int>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        cell(static_cast<int>(i), 0).setText(all[i].name);
        cell(static_cast<int>(i), 1).setText(pointText(all[i].time));
    }
    if (!all.empty())
        m_table->selectRow(std::clamp(row, 0, m_table->rowCount() - 1));
    m_table->setVisible(!all.empty());
    m_empty->setVisible(all.empty());
    followSelection();
}

/// Stays the same for as long as its row is there: this is called while a name is being changed.
QTableWidgetItem& BookmarksDialog::cell(int row, int column) {
    if (QTableWidgetItem* item = m_table->item(row, column))
        return *item;
    auto* item = new QTableWidgetItem;
    if (column == 1) {
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
    }
    m_table->setItem(row, column, item);
    return *item;
}

void BookmarksDialog::followSelection() {
    for (auto* button : {m_go, m_rename, m_remove})
        button->setEnabled(current() >= 0);
}

int BookmarksDialog::current() const {
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void BookmarksDialog::go() {
    if (current() >= 0)
        Q_EMIT goWanted(static_cast<std::size_t>(current()));
}

void BookmarksDialog::remove() {
    if (current() >= 0)
        m_bookmarks.remove(static_cast<std::size_t>(current()));
}

bool BookmarksDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            go();
            return true;
        }
        if (key == Qt::Key_Delete) {
            remove();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ddp::ui
