// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tool_tip.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_scene.h"

#include <QCoreApplication>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLongestName = 600; // the details show all of it

QString line(const char* what, const QString& value) {
    return u"<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>"_s.arg(
        QCoreApplication::translate("Timeline", what), value.toHtmlEscaped());
}

} // namespace

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
