// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/percent.h"
#include "core/store/device_activity.h"
#include "ui/session/palette.h"

#include <QMetaType>
#include <QString>
#include <QVariant>

#include <array>
#include <cstdint>
#include <optional>

namespace ddp::ui {

/// A span of time, divided. By ActivityPart, in nanoseconds.
struct ActivityParts {
    std::array<std::int64_t, kActivityParts.size()> ns{};
    double length = 1; ///< of the bar, as a share of the room

    std::int64_t& operator[](ActivityPart part) { return ns[static_cast<std::size_t>(part)]; }
    std::int64_t operator[](ActivityPart part) const { return ns[static_cast<std::size_t>(part)]; }
};

ActivityParts partsOf(const WindowActivity& activity);
/// "hidden", …
QString partName(ActivityPart part);
/// "hidden 1.20 ms (12.3 %), …" of all parts that are there.
QString partsText(const ActivityParts& parts);

/// "12.3"; "–" for nothing.
QString percentText(const std::optional<double>& percent);
/// A duration, or "–" for nothing.
QString timeCell(const std::optional<Nanoseconds>& time);
/// For a file: nothing is null there.
QVariant nanosecondsOrNull(const std::optional<Nanoseconds>& time);
/// The number of a rank, "?" where nothing names it.
QString rankCell(const std::optional<int>& rank);

} // namespace ddp::ui

Q_DECLARE_METATYPE(ddp::ui::ActivityParts)
