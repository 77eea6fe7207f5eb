// SPDX-License-Identifier: GPL-3.0-or-later
// Random runs, written by libotf2 together with their truth: what the store answers equals that truth, or a
// search through it.
#include "core/import/open_run.h"
#include "core/report/trace_info.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/small_random.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::GeneratorOptions;
using test::SmallRandom;
using test::Truth;
using test::TruthLocation;
using test::TruthSlice;

std::shared_ptr<const TraceStore> opened(const fs::path& path, const fs::path& cache) {
    Progress progress;
    auto store = openRun({path}, {.cacheFolder = cache}, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
}

// A kind of run for each seed: ranks, hosts, one archive or several, timers, with and without parameters.
GeneratorOptions optionsOf(std::uint64_t seed) {
    SmallRandom random(seed);
    GeneratorOptions options;
    options.seed = seed;
    options.ranks = 1 + static_cast<int>(random.below(4));
    options.hosts = 1 + static_cast<int>(random.below(2));
    options.oneArchive = random.below(4) == 0;
    options.wallClock = random.below(3) == 0;
    options.kernelParameters = random.below(2) == 0;
    options.chunkBytes = 256 << 10;
    options.events = 300 + static_cast<std::uint64_t>(random.below(6'000));
    return options;
}

std::string nameOfFolder(const Truth& truth, const TruthLocation& location, const fs::path& set) {
    const std::string& folder = truth.archives[location.archive].folder;
    return folder.empty() ? set.filename().string() : folder;
}

std::optional<LocationId> find(const TraceStore& store, const std::string& archive,
                               const TruthLocation& wanted) {
    for (std::size_t i = 0; i < store.locations().size(); ++i) {
        const LocationInfo& location = store.locations()[i];
        const RankInfo& rank = store.ranks()[location.rankIndex];
        if (location.name == wanted.name && rank.archive == archive && rank.rank == wanted.rank)
            return LocationId(i);
    }
    return std::nullopt;
}

using Row = std::tuple<std::int64_t, std::int64_t, std::size_t, std::string,
                       std::string>; // begin, end, depth, region

std::vector<Row> rowsOf(const TraceStore& store, LocationId id) {
    std::vector<Row> rows;
    const auto lanes = store.lanes(id);
    for (std::size_t depth = 0; depth < lanes.size(); ++depth)
        for (std::size_t i = 0; i < lanes[depth].size(); ++i) {
            const RegionInfo& region = store.region(lanes[depth].region(i));
            rows.emplace_back(lanes[depth].begin(i).count, lanes[depth].end(i).count, depth,
                              store.text(region.name), store.text(region.sourceFile));
        }
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::vector<Row> rowsOf(const Truth& truth, const TruthLocation& location) {
    std::vector<Row> rows;
    for (const TruthSlice& slice : location.slices)
        rows.emplace_back(slice.begin, slice.end, slice.depth, truth.regions[slice.region].name,
                          truth.regions[slice.region].file);
    std::sort(rows.begin(), rows.end());
    return rows;
}

// Every slice that a slice of the lane above encloses knows one that does.
void expectParents(std::span<const SliceLane> lanes) {
    for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
        for (std::size_t i = 0; i < lanes[depth].size(); ++i) {
            const Nanoseconds begin = lanes[depth].begin(i);
            const Nanoseconds end = lanes[depth].end(i);
            const auto encloses = [&](std::size_t p) {
                return lanes[depth - 1].begin(p) <= begin && lanes[depth - 1].end(p) >= end;
            };
            const auto parent = lanes[depth].parent(i);
            if (depth == 0) {
                EXPECT_FALSE(parent);
                continue;
            }
            bool any = false;
            for (std::size_t p = 0; p < lanes[depth - 1].size(); ++p)
                any = any || encloses(p);
            EXPECT_EQ(parent.has_value(), any) << "depth " << depth << " row " << i;
            EXPECT_TRUE(!parent || encloses(*parent)) << "depth " << depth << " row " << i;
        }
    }
}

// The questions that a timeline asks, answered by a walk over the truth.
void expectSearches(const SliceLane& lane, std::vector<Row> rows, SmallRandom& random) {
    ASSERT_EQ(lane.size(), rows.size());
    const std::int64_t last = rows.empty() ? 1'000 : std::get<1>(rows.back());
    const auto length = [&](std::size_t i) { return std::get<1>(rows[i]) - std::get<0>(rows[i]); };
    for (int query = 0; query < 20; ++query) {
        const std::int64_t t = random.below(last + 2'000) - 1'000;
        std::size_t ending = 0;
        std::size_t beginning = 0;
        for (const Row& row : rows) {
            ending += std::get<1>(row) <= t ? 1 : 0;
            beginning += std::get<0>(row) < t ? 1 : 0;
        }
        EXPECT_EQ(lane.firstEndingAfter(Nanoseconds(t)), ending);
        EXPECT_EQ(lane.firstBeginningFrom(Nanoseconds(t)), beginning);
        if (rows.empty())
            continue;
        const auto first = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rows.size())));
        const auto end =
            first + 1 +
            static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rows.size() - first)));
        std::size_t longest = first;
        for (std::size_t i = first; i < end; ++i)
            longest = length(i) > length(longest) ? i : longest;
        EXPECT_EQ(lane.longest(first, end), longest);
    }
}

void expectLocation(const TraceStore& store, const Truth& truth, const TruthLocation& location, LocationId id,
                    SmallRandom& random) {
    const LocationInfo& info = store.location(id);
    EXPECT_EQ(info.events, location.events());
    EXPECT_EQ(info.slices, location.sliceCount());
    EXPECT_EQ(info.device, location.device);
    EXPECT_EQ(info.stream, location.stream);
    EXPECT_EQ(info.kind, location.stream                       ? LocationKind::Stream
                         : location.records.contains("METRIC") ? LocationKind::Metric
                                                               : LocationKind::Thread);
    const std::vector<Row> expected = rowsOf(truth, location);
    EXPECT_EQ(rowsOf(store, id), expected);
    expectParents(store.lanes(id));
    for (std::size_t depth = 0; depth < store.lanes(id).size(); ++depth) {
        std::vector<Row> own;
        std::copy_if(expected.begin(), expected.end(), std::back_inserter(own),
                     [&](const Row& row) { return std::get<2>(row) == depth; });
        expectSearches(store.lanes(id)[depth], own, random);
    }
}

void expectInfo(const TraceStore& store, const Truth& truth) {
    const auto json = report::infoJson(store);
    std::uint64_t events = 0;
    std::uint64_t slices = 0;
    std::size_t locations = 0;
    for (const auto& rank : json.at("ranks")) {
        for (const auto& location : rank.at("locations")) {
            events += location.at("events").get<std::uint64_t>();
            slices += location.at("slices").get<std::uint64_t>();
            ++locations;
        }
    }
    EXPECT_EQ(events, truth.events());
    EXPECT_EQ(slices, truth.sliceCount());
    EXPECT_EQ(locations, truth.locations.size());
}

class GeneratedRun : public testing::TestWithParam<std::uint64_t> {};

void expectStore(const TraceStore& store, const Truth& truth, const GeneratorOptions& options,
                 const fs::path& set) {
    SmallRandom random(options.seed + 1);
    EXPECT_EQ(store.locations().size(), truth.locations.size());
    EXPECT_EQ(store.eventCount(), truth.events());
    EXPECT_EQ(store.sliceCount(), truth.sliceCount());
    expectInfo(store, truth);
    std::int64_t last = 0;
    for (const TruthLocation& location : truth.locations) {
        const auto id = find(store, nameOfFolder(truth, location, set), location);
        ASSERT_TRUE(id) << location.name << " of rank " << location.rank;
        SCOPED_TRACE(testing::Message() << location.name << " of rank " << location.rank);
        if (!options.oneArchive) {
            EXPECT_EQ(store.ranks()[store.location(*id).rankIndex].host,
                      truth.archives[location.archive].host);
        }
        expectLocation(store, truth, location, *id, random);
        last = std::max(last, truth.nanoseconds(location.archive, location.lastTick));
    }
    EXPECT_EQ(store.extent(), (TimeRange{Nanoseconds(0), Nanoseconds(last)}));
    // Two hosts without a common clock are said to be so; nothing else is wrong with these sets.
    for (const ImportIssue& issue : store.issues())
        EXPECT_EQ(issue.name, "uncalibrated_clock") << issue.sentence;
    std::set<std::string> hosts;
    for (const auto& archive : truth.archives)
        hosts.insert(archive.host);
    EXPECT_EQ(store.issues().empty(), hosts.size() == 1 || options.wallClock);
}

TEST_P(GeneratedRun, TheStoreEqualsTheTruthReadOnceAndFromTheCache) {
    const test::TempFolder folder;
    const test::TempFolder cache;
    const GeneratorOptions options = optionsOf(GetParam());
    const Truth truth = test::generateOtf2(folder.path(), options);
    for (const char* time : {"first", "second"}) {
        SCOPED_TRACE(time);
        const auto store = opened(folder.path(), cache.path());
        ASSERT_TRUE(store);
        expectStore(*store, truth, options, folder.path());
        EXPECT_FALSE(fs::is_empty(cache.path()));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedRun, testing::Range<std::uint64_t>(1, 25));

// The truth itself, counted by the format's own tool.
TEST(Otf2Generator, ItsTruthIsWhatOtf2PrintCounts) {
    if (std::system("command -v otf2-print >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
    const test::TempFolder folder;
    GeneratorOptions options;
    options.ranks = 2;
    options.events = 4'000;
    options.oneArchive = true;
    const Truth truth = test::generateOtf2(folder.path(), options);
    std::map<std::string, std::uint64_t> expected;
    for (const TruthLocation& location : truth.locations)
        for (const auto& [record, count] : location.records)
            expected[record] += count;
    const std::string command = "otf2-print '" + (folder.path() / "traces.otf2").string() +
                                "' | awk '/^[A-Z]/ && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ { n[$1]++ }"
                                " END { for (k in n) print k, n[k] }'";
    struct Close {
        void operator()(FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));
    std::map<std::string, std::uint64_t> counted;
    char name[64];
    unsigned long long count = 0;
    while (std::fscanf(pipe.get(), "%63s %llu", name, &count) == 2)
        counted[name] = count;
    EXPECT_EQ(counted, expected);
    EXPECT_NEAR(static_cast<double>(truth.events()), 4'000, 1'000);
}

TEST(Otf2Generator, TheSameSeedGivesTheSameRun) {
    const test::TempFolder folder;
    const Truth once = test::generateOtf2(folder.path() / "a", {});
    const Truth twice = test::generateOtf2(folder.path() / "b", {});
    ASSERT_EQ(once.locations.size(), twice.locations.size());
    for (std::size_t i = 0; i < once.locations.size(); ++i)
        EXPECT_EQ(rowsOf(once, once.locations[i]), rowsOf(twice, twice.locations[i]));
    GeneratorOptions other;
    other.seed = 2;
    const Truth different = test::generateOtf2(folder.path() / "c", other);
    EXPECT_NE(rowsOf(once, once.locations[1]), rowsOf(different, different.locations[1]));
}

} // namespace
} // namespace ddp
