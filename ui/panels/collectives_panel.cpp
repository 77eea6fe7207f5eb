// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/collectives_panel.h"

#include "ui/session/time_text.h"

#include <QLocale>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kExposed = 2;
constexpr int kAround = 4; // what is shown on each side: this part of its length

QString noteOf(const TraceStore& store, const std::vector<CollectiveRow>& rows) {
    const auto low =
        std::ranges::count_if(rows, [](const CollectiveRow& row) { return !row.confident && row.ranks > 1; });
    const bool uncalibrated = std::ranges::any_of(
        store.ranks(), [](const RankInfo& rank) { return rank.clock.quality == ClockQuality::Uncalibrated; });
    QString note =
        countText(rows.size(), CollectivesPanel::tr("collective"), CollectivesPanel::tr("collectives"));
    if (low > 0)
        note += CollectivesPanel::tr(", %1 with low confidence").arg(QLocale().toString(qlonglong(low)));
    if (uncalibrated && store.ranks().size() > 1)
        note +=
            CollectivesPanel::tr("; clocks can not be compared, so that skew and late ranks are withheld");
    return note + u'.';
}

} // namespace

CollectivesPanel::CollectivesPanel(const Parts& parts)
    : WindowPanel(parts, u"collectives"_s, tr("Collectives in the visible window")),
      m_rows(new RowsModel<CollectiveRow>(collectiveColumns(), this)) {
    setModel(*m_rows, -1, m_rows->columnCount() - 1);
    sortBy(kExposed, Qt::DescendingOrder);
}

void CollectivesPanel::ask() {
    struct Answer {
        std::vector<CollectiveRow> rows;
        QString note;
        bool any = false;
    };
    askRun(
        tr("Collectives in the visible window"),
        [](const RunAnalysis& run, TimeRange window, const std::stop_token&) {
            Answer answer{collectiveRows(run, window), {}, !run.collectives().instances.empty()};
            answer.note = noteOf(*run.store(), answer.rows);
            return answer;
        },
        [this](TimeRange window, Answer answer) {
            m_rows->setRows(std::move(answer.rows));
            say(window, answer.note,
                answer.any ? tr("No collective runs in the visible window. Press F for the whole trace.")
                           : tr("The trace has no collectives. If the run had several ranks, record its "
                                "NCCL kernels, or its Gloo or MPI calls."));
        });
}

void CollectivesPanel::activate(int row) {
    const TimeRange range = m_rows->row(row).range;
    const Nanoseconds around(range.length().count / kAround);
    view().setVisible({range.begin - around, range.end + around});
}

} // namespace ddp::ui
