// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/clocks_table.h"

#include "core/analysis/clock_fit.h"
#include "core/analysis/run_analysis.h"
#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_scene.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(ClocksTable)
};

Nanoseconds between(const ClockInfo& first, const ClockInfo& other) {
    std::int64_t difference = 0; // offsets may be any number
    if (__builtin_sub_overflow(other.offsetNs, first.offsetNs, &difference))
        difference = other.offsetNs < first.offsetNs ? -ClockMap::kLimit : ClockMap::kLimit;
    return Nanoseconds(difference);
}

QString offsetText(Nanoseconds offset) {
    return offset.count == 0 ? u"0"_s : durationText(offset);
}

std::optional<Nanoseconds> uncertainty(const ClockInfo& clock) {
    return clock.uncertaintyNs ? std::optional(Nanoseconds(*clock.uncertaintyNs)) : std::nullopt;
}

QString mergedText(const ClockRow& row) {
    if (!row.merged)
        return u"–"_s;
    if (row.merged->quality == ClockQuality::Uncalibrated)
        return Texts::tr("can not be placed");
    const auto unsure = uncertainty(*row.merged);
    return unsure ? u"%1 ± %2"_s.arg(offsetText(row.mergedOffset), durationText(*unsure))
                  : offsetText(row.mergedOffset);
}

} // namespace

QString qualityText(ClockQuality quality) {
    switch (quality) {
    case ClockQuality::SameHost:
        return Texts::tr("same host");
    case ClockQuality::WallClock:
        return Texts::tr("wall clock");
    case ClockQuality::Collectives:
        return Texts::tr("by collectives");
    case ClockQuality::Manual:
        return Texts::tr("set by hand");
    case ClockQuality::Uncalibrated:
        break;
    }
    return Texts::tr("not known");
}

MergeTrial tryMerge(std::shared_ptr<const TraceStore> asRead, const WorkClasses& classes,
                    const std::stop_token& stop) {
    MergeTrial trial;
    trial.oneClock = clockCount(clocksOfRanks(*asRead)) < 2;
    const auto merged = refineClocks(std::move(asRead), classes, stop);
    for (const RankInfo& rank : merged->ranks()) {
        trial.clocks.push_back(rank.clock);
        if (trial.oneClock || rank.clock.quality != ClockQuality::Uncalibrated)
            continue;
        ++trial.unplacedRanks;
        for (const LocationId location : rank.locations)
            trial.unplacedEvents += merged->location(location).events;
    }
    return trial;
}

std::vector<ClockRow> clockRows(const TraceStore& store, const std::optional<MergeTrial>& trial) {
    const auto ranks = store.ranks();
    const std::vector<std::uint32_t> clocks = clocksOfRanks(store);
    std::vector<ClockRow> rows;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ClockRow row;
        row.rank = rankText(ranks[i]);
        row.host = QString::fromStdString(ranks[i].host.value_or(""));
        const auto owner = static_cast<std::size_t>(std::ranges::find(clocks, clocks[i]) - clocks.begin());
        row.reference =
            owner == i ? Texts::tr("its own clock") : Texts::tr("clock of %1").arg(rankText(ranks[owner]));
        row.clock = ranks[i].clock;
        row.offset = between(ranks.front().clock, row.clock);
        row.movable = clocks[i] != clocks.front();
        if (trial && i < trial->clocks.size()) {
            row.merged = trial->clocks[i];
            row.mergedOffset = between(trial->clocks.front(), trial->clocks[i]);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Column<ClockRow>> clockColumns() {
    using Row = ClockRow;
    return {
        {.title = Texts::tr("Rank"), .text = [](const Row& row) { return row.rank; }},
        {.title = Texts::tr("Host"),
         .text = [](const Row& row) { return row.host.isEmpty() ? u"–"_s : row.host; }},
        {.title = Texts::tr("Clock"),
         .tip = Texts::tr("Ranks of one clock are moved together."),
         .text = [](const Row& row) { return row.reference; }},
        {.title = Texts::tr("How it was laid"),
         .text = [](const Row& row) { return qualityText(row.clock.quality); },
         .cellTip = [](const Row& row) { return clockText(row.clock); }},
        {.title = Texts::tr("Offset"),
         .tip = Texts::tr("How much later its first event lies than that of the first rank."),
         .number = true,
         .text = [](const Row& row) { return offsetText(row.offset); },
         .key = [](const Row& row) -> QVariant { return static_cast<qlonglong>(row.offset.count); },
         .cellTip = [](const Row& row) { return exactText(row.offset); }},
        {.title = Texts::tr("Drift (ppm)"),
         .tip = Texts::tr("How much faster the run's time goes than that of the archive; – where none was "
                          "found."),
         .number = true,
         .text =
             [](const Row& row) {
                 return row.clock.driftPpm ? QString::number(*row.clock.driftPpm, 'f', 3) : u"–"_s;
             }},
        {.title = Texts::tr("Uncertain by"),
         .tip = Texts::tr("What the collectives leave open; – where it is not known."),
         .number = true,
         .text = [](const Row& row) { return timeCell(uncertainty(row.clock)); }},
        {.title = Texts::tr("Dry run"),
         .tip = Texts::tr("The offset and uncertainty that collectives give; nothing is changed by it."),
         .number = true,
         .text = mergedText,
         .key = [](const Row& row) -> QVariant { return static_cast<qlonglong>(row.mergedOffset.count); }},
    };
}

std::optional<std::vector<ClockInfo>> clocksByHand(const TraceStore& store, std::size_t rankIndex,
                                                   Nanoseconds offset) {
    const auto ranks = store.ranks();
    const std::vector<std::uint32_t> groups = clocksOfRanks(store);
    if (groups[rankIndex] == groups.front())
        return std::nullopt;
    const Nanoseconds before = between(ranks.front().clock, ranks[rankIndex].clock);
    std::int64_t by = 0;
    if (__builtin_sub_overflow(offset.count, before.count, &by))
        return std::nullopt;
    std::vector<ClockInfo> clocks;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ClockInfo& clock = clocks.emplace_back(ranks[i].clock);
        clock.domain = groups[i]; // hosts with wall clocks have been one domain until now
        if (groups[i] == groups[rankIndex]) {
            if (__builtin_add_overflow(clock.offsetNs, by, &clock.offsetNs))
                return std::nullopt;
            clock.quality = ClockQuality::Manual;
            clock.uncertaintyNs.reset();
        } else if (groups[i] == groups.front() && clock.quality == ClockQuality::Uncalibrated) {
            clock.quality = ClockQuality::Manual;
        }
    }
    return clocks;
}

} // namespace ddp::ui
