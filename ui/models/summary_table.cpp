// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/summary_table.h"

#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(SummaryTable)
};

bool communicates(const SummaryRow& row) {
    return row.overlap.activity.communication.count > 0;
}

std::optional<double> exposedPercent(const SummaryRow& row) {
    return communicates(row) ? percentOf(row.overlap.activity.exposed, row.overlap.span) : std::nullopt;
}

/// A number where the trace numbers it.
QVariant deviceField(const SummaryRow& row) {
    bool number = false;
    const int device = row.device.toInt(&number);
    return number ? QVariant(device) : row.device == u"?" ? QVariant() : QVariant(row.device);
}

QString cell(const SummaryRow& row, Nanoseconds time) {
    return communicates(row) ? durationText(time) : u"–"_s;
}

const WindowActivity& activityOf(const SummaryRow& row) {
    return row.overlap.activity;
}
using Cells = ActivityCells<SummaryRow, activityOf>;

/// The column as it is, but without a number where there is no communication at all.
Column<SummaryRow> ofCommunication(Column<SummaryRow> column, QString (*text)(const SummaryRow&)) {
    column.text = text;
    return column;
}

std::vector<SummaryRow> summaryRows(const RunAnalysis& run, const Overlap& perDevice) {
    std::vector<SummaryRow> rows;
    for (const OverlapRow& overlap : perDevice.rows) {
        const Device& device = run.activity().devices()[*overlap.device];
        const QString name = device.isHost   ? Texts::tr("host")
                             : device.device ? QString::number(*device.device)
                                             : u"?"_s;
        rows.push_back({run.store()->ranks()[overlap.rankIndex].rank, name, overlap});
    }
    return rows;
}

QString summaryNote(const RunAnalysis& run, bool communicates) {
    const auto ranks = run.store()->ranks();
    const auto devices = run.activity().devices();
    if (ranks.size() > 1 && !communicates)
        return Texts::tr("No communication was found: was it recorded?");
    if (std::ranges::any_of(
            ranks, [](const RankInfo& rank) { return rank.clock.quality == ClockQuality::Uncalibrated; }) &&
        ranks.size() > 1)
        return Texts::tr("Clocks can not be compared: the window is each rank's own.");
    if (!devices.empty() && std::ranges::all_of(devices, &Device::isHost))
        return Texts::tr("No accelerators: the host threads count as the device of each rank.");
    return {};
}

} // namespace

Summary summaryOf(const RunAnalysis& run, TimeRange window) {
    const Overlap overlap = overlapOf(run, OverlapBy::Device, window);
    return {summaryRows(run, overlap), summaryNote(run, overlap.communicates)};
}

QString nothingToCount() {
    return Texts::tr("The trace has no accelerator streams and no threads to count.");
}

std::vector<Column<SummaryRow>> summaryColumns() {
    using Row = SummaryRow;
    return {
        {.title = Texts::tr("Rank"),
         .number = true,
         .text = [](const Row& row) { return rankCell(row.rank); },
         .key = [](const Row& row) -> QVariant { return row.rank.value_or(-1); },
         .fields = {{"rank", [](const Row& row) { return valueOrNull(row.rank); }}}},
        {.title = Texts::tr("Device"),
         .tip =
             Texts::tr("The accelerator as the trace numbers it, or the host threads of a rank without one."),
         .number = true,
         .text = [](const Row& row) { return row.device; },
         .fields = {{"device", deviceField}}},
        {.title = Texts::tr("Communication"),
         .tip = Texts::tr("Time in which any stream of the device communicates; overlaps count once."),
         .number = true,
         .text =
             [](const Row& row) {
                 return communicates(row) ? durationText(row.overlap.activity.communication)
                                          : Texts::tr("no communication");
             },
         .key = Cells::key<&WindowActivity::communication>,
         .fields = {{"communication_ns", Cells::key<&WindowActivity::communication>}}},
        ofCommunication(Cells::hidden(),
                        [](const Row& row) { return cell(row, row.overlap.activity.hidden); }),
        Cells::hiddenShare(),
        ofCommunication(Cells::exposed(),
                        [](const Row& row) { return cell(row, row.overlap.activity.exposed); }),
        {.title = Texts::tr("Exposed %"),
         .tip = Texts::tr("Exposed communication as a share of the window."),
         .number = true,
         .text = [](const Row& row) { return percentText(exposedPercent(row)); },
         .key = [](const Row& row) -> QVariant { return exposedPercent(row).value_or(-1); },
         .fields = {{"exposed_pct", [](const Row& row) { return valueOrNull(exposedPercent(row)); }}}},
        Cells::compute(),
        Cells::column<&WindowActivity::exposedMemory>(
            "exposed_memory_ns", Texts::tr("Memory"),
            Texts::tr("Copies and fills beside neither compute nor communication.")),
        Cells::idle(),
        {.title = Texts::tr("Parts of the window"),
         .key = [](const Row& row) -> QVariant { return exposedPercent(row).value_or(-1); },
         .bar = [](const Row& row) { return QVariant::fromValue(partsOf(row.overlap.activity)); },
         .cellTip = [](const Row& row) { return partsText(partsOf(row.overlap.activity)); }},
    };
}

} // namespace ddp::ui
