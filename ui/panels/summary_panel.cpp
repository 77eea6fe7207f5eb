// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/summary_panel.h"

#include "ui/panels/activity_legend.h"

#include <QHBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

SummaryPanel::SummaryPanel(const Parts& parts)
    : WindowPanel(parts, u"summary"_s, tr("Summary of the visible window")),
      m_rows(new RowsModel<SummaryRow>(summaryColumns(), this)) {
    const int bars = m_rows->columnCount() - 1;
    setModel(*m_rows, bars, bars);
    headLine().addWidget(new ActivityLegend(palette()));
}

void SummaryPanel::ask() {
    askRun(
        tr("Summary of the visible window"),
        [](const RunAnalysis& run, TimeRange window, const std::stop_token&) {
            return summaryOf(run, window);
        },
        [this](TimeRange window, Summary answer) {
            m_rows->setRows(std::move(answer.rows));
            say(window, answer.note, nothingToCount());
        });
}

} // namespace ddp::ui
