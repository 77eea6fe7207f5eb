// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/steps_table.h"

#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(StepsTable)
};

ActivityParts barOf(const StepTableRow& row) {
    ActivityParts parts = partsOf(row.step.activity);
    parts.length = row.length;
    return parts;
}

QVariant durationKey(const StepTableRow& row) {
    return static_cast<qlonglong>(row.step.step.range.length().count);
}

const WindowActivity& activityOf(const StepTableRow& row) {
    return row.step.activity;
}
using Cells = ActivityCells<StepTableRow, activityOf>;

} // namespace

std::vector<StepTableRow> stepTableRows(const RunAnalysis& run, TimeRange window) {
    RunSteps steps;
    steps.rule = run.steps().rule;
    for (const std::vector<Step>& all : run.steps().ranks) {
        std::vector<Step>& touching = steps.ranks.emplace_back();
        std::ranges::copy_if(all, std::back_inserter(touching),
                             [window](const Step& step) { return !step.range.clippedTo(window).empty(); });
    }
    std::vector<StepTableRow> rows;
    std::int64_t longest = 1;
    for (StepRow& step : measureSteps(run.activity(), steps, run.collectives())) {
        longest = std::max(longest, step.step.range.length().count);
        rows.push_back({run.store()->ranks()[step.rankIndex].rank, std::move(step), 1});
    }
    for (StepTableRow& row : rows)
        row.length = static_cast<double>(row.step.step.range.length().count) / static_cast<double>(longest);
    return rows;
}

std::vector<Column<StepTableRow>> stepColumns() {
    using Row = StepTableRow;
    return {
        {.title = Texts::tr("Rank"),
         .number = true,
         .text = [](const Row& row) { return rankCell(row.rank); },
         .key = [](const Row& row) -> QVariant { return row.rank.value_or(-1); },
         .fields = {{"rank", [](const Row& row) { return valueOrNull(row.rank); }}}},
        {.title = Texts::tr("Step"),
         .tip = Texts::tr("The first one of a rank is its warm-up."),
         .number = true,
         .text =
             [](const Row& row) {
                 const QString number = QString::number(row.step.step.number);
                 return row.step.step.warmUp ? Texts::tr("%1 warm-up").arg(number) : number;
             },
         .key = [](const Row& row) -> QVariant { return row.step.step.number; },
         .fields = {{"step", [](const Row& row) -> QVariant { return row.step.step.number; }},
                    {"warm_up", [](const Row& row) -> QVariant { return row.step.step.warmUp; }}}},
        {.title = Texts::tr("Duration"),
         .number = true,
         .text = [](const Row& row) { return durationText(row.step.step.range.length()); },
         .key = durationKey,
         .fields = {{"begin_ns",
                     [](const Row& row) -> QVariant {
                         return static_cast<qlonglong>(row.step.step.range.begin.count);
                     }},
                    {"duration_ns", durationKey}}},
        Cells::hidden(),
        Cells::hiddenShare(),
        Cells::exposed(),
        Cells::compute(),
        Cells::idle(),
        {.title = Texts::tr("Wait"),
         .tip =
             Texts::tr("For late ranks, in collectives that were matched with confidence; – where none was."),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.step.wait); },
         .key = [](const Row& row) -> QVariant {
             return static_cast<qlonglong>(row.step.wait.value_or(Nanoseconds(-1)).count);
         },
         .fields = {{"wait_ns", [](const Row& row) { return nanosecondsOrNull(row.step.wait); }}}},
        {.title = Texts::tr("Parts of the step"),
         .tip = Texts::tr("As long as the step is, compared with the longest one."),
         .key = [](const Row& row) -> QVariant { return row.length; },
         .bar = [](const Row& row) { return QVariant::fromValue(barOf(row)); },
         .cellTip = [](const Row& row) { return partsText(barOf(row)); }},
    };
}

} // namespace ddp::ui
