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
    struct Answer {
        std::vector<SummaryRow> rows;
        QString note;
    };
    askRun(
        tr("Summary of the visible window"),
        [](const RunAnalysis& run, TimeRange window, const std::stop_token&) {
            const Overlap overlap = overlapOf(run, OverlapBy::Device, window);
            return Answer{summaryRows(run, overlap), summaryNote(run, overlap.communicates)};
        },
        [this](TimeRange window, Answer answer) {
            m_rows->setRows(std::move(answer.rows));
            say(window, answer.note, tr("The trace has no accelerator streams and no threads to count."));
        });
}

} // namespace ddp::ui
