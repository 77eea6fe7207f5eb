// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/compare_window.h"

#include "ui/panels/elided_label.h"
#include "ui/panels/message_bar.h"
#include "ui/tasks/task_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 8;
constexpr int kRowPadding = 6;
constexpr int kLetterWidth = 28;
constexpr int kNumberWidth = 96;
constexpr int kVerdictWidth = 130;

} // namespace

CompareWindow::CompareWindow(const Palette& palette)
    : m_palette(palette), m_a(m_runner, palette, u"A"_s), m_b(m_runner, palette, u"B"_s),
      m_views(m_a.state(), m_b.state()), m_rows(new RowsModel<ComparedRow>(compareColumns(), this)) {
    setObjectName(u"compareWindow"_s);
    setWindowTitle(tr("Compare – ddpscope"));
    resize(1280, 800);
    m_message = new MessageBar(m_palette);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(framed(u"A"_s, m_a));
    parts->addWidget(framed(u"B"_s, m_b));
    parts->addWidget(buildTable());
    for (int part = 0; part < 3; ++part)
        parts->setStretchFactor(part, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(m_message);
    column->addWidget(parts, 1);
    auto* close = new QAction(tr("Close"), this);
    close->setShortcut(QKeySequence::Close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    addAction(close);
    for (CompareSide* side : {&m_a, &m_b}) {
        connect(side, &CompareSide::changed, this, &CompareWindow::takeRuns);
        connect(side, &CompareSide::failed, this, &CompareWindow::say);
    }
    takeRuns();
}

CompareWindow::~CompareWindow() {
    m_runner.stopAll();
    // The views refer to the members of this object, so they go first.
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

QWidget* CompareWindow::buildHead() {
    auto* head = new QWidget;
    m_coupling = new QComboBox;
    m_coupling->setObjectName(u"compareCoupling"_s);
    m_coupling->addItems({tr("by time"), tr("by step"), tr("not at all")});
    m_coupling->setToolTip(
        tr("By time: both count from their beginning. By step: steps of the same number lie "
           "below each other. What you zoom or move in one run, the other follows."));
    auto* label = new QLabel(tr("&Move together:"));
    label->setBuddy(m_coupling);
    m_couplingNote = new QLabel;
    m_couplingNote->setForegroundRole(QPalette::PlaceholderText);
    auto* fit = new QPushButton(tr("Whole runs"));
    fit->setObjectName(u"compareFit"_s);
    fit->setToolTip(tr("Shows both runs from their beginning to their end (F in a timeline)."));
    connect(fit, &QPushButton::clicked, this, [this] {
        m_a.state().fit();
        m_b.state().fit();
    });
    connect(m_coupling, &QComboBox::currentIndexChanged, this, &CompareWindow::couple);
    auto* line = new QHBoxLayout(head);
    line->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
    line->setSpacing(kMargin);
    line->addWidget(label);
    line->addWidget(m_coupling);
    line->addWidget(fit);
    line->addWidget(m_couplingNote);
    line->addStretch(1);
    line->addWidget(new TaskBar(m_runner));
    return head;
}

/// With its letter at the left, by which the table names it.
QWidget* CompareWindow::framed(const QString& letter, CompareSide& side) {
    auto* frame = new QWidget;
    auto* name = new QLabel(letter);
    QFont bold = name->font();
    bold.setBold(true);
    name->setFont(bold);
    name->setFixedWidth(kLetterWidth);
    name->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    name->setContentsMargins(0, kMargin / 2, 0, 0);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(name);
    // With a scroll bar or without, the same time is at the same place.
    for (auto* bar : side.view().findChildren<QScrollBar*>()) {
        QSizePolicy policy = bar->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        bar->setSizePolicy(policy);
    }
    row->addWidget(&side.view(), 1);
    return frame;
}

QWidget* CompareWindow::buildTable() {
    auto* part = new QWidget;
    m_basis = new ElidedLabel(Qt::ElideRight);
    m_basis->setObjectName(u"compareBasis"_s);
    m_basis->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
    m_empty = new QLabel;
    m_empty->setObjectName(u"compareEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_basis);
    column->addWidget(makeTable(), 1);
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_empty);
    m_pages->addWidget(filled);
    auto* outer = new QVBoxLayout(part);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    return part;
}

QTableView* CompareWindow::makeTable() {
    auto* table = new QTableView;
    table->setObjectName(u"compareTable"_s);
    table->setAccessibleName(tr("What differs between the runs"));
    table->setModel(m_rows);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + kRowPadding);
    QHeaderView* heading = table->horizontalHeader();
    heading->setHighlightSections(false);
    const int last = m_rows->columnCount() - 1;
    for (int section = 0; section < last; ++section)
        heading->resizeSection(section, section == last - 1 ? kVerdictWidth : kNumberWidth);
    heading->setSectionResizeMode(last, QHeaderView::Stretch);
    auto* actions = new TableActions(*table, m_runner, u"compare"_s, nullptr); // the table's
    connect(actions, &TableActions::failed, this, &CompareWindow::say);
    return table;
}

QString CompareWindow::message() const {
    return m_message->message();
}

void CompareWindow::say(const QString& sentence) {
    m_message->showMessage(MessageKind::Problem, sentence);
}

void CompareWindow::takeRuns() {
    setWindowTitle(tr("%1 and %2 – ddpscope").arg(m_a.session().title(), m_b.session().title()));
    m_runner.drop(m_slot);
    m_rows->setRows({});
    m_pages->setCurrentIndex(0);
    m_empty->setText(tr("What differs stands here when both runs are read and analysed."));
    couple();
    if (m_a.run() && m_b.run())
        compare();
}

void CompareWindow::compare() {
    m_message->hide();
    m_runner.start(
        m_slot, tr("Comparing %1 with %2").arg(m_a.session().title(), m_b.session().title()),
        [a = m_a.run(), b = m_b.run()](TaskContext& context) -> Result<Comparison> {
            Comparison comparison = compareRuns(*a, *b, context.stop);
            if (context.stop.stop_requested())
                return fail(ErrorCode::Cancelled, "The comparison was stopped.");
            return comparison;
        },
        this,
        [this](Result<Comparison> comparison) {
            if (comparison)
                fill(*comparison);
            else
                m_empty->setText(
                    tr("The comparison was stopped. Choose “Compare with…” again to have it made."));
        });
}

void CompareWindow::fill(const Comparison& comparison) {
    const QStringList notes = comparisonDoubts(comparison, false);
    m_basis->setFullText((QStringList(comparisonBasis(comparison)) + notes).join(u' '));
    m_rows->setRows(comparison.rows);
    m_pages->setCurrentIndex(1);
    if (!comparison.comparable)
        say(tr("These runs can not be compared like for like. %1")
                .arg(comparisonDoubts(comparison, true).join(u' ')));
}

void CompareWindow::couple() {
    const auto& a = m_a.session().store();
    const auto& b = m_b.session().store();
    m_couplingNote->clear();
    if (!a || !b)
        return;
    TimelineCanvas& canvasA = m_a.view().canvas();
    TimelineCanvas& canvasB = m_b.view().canvas();
    const int headers = std::max(canvasA.scene().headerWidth, canvasB.scene().headerWidth);
    canvasA.setHeaderWidth(headers);
    canvasB.setHeaderWidth(headers);
    std::optional<TimeMap> map;
    if (m_coupling->currentIndex() == ByStep && m_a.run() && m_b.run())
        map = byStep(m_a.run()->steps(), m_b.run()->steps());
    if (m_coupling->currentIndex() == ByStep && !map)
        m_couplingNote->setText(tr("The runs have no step of the same number: they move by time."));
    if (m_coupling->currentIndex() != Apart && !map)
        map = byTime(a->extent(), b->extent());
    m_views.couple(std::move(map), a->extent(), b->extent());
}

} // namespace ddp::ui
