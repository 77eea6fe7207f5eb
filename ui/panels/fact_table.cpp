// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/fact_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostRows = 16;
constexpr int kRowPadding = 6;
constexpr int kCellPadding = 10;

} // namespace

FactTable::FactTable(const QString& name, const QString& title, QAbstractItemModel& model, QWidget* parent)
    : QTableView(parent) {
    setObjectName(name);
    setAccessibleName(title);
    setModel(&model);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    auto* copyCells = new QAction(tr("Copy\tCtrl+C"), this);
    connect(copyCells, &QAction::triggered, this, &FactTable::copy);
    addAction(copyCells);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

QSize FactTable::sizeHint() const {
    const int rows = std::min(model()->rowCount(), kMostRows);
    return {200, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 2};
}

void FactTable::fit() {
    for (int column = 0; column + 1 < model()->columnCount(); ++column) {
        int wanted = horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < std::min(model()->rowCount(), kMostRows); ++row)
            wanted = std::max(wanted, sizeHintForIndex(model()->index(row, column)).width() + kCellPadding);
        horizontalHeader()->resizeSection(column, wanted);
    }
    setFixedHeight(sizeHint().height());
}

void FactTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        return copy();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        Q_EMIT clicked(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void FactTable::copy() const {
    QModelIndexList cells = selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0)
            text += cells[i].row() == cells[i - 1].row() ? u'\t' : u'\n';
        text += cells[i].data().toString();
    }
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text);
}

} // namespace ddp::ui
