// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/clocks_dialog.h"

#include "ui/panels/fact_table.h"
#include "ui/session/duration_input.h"
#include "ui/session/time_text.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

ClocksDialog::ClocksDialog(TraceSession& session, TaskRunner& runner, QWidget* parent)
    : QDialog(parent), m_session(session), m_runner(runner),
      m_rows(new RowsModel<ClockRow>(clockColumns(), this)),
      m_table(new FactTable(u"clocksTable"_s, tr("Clocks of the ranks"), *m_rows)), m_which(new QLabel),
      m_offset(new QLineEdit), m_set(new QPushButton(tr("&Set"))), m_reset(new QPushButton(tr("&Reset"))),
      m_try(new QPushButton(tr("&Dry run"))), m_said(new QLabel) {
    setObjectName(u"clocksDialog"_s);
    setWindowTitle(tr("Clocks"));
    auto* about = new QLabel(
        tr("Times of two ranks can be compared only where something relates their clocks. Where nothing "
           "does, arrows, skew and late ranks are withheld, and the ranks are drawn from a common zero."));
    about->setWordWrap(true);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_said->setObjectName(u"clocksSaid"_s);
    m_said->setWordWrap(true);
    m_try->setObjectName(u"clocksTry"_s);
    m_try->setToolTip(tr("Shows what joining the archives by their collectives gives; this is also what "
                         "opening them as one run does. Nothing is changed by it."));
    m_reset->setObjectName(u"clocksReset"_s);
    m_reset->setToolTip(tr("Lays the clocks as they were laid when the trace was opened."));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_try, QDialogButtonBox::ActionRole);
    buttons->addButton(m_reset, QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addWidget(about);
    column->addWidget(m_table);
    column->addWidget(buildHand());
    column->addWidget(m_said);
    column->addStretch();
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_try, &QPushButton::clicked, this, &ClocksDialog::tryOut);
    connect(m_reset, &QPushButton::clicked, this, &ClocksDialog::reset);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &ClocksDialog::takeRow);
    connect(&m_session, &TraceSession::changed, this, &ClocksDialog::takeStore);
    takeStore();
    resize(860, sizeHint().height());
}

QWidget* ClocksDialog::buildHand() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    m_which->setObjectName(u"clocksWhich"_s);
    m_which->setBuddy(m_offset);
    m_offset->setObjectName(u"clocksOffset"_s);
    m_offset->setPlaceholderText(tr("−12.5 µs"));
    m_offset->setMaximumWidth(160);
    m_offset->setAccessibleName(tr("Offset by hand"));
    m_offset->setToolTip(tr("How much later the first event of the rank lies than that of the first rank, "
                            "with its unit: ns, µs, ms or s."));
    m_set->setObjectName(u"clocksSet"_s);
    m_set->setAutoDefault(false);
    row->addWidget(m_which);
    row->addWidget(m_offset);
    row->addWidget(m_set);
    row->addStretch();
    connect(m_set, &QPushButton::clicked, this, &ClocksDialog::setByHand);
    connect(m_offset, &QLineEdit::returnPressed, this, &ClocksDialog::setByHand);
    return line;
}

void ClocksDialog::takeStore() {
    const auto& store = m_session.store();
    if (m_tried != m_session.asRead())
        m_trial.reset();
    const QModelIndex current = m_table->currentIndex();
    m_rows->setRows(store ? clockRows(*store, m_trial) : std::vector<ClockRow>());
    m_table->fit();
    const int last = m_rows->rowCount() - 1;
    if (last >= 0)
        m_table->setCurrentIndex(m_rows->index(std::clamp(current.row(), 0, last), 0));
    m_try->setEnabled(store != nullptr);
    m_reset->setEnabled(store != nullptr);
    takeRow();
}

void ClocksDialog::takeRow() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) {
        m_which->setText(tr("Choose a rank to set its offset by hand."));
    } else if (const ClockRow& row = m_rows->row(current.row()); row.movable) {
        m_which->setText(tr("Offset of %1 by hand:").arg(row.rank));
        m_offset->setText(durationText(row.offset));
    } else {
        m_which->setText(tr("%1 is on the clock that the others are compared with. Choose another rank to "
                            "set its offset by hand.")
                             .arg(row.rank));
    }
    const bool movable = current.isValid() && m_rows->row(current.row()).movable;
    m_offset->setVisible(movable);
    m_set->setVisible(movable);
}

void ClocksDialog::setByHand() {
    const QModelIndex current = m_table->currentIndex();
    const auto offset = durationFrom(m_offset->text());
    if (!offset) {
        m_said->setText(
            tr("“%1” is no length: write a number and its unit, like −12.5 µs.").arg(m_offset->text()));
        return;
    }
    if (!m_session.store() || !current.isValid())
        return;
    const auto clocks = clocksByHand(*m_session.store(), static_cast<std::size_t>(current.row()), *offset);
    if (!clocks) {
        m_said->setText(tr("This offset can not be set: it is too large."));
        return;
    }
    m_said->setText(tr("Set by hand. Statements across ranks rest on it until you reset the clocks."));
    m_session.setClocks(*clocks);
}

void ClocksDialog::reset() {
    if (!m_session.asRead())
        return;
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : m_session.asRead()->ranks())
        clocks.push_back(rank.clock);
    m_said->setText(tr("The clocks are as they were when the trace was opened."));
    m_session.setClocks(clocks);
}

void ClocksDialog::tryOut() {
    const auto asRead = m_session.asRead();
    const auto classes = m_session.classification();
    if (!asRead || !classes)
        return;
    m_said->setText(tr("The collectives of the ranks are being compared."));
    m_runner.start(
        m_slot, tr("Comparing collectives"),
        [asRead, classes](TaskContext& context) {
            return Result<MergeTrial>(tryMerge(asRead, classes->classes, context.stop));
        },
        this,
        [this, asRead](Result<MergeTrial> trial) {
            if (!trial)
                return;
            m_trial = std::move(*trial);
            m_tried = asRead;
            takeStore();
            showTrial();
        });
}

void ClocksDialog::showTrial() {
    const std::size_t ranks = m_trial->clocks.size();
    if (m_trial->oneClock)
        m_said->setText(tr("Dry run: all ranks share one clock, so there is nothing to relate."));
    else if (m_trial->unplacedRanks == 0)
        m_said->setText(tr("Dry run: all %1 can be placed on one axis; no event is left out.")
                            .arg(countText(ranks, tr("rank"), tr("ranks"))));
    else
        m_said->setText(
            tr("Dry run: %1 of %2 can not be placed on a common axis, with %3: their collectives are too few "
               "or do not fit together.")
                .arg(m_trial->unplacedRanks)
                .arg(countText(ranks, tr("rank"), tr("ranks")),
                     countText(m_trial->unplacedEvents, tr("event"), tr("events"))));
}

} // namespace ddp::ui
