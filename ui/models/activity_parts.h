// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/percent.h"
#include "core/store/device_activity.h"
#include "ui/models/rows_model.h"
#include "ui/session/palette.h"

#include <QCoreApplication>
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

struct ActivityTexts {
    Q_DECLARE_TR_FUNCTIONS(ActivityParts)
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

/// Cells about the activity of a row: `Of` gives it, `Part` is one of its times, `field` its name in a file.
template <class Row, const WindowActivity& (*Of)(const Row&)>
struct ActivityCells {
    template <Nanoseconds WindowActivity::*Part>
    static QString text(const Row& row) {
        return timeCell(Of(row).*Part);
    }
    template <Nanoseconds WindowActivity::*Part>
    static QVariant key(const Row& row) {
        return static_cast<qlonglong>((Of(row).*Part).count);
    }
    template <Nanoseconds WindowActivity::*Part>
    static Column<Row> column(const char* field, const QString& title, const QString& tip) {
        return {.title = title,
                .tip = tip,
                .number = true,
                .text = text<Part>,
                .key = key<Part>,
                .fields = {{field, key<Part>}}};
    }
    static std::optional<double> hiddenPercent(const Row& row) {
        return percentOf(Of(row).hidden, Of(row).communication);
    }
    static Column<Row> hidden() {
        return column<&WindowActivity::hidden>("hidden_ns", ActivityTexts::tr("Hidden"),
                                               ActivityTexts::tr("Communication while the device computes."));
    }
    static Column<Row> hiddenShare() {
        return {.title = ActivityTexts::tr("Hidden %"),
                .tip = ActivityTexts::tr("The hidden share of the communication."),
                .number = true,
                .text = [](const Row& row) { return percentText(hiddenPercent(row)); },
                .key = [](const Row& row) -> QVariant { return hiddenPercent(row).value_or(-1); },
                .fields = {{"hidden_pct", [](const Row& row) { return valueOrNull(hiddenPercent(row)); }}}};
    }
    static Column<Row> exposed() {
        return column<&WindowActivity::exposed>(
            "exposed_ns", ActivityTexts::tr("Exposed"),
            ActivityTexts::tr("Communication while the device does not compute."));
    }
    static Column<Row> compute() {
        return column<&WindowActivity::compute>(
            "compute_ns", ActivityTexts::tr("Compute"),
            ActivityTexts::tr("Time in which any stream of the device computes."));
    }
    static Column<Row> idle() {
        return column<&WindowActivity::idle>("idle_ns", ActivityTexts::tr("Idle"),
                                             ActivityTexts::tr("Time in which nothing runs on the device."));
    }
};

} // namespace ddp::ui

Q_DECLARE_METATYPE(ddp::ui::ActivityParts)
