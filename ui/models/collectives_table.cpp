// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/collectives_table.h"

#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(CollectivesTable)
};

TimeRange rangeOf(const CollectiveInstance& instance) {
    TimeRange range = instance.parts.front().range;
    for (const CollectivePart& part : instance.parts)
        range = {std::min(range.begin, part.range.begin), std::max(range.end, part.range.end)};
    return range;
}

CollectiveRow rowOf(const TraceStore& store, const CollectiveInstance& instance, std::size_t index) {
    const std::string_view name = store.regionName(instance.region);
    CollectiveRow row;
    row.index = index;
    row.name = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    row.ranks = instance.parts.size();
    row.step = instance.step;
    row.bytes = instance.bytes;
    row.range = rangeOf(instance);
    row.transfer = instance.transfer;
    row.skew = instance.skew;
    row.lateRank = instance.lateRank ? store.ranks()[*instance.lateRank].rank : std::nullopt;
    row.confident = instance.confident;
    double hidden = 0;
    double exposed = 0;
    for (const CollectivePart& part : instance.parts) {
        hidden += static_cast<double>(part.hidden.count);
        exposed += static_cast<double>(part.exposed.count);
    }
    row.exposed = Nanoseconds(static_cast<std::int64_t>(exposed / static_cast<double>(row.ranks)));
    if (hidden + exposed > 0)
        row.hiddenPercent = 100 * hidden / (hidden + exposed);
    return row;
}

qlonglong keyOf(const std::optional<Nanoseconds>& time) {
    return time ? time->count : -1;
}

QVariant exposedKey(const CollectiveRow& row) {
    return static_cast<qlonglong>(row.exposed.count);
}

/// As ddpscope-cli says it; one rank alone is no match.
QVariant confidenceField(const CollectiveRow& row) {
    if (row.ranks == 1)
        return {};
    return row.confident ? u"high"_s : u"low"_s;
}

QString confidenceText(const CollectiveRow& row) {
    if (row.ranks == 1)
        return Texts::tr("one rank only");
    return row.confident ? Texts::tr("high") : Texts::tr("low");
}

QString confidenceTip(const CollectiveRow& row) {
    if (row.ranks == 1)
        return Texts::tr(
            "No other rank has a part of it, so that there is no wait and no late rank to tell.");
    return row.confident ? Texts::tr("The durations and ends of its ranks fit together.")
                         : Texts::tr("The durations and ends of its ranks do not fit together: its ranks may "
                                     "have been matched wrongly, and waits and the late rank are withheld.");
}

QString sizeText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

} // namespace

std::vector<CollectiveRow> collectiveRows(const RunAnalysis& run, TimeRange window) {
    std::vector<CollectiveRow> rows;
    const auto& instances = run.collectives().instances;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const bool touches = std::ranges::any_of(instances[i].parts, [window](const CollectivePart& part) {
            return !part.range.clippedTo(window).empty();
        });
        if (touches)
            rows.push_back(rowOf(*run.store(), instances[i], i));
    }
    return rows;
}

std::vector<Column<CollectiveRow>> collectiveColumns() {
    using Row = CollectiveRow;
    return {
        {.title = Texts::tr("#"),
         .tip = Texts::tr("Its number, as ddpscope-cli collectives counts."),
         .number = true,
         .text = [](const Row& row) { return QString::number(row.index); },
         .key = [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.index); },
         .fields = {{"index",
                     [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.index); }}}},
        {.title = Texts::tr("Step"),
         .number = true,
         .text = [](const Row& row) { return row.step ? QString::number(*row.step) : u"–"_s; },
         .key = [](const Row& row) -> QVariant { return row.step ? qlonglong(*row.step) : -1; },
         .fields = {{"step", [](const Row& row) { return valueOrNull(row.step); }}}},
        {.title = Texts::tr("Exposed"),
         .tip = Texts::tr("Time of it that no compute hides; the mean over its ranks."),
         .number = true,
         .text = [](const Row& row) { return durationText(row.exposed); },
         .key = exposedKey,
         .fields = {{"begin_ns",
                     [](const Row& row) -> QVariant {
                         return static_cast<qlonglong>(row.range.begin.count);
                     }},
                    {"end_ns",
                     [](const Row& row) -> QVariant { return static_cast<qlonglong>(row.range.end.count); }},
                    {"exposed_ns", exposedKey}}},
        {.title = Texts::tr("Hidden %"),
         .tip = Texts::tr("The share of its time that compute hides, over all its ranks."),
         .number = true,
         .text = [](const Row& row) { return percentText(row.hiddenPercent); },
         .key = [](const Row& row) -> QVariant { return row.hiddenPercent.value_or(-1); },
         .fields = {{"hidden_pct", [](const Row& row) { return valueOrNull(row.hiddenPercent); }}}},
        {.title = Texts::tr("Transfer"),
         .tip = Texts::tr("The shortest duration over its ranks: what is left when nobody waits."),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.transfer); },
         .key = [](const Row& row) -> QVariant { return keyOf(row.transfer); },
         .fields = {{"transfer_ns", [](const Row& row) { return nanosecondsOrNull(row.transfer); }}}},
        {.title = Texts::tr("Skew"),
         .tip = Texts::tr("Latest begin less earliest begin; only with clocks that can be compared."),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.skew); },
         .key = [](const Row& row) -> QVariant { return keyOf(row.skew); },
         .fields = {{"skew_ns", [](const Row& row) { return nanosecondsOrNull(row.skew); }}}},
        {.title = Texts::tr("Late rank"),
         .tip = Texts::tr("The rank that came last, by more than the clocks may be off."),
         .number = true,
         .text = [](const Row& row) { return row.lateRank ? QString::number(*row.lateRank) : u"–"_s; },
         .key = [](const Row& row) -> QVariant { return row.lateRank.value_or(-1); },
         .fields = {{"late_rank", [](const Row& row) { return valueOrNull(row.lateRank); }}}},
        {.title = Texts::tr("Size"),
         .number = true,
         .text = [](const Row& row) { return row.bytes ? sizeText(*row.bytes) : u"–"_s; },
         .key = [](const Row& row) -> QVariant { return row.bytes ? qlonglong(*row.bytes) : -1; },
         .fields = {{"bytes",
                     [](const Row& row) {
                         return row.bytes ? QVariant(qulonglong(*row.bytes)) : QVariant();
                     }}}},
        {.title = Texts::tr("Ranks"),
         .number = true,
         .text = [](const Row& row) { return QString::number(row.ranks); },
         .key = [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.ranks); },
         .fields = {{"ranks",
                     [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.ranks); }}}},
        {.title = Texts::tr("Confidence"),
         .tip = Texts::tr("Whether the durations and ends of its ranks fit together."),
         .text = confidenceText,
         .cellTip = confidenceTip,
         .fields = {{"confidence", confidenceField}}},
        {.title = Texts::tr("Collective"),
         .text = [](const Row& row) { return row.name; },
         .fields = {{"name", [](const Row& row) -> QVariant { return row.name; }}}},
    };
}

} // namespace ddp::ui
