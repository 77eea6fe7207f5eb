// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kept_clocks.h"

#include "core/store/clock_quality_name.h"

#include <QJsonArray>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kClocks = u"ranks"_s;
const auto kLength = u"length_ns"_s;
const auto kQuality = u"quality"_s;
const auto kOffset = u"offset_ns"_s;
const auto kDrift = u"drift_ppm"_s;
const auto kUncertainty = u"uncertainty_ns"_s;
const auto kDomain = u"domain"_s;

QJsonObject jsonOf(const ClockInfo& clock) {
    QJsonObject json{{kQuality, QLatin1String(clockQualityName(clock.quality))},
                     {kOffset, static_cast<qint64>(clock.offsetNs)},
                     {kDomain, static_cast<qint64>(clock.domain)}};
    if (clock.driftPpm)
        json[kDrift] = *clock.driftPpm;
    if (clock.uncertaintyNs)
        json[kUncertainty] = static_cast<qint64>(*clock.uncertaintyNs);
    return json;
}

std::optional<ClockInfo> clockFrom(const QJsonObject& json) {
    const auto quality = clockQualityOf(json[kQuality].toString().toStdString());
    if (!quality || !json[kOffset].isDouble() || json[kDomain].toInteger(-1) < 0)
        return std::nullopt;
    ClockInfo clock;
    clock.quality = *quality;
    clock.offsetNs = json[kOffset].toInteger();
    clock.domain = static_cast<std::size_t>(json[kDomain].toInteger());
    if (json[kDrift].isDouble())
        clock.driftPpm = json[kDrift].toDouble();
    if (json[kUncertainty].isDouble())
        clock.uncertaintyNs = json[kUncertainty].toInteger();
    return clock;
}

} // namespace

KeptClocks KeptClocks::of(const TraceStore& asRead, const std::vector<ClockInfo>& clocks) {
    const bool byHand = std::ranges::find(clocks, ClockQuality::Manual, &ClockInfo::quality) != clocks.end();
    return byHand ? KeptClocks{clocks, asRead.extent().length()} : KeptClocks();
}

KeptClocks KeptClocks::from(const QJsonObject& json) {
    KeptClocks kept;
    kept.length = Nanoseconds(json[kLength].toInteger(-1));
    for (const QJsonValue& value : json[kClocks].toArray()) {
        const auto clock = clockFrom(value.toObject());
        if (!clock)
            return {};
        kept.clocks.push_back(*clock);
    }
    return kept;
}

QJsonObject KeptClocks::toJson() const {
    if (clocks.empty())
        return {};
    QJsonArray ranks;
    for (const ClockInfo& clock : clocks)
        ranks.append(jsonOf(clock));
    return {{kClocks, ranks}, {kLength, static_cast<qint64>(length.count)}};
}

std::shared_ptr<const TraceStore> KeptClocks::applied(std::shared_ptr<const TraceStore> asRead) const {
    const bool fits = clocks.size() == asRead->ranks().size() && length == asRead->extent().length();
    return !clocks.empty() && fits ? asRead->withClocks(clocks) : asRead;
}

} // namespace ddp::ui
