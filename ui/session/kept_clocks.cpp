// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kept_clocks.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <utility>

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

// The words of `ddpscope-cli info --json`.
const std::array<std::pair<ClockQuality, QString>, 5> kQualities{{
    {ClockQuality::SameHost, u"same_host"_s},
    {ClockQuality::WallClock, u"wall_clock"_s},
    {ClockQuality::Collectives, u"collectives"_s},
    {ClockQuality::Manual, u"manual"_s},
    {ClockQuality::Uncalibrated, u"uncalibrated"_s},
}};

QJsonObject jsonOf(const ClockInfo& clock) {
    QJsonObject json{{kOffset, static_cast<qint64>(clock.offsetNs)},
                     {kDomain, static_cast<qint64>(clock.domain)}};
    for (const auto& [quality, word] : kQualities)
        if (quality == clock.quality)
            json[kQuality] = word;
    if (clock.driftPpm)
        json[kDrift] = *clock.driftPpm;
    if (clock.uncertaintyNs)
        json[kUncertainty] = static_cast<qint64>(*clock.uncertaintyNs);
    return json;
}

std::optional<ClockInfo> clockFrom(const QJsonObject& json) {
    const auto quality =
        std::ranges::find(kQualities, json[kQuality].toString(), &decltype(kQualities)::value_type::second);
    if (quality == kQualities.end() || !json[kOffset].isDouble() || json[kDomain].toInteger(-1) < 0)
        return std::nullopt;
    ClockInfo clock;
    clock.quality = quality->first;
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
