// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/profile_table.h"

#include "core/report/profile_report.h"
#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(ProfileTable)
};

Nanoseconds perVisit(const ProfileTableRow& row) {
    const auto visits = static_cast<double>(row.sums.visits);
    return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(row.sums.exclusive.count) / visits));
}

QVariant exclusiveKey(const ProfileTableRow& row) {
    return static_cast<qlonglong>(row.sums.exclusive.count);
}

QVariant inclusiveKey(const ProfileTableRow& row) {
    return static_cast<qlonglong>(row.sums.inclusive.count);
}

QVariant perVisitKey(const ProfileTableRow& row) {
    return static_cast<qlonglong>(perVisit(row).count);
}

} // namespace

ProfileTable profileTable(const TraceStore& store, std::span<const RegionGroup> groups, TimeRange window,
                          const std::stop_token& stop) {
    const Profile profile = flatProfile(store, groups, ProfileBy::Region, window, stop);
    ProfileTable table;
    table.regions = profile.rows.size();
    for (std::size_t i = 0; i < std::min(profile.rows.size(), ProfileTable::kMostRows); ++i) {
        const ProfileRow& sums = profile.rows[i];
        const std::string_view name = store.regionName(sums.region);
        const auto percent = percentOf(sums.exclusive, profile.total.exclusive);
        table.rows.push_back({QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                              sums.group ? QString::fromLatin1(report::groupName(*sums.group)) : QString(),
                              sums, percent.value_or(0) / 100});
    }
    return table;
}

std::vector<Column<ProfileTableRow>> profileColumns() {
    using Row = ProfileTableRow;
    return {
        {.title = Texts::tr("Visits"),
         .tip = Texts::tr("How often the window has time of the region, on all ranks."),
         .number = true,
         .text = [](const Row& row) { return QLocale().toString(static_cast<qulonglong>(row.sums.visits)); },
         .key = [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.sums.visits); },
         .fields = {{"visits",
                     [](const Row& row) -> QVariant { return static_cast<qulonglong>(row.sums.visits); }}}},
        {.title = Texts::tr("Exclusive"),
         .tip = Texts::tr("Time of the region without what is nested inside, over all ranks and streams; "
                          "kernels that overlap on a stream count twice."),
         .number = true,
         .text = [](const Row& row) { return durationText(row.sums.exclusive); },
         .key = exclusiveKey,
         .fields = {{"exclusive_ns", exclusiveKey}}},
        {.title = Texts::tr("%"),
         .tip = Texts::tr("Share of all exclusive time in the window."),
         .number = true,
         .text = [](const Row& row) { return percentText(row.share * 100); },
         .key = [](const Row& row) -> QVariant { return row.share; },
         .fields = {{"exclusive_pct", [](const Row& row) -> QVariant { return row.share * 100; }}}},
        {.title = Texts::tr("Share"),
         .tip = Texts::tr("Share of all exclusive time in the window."),
         .key = [](const Row& row) -> QVariant { return row.share; },
         .bar = [](const Row& row) -> QVariant { return row.share; },
         .cellTip = [](const Row& row) { return u"%1 %"_s.arg(percentText(row.share * 100)); }},
        {.title = Texts::tr("Inclusive"),
         .tip = Texts::tr("Time of the region with what is nested inside; a recursion counts once."),
         .number = true,
         .text = [](const Row& row) { return durationText(row.sums.inclusive); },
         .key = inclusiveKey,
         .fields = {{"inclusive_ns", inclusiveKey}}},
        {.title = Texts::tr("Per visit"),
         .tip = Texts::tr("Exclusive time divided by visits."),
         .number = true,
         .text = [](const Row& row) { return durationText(perVisit(row)); },
         .key = perVisitKey,
         .fields = {{"per_visit_ns", perVisitKey}}},
        {.title = Texts::tr("Group"),
         .tip = Texts::tr("As scorep-score sorts regions."),
         .text = [](const Row& row) { return row.group; },
         .fields = {{"group", [](const Row& row) -> QVariant { return row.group; }}}},
        {.title = Texts::tr("Region"),
         .text = [](const Row& row) { return row.name; },
         .fields = {{"region", [](const Row& row) -> QVariant { return row.name; }}}},
    };
}

} // namespace ddp::ui
