// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps_panel.h"

#include "ui/panels/activity_legend.h"

#include <QHBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

QString ruleText(const RunSteps& steps) {
    const QString marker = QString::fromStdString(steps.marker);
    switch (steps.rule) {
    case StepRule::Region:
        return StepsPanel::tr("Steps are marked by the region %1.").arg(marker);
    case StepRule::ProfilerStep:
        return StepsPanel::tr("Steps are marked by the profiler (%1).").arg(marker);
    case StepRule::NvtxRange:
        return StepsPanel::tr("Steps are marked by the NVTX range %1.").arg(marker);
    case StepRule::OptimizerRegion:
        return StepsPanel::tr("No region marks steps: each ends with the optimizer's %1.").arg(marker);
    case StepRule::LastCollective:
        return StepsPanel::tr("No region marks steps: each ends with the last %1 of a pattern that repeats.")
            .arg(marker);
    case StepRule::None:
        break;
    }
    return StepsPanel::tr(
        "Nothing marks the steps of this run: no region, range or optimizer, and no collectives that repeat. "
        "Name a region “step” around each of them to see them here.");
}

} // namespace

StepsPanel::StepsPanel(const Parts& parts)
    : WindowPanel(parts, u"steps"_s, tr("Steps in the visible window")),
      m_rows(new RowsModel<StepTableRow>(stepColumns(), this)) {
    const int bars = m_rows->columnCount() - 1;
    setModel(*m_rows, bars, bars);
    headLine().addWidget(new ActivityLegend(palette()));
}

void StepsPanel::ask() {
    struct Answer {
        std::vector<StepTableRow> rows;
        QString rule;
        bool any = false;
    };
    askRun(
        tr("Steps in the visible window"),
        [](const RunAnalysis& run, TimeRange window, const std::stop_token&) {
            return Answer{stepTableRows(run, window), ruleText(run.steps()),
                          run.steps().rule != StepRule::None};
        },
        [this](TimeRange window, Answer answer) {
            m_rows->setRows(std::move(answer.rows));
            const QString outside =
                tr("No step touches the visible window. Press F for the whole trace.\n\n%1").arg(answer.rule);
            say(window, answer.rule, answer.any ? outside : answer.rule);
        });
}

void StepsPanel::activate(int row) {
    view().setVisible(m_rows->row(row).step.step.range);
}

} // namespace ddp::ui
