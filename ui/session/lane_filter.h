// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/store/work_class.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace ddp::ui {

enum class LaneKinds { All, Devices, HostThreads, Other };

/// What each of them is can be told and taken back alone.
enum class FilterPart { Lanes, Kinds, Idle, Order, Regions, Class, Shortest };

/// A filter that is in force, in words.
struct FilterChip {
    FilterPart part;
    QString text;
};

/// Which lanes and slices the timeline shows. A plain value; as it is made, it leaves nothing out.
struct LaneFilter {
    QString lanes; ///< terms, see fitsTerms(); of the rank, host, device, stream and name of a lane
    LaneKinds kinds = LaneKinds::All;
    bool hideIdle = false;         ///< lanes without a slice in the visible window
    bool byExposed = false;        ///< the ranks with the most exposed communication in the run come first
    QString regions;               ///< terms, of the names of regions
    std::optional<WorkClass> work; ///< only this class
    bool hideOthers = false;       ///< slices that do not fit are left out, else they are paled
    Nanoseconds shortest;          ///< shorter slices are left out

    bool any() const { return *this != LaneFilter(); }
    /// Whether it can leave out a lane.
    bool picksLanes() const { return !lanes.isEmpty() || kinds != LaneKinds::All || hideIdle; }
    bool picksRegions() const { return !regions.isEmpty() || work; }
    void clear(FilterPart part);
    std::vector<FilterChip> chips() const;

    /// Only what is in force; nothing for a filter that leaves nothing out.
    QJsonObject toJson() const;
    /// What is not understood leaves nothing out.
    static LaneFilter from(const QJsonObject& json);

    friend bool operator==(const LaneFilter&, const LaneFilter&) = default;
};

/// Terms are separated by commas; the text fits when it contains one of them, without regard to case. A
/// number at the edge of a term is a whole one, so that "rank 1" is not "rank 10". Without a term, all fits.
bool fitsTerms(const QString& text, const QString& terms);

QString kindsText(LaneKinds kinds);
/// "communication", …
QString workText(WorkClass work);

} // namespace ddp::ui
