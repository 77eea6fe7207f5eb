// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/slice_facts.h"

#include "core/base/demangle.h"
#include "ui/timeline/timeline_scene.h"

#include <QCoreApplication>
#include <QLocale>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(SliceFacts)
};

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString valueText(const TraceStore& store, const Attribute& attribute) {
    switch (attribute.type) {
    case ValueType::Int64:
        return QString::number(attribute.value.signedNumber());
    case ValueType::Uint64:
        return QString::number(attribute.value.unsignedNumber());
    case ValueType::Double:
        return QString::number(attribute.value.real(), 'g', 12);
    case ValueType::Text:
        break;
    }
    return textOf(store.text(attribute.value.text()));
}

void addRegion(SliceFacts& facts, const TraceStore& store, RegionId id) {
    const RegionInfo& region = store.region(id);
    const std::string_view name = store.regionName(id);
    facts.name = regionText(store, id);
    const std::string_view linked = region.canonicalName.valid() ? store.text(region.canonicalName) : "";
    facts.rawName = textOf(linked.empty() ? name : linked);
    const std::string_view file = region.sourceFile.valid() ? store.text(region.sourceFile) : "";
    if (!file.empty())
        facts.source = region.line > 0 ? u"%1:%2"_s.arg(textOf(file)).arg(region.line) : textOf(file);
}

void addPlace(SliceFacts& facts, const TraceStore& store, const LocationInfo& location) {
    const RankInfo& rank = store.ranks()[location.rankIndex];
    facts.rank = rankText(rank);
    if (rank.host)
        facts.rank += u", "_s + QString::fromStdString(*rank.host);
    if (location.device)
        facts.device = Texts::tr("GPU %1").arg(*location.device);
    if (location.stream)
        facts.stream = QString::number(*location.stream);
    facts.lane = QString::fromStdString(location.name);
}

} // namespace

QString regionText(const TraceStore& store, RegionId region) {
    return QString::fromStdString(demangled(store.regionName(region)));
}

bool hasSlice(const TraceStore& store, const SliceRef& slice) {
    return slice.location.index() < store.locations().size() &&
           slice.depth < store.lanes(slice.location).size() &&
           slice.row < store.lanes(slice.location)[slice.depth].size();
}

SliceFacts sliceFacts(const TraceStore& store, const SliceRef& slice, const Classification* classes,
                      const std::vector<RegionGroup>* groups) {
    const auto lanes = store.lanes(slice.location);
    const SliceLane& lane = lanes[slice.depth];
    const RegionId region = lane.region(slice.row);
    const LocationInfo& location = store.location(slice.location);
    SliceFacts facts;
    facts.range = {lane.begin(slice.row), lane.end(slice.row)};
    facts.depth = slice.depth;
    addRegion(facts, store, region);
    addPlace(facts, store, location);
    if (classes)
        facts.work = classes->classes.on(location.kind)[region.index()];
    if (groups && region.index() < groups->size())
        facts.group = (*groups)[region.index()];
    const auto parent = slice.depth > 0 ? lane.parent(slice.row) : std::nullopt;
    if (parent) {
        facts.parent = SliceRef{slice.location, slice.depth - 1, *parent};
        facts.parentName = regionText(store, lanes[slice.depth - 1].region(*parent));
    }
    const ddp::SliceRef place{static_cast<std::uint32_t>(slice.depth), static_cast<std::uint32_t>(slice.row)};
    for (const Attribute& attribute : store.records().attributes(slice.location, place))
        facts.attributes.push_back({textOf(store.text(attribute.name)), valueText(store, attribute)});
    return facts;
}

std::vector<Column<AttributeRow>> attributeColumns() {
    using Row = AttributeRow;
    return {
        {.title = Texts::tr("Attribute"), .text = [](const Row& row) { return row.name; }},
        {.title = Texts::tr("Value"), .text = [](const Row& row) { return row.value; }},
    };
}

} // namespace ddp::ui
