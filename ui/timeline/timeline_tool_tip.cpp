// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tool_tip.h"

#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_scene.h"

#include <QCoreApplication>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLongestName = 600; // the details show all of it

QString tr(const char* text) {
    return QCoreApplication::translate("Timeline", text);
}

QString line(const char* what, const QString& value) {
    return u"<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>"_s.arg(tr(what),
                                                                               value.toHtmlEscaped());
}

QString communicationText(const WindowActivity& activity) {
    if (activity.communication.count == 0)
        return tr("There is no communication in it.");
    return tr("It communicates for %1; %2 % of that is hidden behind compute, and %3 is exposed.")
        .arg(durationText(activity.communication),
             percentText(percentOf(activity.hidden, activity.communication)), durationText(activity.exposed));
}

} // namespace

QString overlapToolTip(const TimelineScene& scene, const TimelineRow& summary, int x) {
    const RunActivity& activity = scene.overlap.analysis()->activity();
    QString text =
        u"<p><b>%1</b> of %2</p>"_s.arg(summaryText(scene, summary).toHtmlEscaped(),
                                        rankText(scene.store->ranks()[summary.rankIndex]).toHtmlEscaped());
    if (const auto column = scene.overlap.timeAt(x)) {
        text += u"<p>%1</p>"_s.arg(tr("In this column of %1 at %2: %3.")
                                       .arg(durationText(column->length()), pointText(column->begin),
                                            partsText(partsOf(activity.over(*summary.device, *column))))
                                       .toHtmlEscaped());
    }
    const TimeRange visible = scene.viewport.visible;
    if (!visible.empty()) {
        const WindowActivity all = activity.over(*summary.device, visible);
        text += u"<p>%1</p>"_s.arg(
            tr("In the visible %1: %2. %3")
                .arg(durationText(visible.length()), partsText(partsOf(all)), communicationText(all))
                .toHtmlEscaped());
    }
    return text;
}

QString sliceToolTip(const TraceStore& store, const SliceRef& slice) {
    const SliceLane& lane = store.lanes(slice.location)[slice.depth];
    const LocationInfo& location = store.location(slice.location);
    const RankInfo& rank = store.ranks()[location.rankIndex];
    QString name = QString::fromUtf8(store.regionName(lane.region(slice.row)));
    if (name.size() > kLongestName)
        name = name.left(kLongestName) + u'…';
    const Nanoseconds length = lane.end(slice.row) - lane.begin(slice.row);
    QString where = rankText(rank);
    if (rank.host)
        where += u", "_s + QString::fromStdString(*rank.host);
    return u"<p><b>%1</b></p><table>%2%3%4%5</table>"_s.arg(
        name.toHtmlEscaped(), line("Duration", durationText(length)),
        line("Begin", pointText(lane.begin(slice.row))), line("Rank", where),
        line("Lane", QString::fromStdString(location.name)));
}

} // namespace ddp::ui
