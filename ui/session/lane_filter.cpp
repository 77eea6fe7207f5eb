// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/lane_filter.h"

#include "ui/session/time_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LaneFilter)
};

const auto kLanes = u"lanes"_s;
const auto kKinds = u"kinds"_s;
const auto kHideIdle = u"hide_idle"_s;
const auto kByExposed = u"by_exposed"_s;
const auto kRegions = u"regions"_s;
const auto kWork = u"class"_s;
const auto kHideOthers = u"hide_others"_s;
const auto kShortest = u"shortest_ns"_s;

bool digitAt(const QString& text, qsizetype place) {
    return place >= 0 && place < text.size() && text[place].isDigit();
}

bool contains(const QString& text, const QString& term) {
    for (qsizetype at = text.indexOf(term, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(term, at + 1, Qt::CaseInsensitive)) {
        const qsizetype end = at + term.size();
        if (!(digitAt(text, at) && digitAt(text, at - 1)) && !(digitAt(text, end - 1) && digitAt(text, end)))
            return true;
    }
    return false;
}

} // namespace

bool fitsTerms(const QString& text, const QString& terms) {
    bool any = false;
    for (const QString& part : terms.split(u',')) {
        const QString term = part.trimmed();
        if (term.isEmpty())
            continue;
        any = true;
        if (contains(text, term))
            return true;
    }
    return !any;
}

QJsonObject LaneFilter::toJson() const {
    QJsonObject json;
    const auto put = [&json](const QString& name, const QJsonValue& value, bool inForce) {
        if (inForce)
            json[name] = value;
    };
    put(kLanes, lanes, !lanes.isEmpty());
    put(kKinds, static_cast<int>(kinds), kinds != LaneKinds::All);
    put(kHideIdle, true, hideIdle);
    put(kByExposed, true, byExposed);
    put(kRegions, regions, !regions.isEmpty());
    put(kWork, work ? static_cast<int>(*work) : 0, work.has_value());
    put(kHideOthers, true, hideOthers);
    put(kShortest, static_cast<qint64>(shortest.count), shortest.count > 0);
    return json;
}

LaneFilter LaneFilter::from(const QJsonObject& json) {
    LaneFilter filter;
    filter.lanes = json[kLanes].toString();
    if (const int kinds = json[kKinds].toInt(); kinds > 0 && kinds <= static_cast<int>(LaneKinds::Other))
        filter.kinds = static_cast<LaneKinds>(kinds);
    filter.hideIdle = json[kHideIdle].toBool();
    filter.byExposed = json[kByExposed].toBool();
    filter.regions = json[kRegions].toString();
    if (const int work = json[kWork].toInt(-1); work >= 0 && work <= static_cast<int>(WorkClass::Other))
        filter.work = static_cast<WorkClass>(work);
    filter.hideOthers = json[kHideOthers].toBool() && filter.picksRegions();
    filter.shortest = Nanoseconds(std::max<qint64>(0, json[kShortest].toInteger()));
    return filter;
}

void LaneFilter::clear(FilterPart part) {
    const LaneFilter none;
    switch (part) {
    case FilterPart::Lanes:
        lanes = none.lanes;
        break;
    case FilterPart::Kinds:
        kinds = none.kinds;
        break;
    case FilterPart::Idle:
        hideIdle = none.hideIdle;
        break;
    case FilterPart::Order:
        byExposed = none.byExposed;
        break;
    case FilterPart::Regions:
        regions = none.regions;
        break;
    case FilterPart::Class:
        work = none.work;
        break;
    case FilterPart::Shortest:
        shortest = none.shortest;
        break;
    }
    if (!picksRegions())
        hideOthers = none.hideOthers;
}

std::vector<FilterChip> LaneFilter::chips() const {
    std::vector<FilterChip> chips;
    const QString others = hideOthers ? Texts::tr("others hidden") : Texts::tr("others paled");
    if (!lanes.isEmpty())
        chips.push_back({FilterPart::Lanes, Texts::tr("lanes: %1").arg(lanes)});
    if (kinds != LaneKinds::All)
        chips.push_back({FilterPart::Kinds, kindsText(kinds)});
    if (hideIdle)
        chips.push_back({FilterPart::Idle, Texts::tr("no idle lanes")});
    if (byExposed)
        chips.push_back({FilterPart::Order, Texts::tr("most exposed rank first")});
    if (!regions.isEmpty())
        chips.push_back({FilterPart::Regions, Texts::tr("regions: %1 (%2)").arg(regions, others)});
    if (work)
        chips.push_back({FilterPart::Class, Texts::tr("class: %1 (%2)").arg(workText(*work), others)});
    if (shortest.count > 0)
        chips.push_back({FilterPart::Shortest, Texts::tr("from %1").arg(durationText(shortest))});
    return chips;
}

QString kindsText(LaneKinds kinds) {
    switch (kinds) {
    case LaneKinds::Devices:
        return Texts::tr("only devices");
    case LaneKinds::HostThreads:
        return Texts::tr("only host threads");
    case LaneKinds::Other:
        return Texts::tr("only other lanes");
    case LaneKinds::All:
        break;
    }
    return Texts::tr("all lanes");
}

QString workText(WorkClass work) {
    switch (work) {
    case WorkClass::Communication:
        return Texts::tr("communication");
    case WorkClass::Compute:
        return Texts::tr("compute");
    case WorkClass::Memory:
        return Texts::tr("memory");
    case WorkClass::Ignored:
        return Texts::tr("ignored");
    case WorkClass::Other:
        break;
    }
    return Texts::tr("other");
}

} // namespace ddp::ui
