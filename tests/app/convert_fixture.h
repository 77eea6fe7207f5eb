// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/open_run.h"
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/// What the tests of `ddpscope-cli convert` share.
namespace ddp::test {

inline std::shared_ptr<const TraceStore> opened(const std::filesystem::path& path) {
    Progress progress;
    auto store = openRun({path}, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
}

/// rank, location, lane, begin, end, region: a run in an order of its own, so that two can be compared.
using Slice = std::tuple<int, std::string, std::size_t, std::int64_t, std::int64_t, std::string>;
inline std::vector<Slice> slicesOf(const TraceStore& store) {
    std::vector<Slice> all;
    for (std::size_t l = 0; l < store.locations().size(); ++l) {
        const LocationInfo& location = store.locations()[l];
        for (std::size_t lane = 0; lane < store.lanes(LocationId(l)).size(); ++lane) {
            const SliceLane& slices = store.lanes(LocationId(l))[lane];
            for (std::size_t i = 0; i < slices.size(); ++i)
                all.emplace_back(store.ranks()[location.rankIndex].rank.value_or(-1), location.name, lane,
                                 slices.begin(i).count, slices.end(i).count,
                                 std::string(store.regionName(slices.region(i))));
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

inline std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

class ConvertTest : public testing::Test {
protected:
    std::filesystem::path out(const std::string& name) const { return m_out.path() / name; }
    void convert(const std::filesystem::path& from, const std::string& to) const {
        const auto answer = runCli({"convert", from.string(), "-o", out(to).string()});
        ASSERT_EQ(answer.exitCode, 0) << answer.err;
        EXPECT_EQ(answer.out, "");
    }
    std::string content(const std::string& name) const {
        std::ifstream file(out(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::filesystem::path twoRanks() const {
        for (int rank = 0; rank < 2; ++rank)
            writeArchive(m_in.path() / ("scorep-rank-" + std::to_string(rank)), scorepRank(rank, 3));
        return m_in.path();
    }

    TempFolder m_in;
    TempFolder m_out;
};

} // namespace ddp::test
