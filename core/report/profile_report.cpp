// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/profile_report.h"

#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"

#include <fmt/format.h>

namespace ddp::report {

namespace {

const char* byName(ProfileBy by) {
    switch (by) {
    case ProfileBy::Region:
        return "region";
    case ProfileBy::Group:
        return "group";
    case ProfileBy::Location:
        return "location";
    }
    return "region";
}

// What a row is called, as far as it is called: rows of groups have no region, and so on.
struct Named {
    std::optional<std::string_view> region;
    std::optional<std::string_view> group;
    std::optional<std::string_view> location;
    std::optional<int> rank;
};

Named namesOf(const TraceStore& store, const ProfileRow& row) {
    Named named;
    if (row.region.valid())
        named.region = store.regionName(row.region);
    if (row.group)
        named.group = groupName(*row.group);
    if (row.location.valid()) {
        const LocationInfo& location = store.location(row.location);
        named.location = location.name;
        named.rank = store.ranks()[location.rankIndex].rank;
    }
    return named;
}

// Only for showing.
std::optional<double> shareOf(const ProfileRow& row, const ProfileRow& total) {
    if (total.exclusive.count == 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(row.exclusive.count) / static_cast<double>(total.exclusive.count);
}

std::optional<std::int64_t> perVisit(const ProfileRow& row) {
    if (row.visits == 0)
        return std::nullopt;
    const auto time = static_cast<std::uint64_t>(row.exclusive.count);
    const std::uint64_t rest = time % row.visits;
    return static_cast<std::int64_t>(time / row.visits + (rest >= row.visits - rest ? 1 : 0));
}

Row textRow(const ProfileRow& row, const ProfileRow& total, std::string type, std::string name) {
    const auto share = shareOf(row, total);
    const double time = static_cast<double>(row.exclusive.count);
    return {std::move(type),
            grouped(row.visits),
            fmt::format("{:.6f}", time / 1e9),
            share ? fmt::format("{:.2f}", *share) : "-",
            row.visits > 0 ? fmt::format("{:.3f}", time / 1e3 / static_cast<double>(row.visits)) : "-",
            fmt::format("{:.6f}", static_cast<double>(row.inclusive.count) / 1e9),
            std::move(name)};
}

std::string locationName(const Named& named) {
    return fmt::format("rank {}  {}", named.rank ? std::to_string(*named.rank) : "?", shown(*named.location));
}

} // namespace

const char* groupName(RegionGroup group) {
    switch (group) {
    case RegionGroup::User:
        return "USR";
    case RegionGroup::Measurement:
        return "SCOREP";
    case RegionGroup::Communicating:
        return "COM";
    case RegionGroup::Mpi:
        return "MPI";
    case RegionGroup::Shmem:
        return "SHMEM";
    case RegionGroup::Pthread:
        return "PTHREAD";
    case RegionGroup::OpenMp:
        return "OMP";
    case RegionGroup::Cuda:
        return "CUDA";
    case RegionGroup::OpenCl:
        return "OPENCL";
    case RegionGroup::OpenAcc:
        return "OPENACC";
    case RegionGroup::Hip:
        return "HIP";
    case RegionGroup::Kokkos:
        return "KOKKOS";
    case RegionGroup::Gloo:
        return "GLOO";
    }
    return "USR";
}

Json profileJson(const TraceStore& store, const Profile& profile) {
    Json answer = envelope("profile");
    answer["by"] = byName(profile.by);
    answer["window_ns"] = {profile.window.begin.count, profile.window.end.count};
    answer["rows"] = Json::array();
    for (const ProfileRow& row : profile.rows) {
        const Named named = namesOf(store, row);
        Json out{{"region", orNull(named.region)},
                 {"group", orNull(named.group)},
                 {"location", orNull(named.location)}};
        if (profile.by == ProfileBy::Location)
            out["rank"] = orNull(named.rank);
        out["visits"] = row.visits;
        out["inclusive_ns"] = row.inclusive.count;
        out["exclusive_ns"] = row.exclusive.count;
        out["exclusive_pct"] = orNull(shareOf(row, profile.total));
        out["per_visit_ns"] = orNull(perVisit(row));
        answer["rows"].push_back(std::move(out));
    }
    answer["import_issues"] = issuesJson(store.issues());
    return answer;
}

std::string profileCsv(const TraceStore& store, const Profile& profile) {
    std::string text =
        "region,group,rank,location,visits,inclusive_ns,exclusive_ns,exclusive_pct,per_visit_ns\n";
    for (const ProfileRow& row : profile.rows) {
        const Named named = namesOf(store, row);
        const auto share = shareOf(row, profile.total);
        const auto visit = perVisit(row);
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csvField(named.region.value_or("")),
                            named.group.value_or(""), named.rank ? std::to_string(*named.rank) : "",
                            csvField(named.location.value_or("")), row.visits, row.inclusive.count,
                            row.exclusive.count, share ? fmt::format("{:.4f}", *share) : "",
                            visit ? std::to_string(*visit) : "");
    }
    return text;
}

std::string profileText(const TraceStore& store, const Profile& profile) {
    const bool byLocation = profile.by == ProfileBy::Location;
    std::vector<Row> rows{{byLocation ? "" : "type", "visits", "time[s]", "time[%]", "time/visit[us]",
                           "inclusive[s]", byName(profile.by)}};
    rows.push_back(textRow(profile.total, profile.total, "ALL", "ALL"));
    for (const ProfileRow& row : profile.rows) {
        const Named named = namesOf(store, row);
        const std::string type(named.group.value_or(""));
        rows.push_back(textRow(row, profile.total, type,
                               byLocation     ? locationName(named)
                               : named.region ? shown(*named.region)
                                              : type));
    }
    return table(rows, "rrrrrrl");
}

} // namespace ddp::report
