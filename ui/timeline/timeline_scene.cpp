// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_scene.h"

#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetrics>

#include <algorithm>
#include <set>

namespace ddp::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Timeline", text);
}

} // namespace

bool TimelineScene::hasSteps() const {
    return overlap.analysis() && overlap.analysis()->steps().rule != StepRule::None;
}

const std::vector<Step>& TimelineScene::stepsOf(std::size_t rankIndex) const {
    static const std::vector<Step> kNone;
    return overlap.analysis() && rankIndex < overlap.analysis()->steps().ranks.size()
               ? overlap.analysis()->steps().ranks[rankIndex]
               : kNone;
}

QString summaryText(const TimelineScene& scene, const TimelineRow& summary) {
    const Device& device = scene.overlap.analysis()->activity().devices()[*summary.device];
    if (device.isHost)
        return tr("overlap (host threads)");
    if (scene.ranks[summary.rankIndex].devices.size() < 2)
        return tr("overlap");
    return device.device ? tr("GPU %1 overlap").arg(*device.device) : tr("other GPU overlap");
}

QFont rowFont(QFont font) {
    while (QFontMetrics(font).height() > TimelineLayout::kDepthHeight && QFontInfo(font).pixelSize() > 6)
        font.setPixelSize(QFontInfo(font).pixelSize() - 1);
    return font;
}

QString rankText(const RankInfo& rank) {
    return rank.rank ? tr("rank %1").arg(*rank.rank) : QString::fromStdString(rank.archive);
}

QString clockText(const ClockInfo& clock) {
    switch (clock.quality) {
    case ClockQuality::SameHost:
        return tr("Its clock is the same as that of the other ranks on this host.");
    case ClockQuality::WallClock:
        return tr("Its clock was aligned by the wall-clock time of the host.");
    case ClockQuality::Collectives:
        return tr("Its clock was aligned by the collectives that it shares with the other ranks.");
    case ClockQuality::Manual:
        return tr("Its clock offset was set by hand.");
    case ClockQuality::Uncalibrated:
        break;
    }
    return tr(
        "Nothing in the trace relates its clock to those of the other ranks: it is drawn from a common zero, "
        "and times must not be compared across ranks.");
}

std::vector<RankNotes> rankNotes(const TraceStore& store) {
    const auto ranks = store.ranks();
    const bool alone = std::all_of(ranks.begin(), ranks.end(), [&ranks](const RankInfo& rank) {
        return rank.clock.domain == ranks.front().clock.domain;
    });
    std::set<std::optional<int>> lossy;
    for (const ImportIssue& issue : store.issues())
        if (issue.severity == IssueSeverity::DataLoss)
            lossy.insert(issue.rank);
    std::vector<RankNotes> notes;
    notes.reserve(ranks.size());
    for (const RankInfo& rank : ranks)
        notes.push_back(
            {rank.clock.quality == ClockQuality::Uncalibrated && !alone, lossy.contains(rank.rank)});
    return notes;
}

} // namespace ddp::ui
