// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity_parts.h"

#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <numeric>

namespace ddp::ui {

using namespace Qt::StringLiterals;

ActivityParts partsOf(const WindowActivity& activity) {
    ActivityParts parts;
    parts[ActivityPart::Hidden] = activity.hidden.count;
    parts[ActivityPart::Exposed] = activity.exposed.count;
    parts[ActivityPart::Compute] = activity.compute.count - activity.hidden.count;
    parts[ActivityPart::Memory] = activity.exposedMemory.count;
    parts[ActivityPart::Idle] = activity.idle.count;
    return parts;
}

QString partName(ActivityPart part) {
    switch (part) {
    case ActivityPart::Hidden:
        return QCoreApplication::translate("ActivityParts", "hidden");
    case ActivityPart::Exposed:
        return QCoreApplication::translate("ActivityParts", "exposed");
    case ActivityPart::Compute:
        return QCoreApplication::translate("ActivityParts", "compute alone");
    case ActivityPart::Memory:
        return QCoreApplication::translate("ActivityParts", "memory");
    case ActivityPart::Idle:
        break;
    }
    return QCoreApplication::translate("ActivityParts", "idle");
}

QString partsText(const ActivityParts& parts) {
    const Nanoseconds whole(std::accumulate(parts.ns.begin(), parts.ns.end(), std::int64_t{0}));
    QStringList texts;
    for (const ActivityPart part : kActivityParts) {
        const Nanoseconds time(parts[part]);
        if (time.count > 0)
            texts += u"%1 %2 (%3 %)"_s.arg(partName(part), durationText(time),
                                           percentText(percentOf(time, whole)));
    }
    return texts.join(u", "_s);
}

QString percentText(const std::optional<double>& percent) {
    return percent ? QString::number(*percent, 'f', 1) : u"–"_s;
}

QString timeCell(const std::optional<Nanoseconds>& time) {
    return time ? durationText(*time) : u"–"_s;
}

QVariant nanosecondsOrNull(const std::optional<Nanoseconds>& time) {
    return time ? QVariant(static_cast<qlonglong>(time->count)) : QVariant();
}

QString rankCell(const std::optional<int>& rank) {
    return rank ? QString::number(*rank) : u"?"_s;
}

} // namespace ddp::ui
