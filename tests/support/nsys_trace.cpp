// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/nsys_trace.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <map>

namespace ddp::test {

std::shared_ptr<const TraceStore> readNsys(const std::filesystem::path& file) {
    struct Table {
        const char* name;
        const char* sliceName; // an expression over the row
        RegionRole role;
    };
    const Table tables[] = {
        {"KERNEL", "(SELECT value FROM StringIds WHERE id = demangledName)", RegionRole::Kernel},
        {"MEMCPY", "'[CUDA memcpy]'", RegionRole::Transfer},
        {"MEMSET", "'[CUDA memset]'", RegionRole::Transfer}};
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
    std::map<std::int64_t, DeviceRank> processes;
    for (const Table& table : tables) {
        SQLite::Statement rows(database, std::string("SELECT globalPid, deviceId, streamId, start, \"end\", "
                                                     "coalesce(correlationId, 0), ") +
                                             table.sliceName + " FROM CUPTI_ACTIVITY_KIND_" + table.name);
        while (rows.executeStep()) {
            DeviceRank& rank = processes[rows.getColumn(0).getInt64()];
            rank.slices.push_back({rows.getColumn(1).getInt(),
                                   rows.getColumn(2).getInt(),
                                   rows.getColumn(3).getInt64(),
                                   rows.getColumn(4).getInt64(),
                                   rows.getColumn(6).getString(),
                                   table.role,
                                   {{"correlation", rows.getColumn(5).getInt64()}}});
        }
    }
    std::vector<DeviceRank> ranks;
    for (auto& [process, rank] : processes) {
        rank.archive = file.filename().string();
        ranks.push_back(std::move(rank));
    }
    return storeOf("nsys", std::move(ranks), RankClocks::Shared);
}

} // namespace ddp::test
