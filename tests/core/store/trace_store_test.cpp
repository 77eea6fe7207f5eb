// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/slice_sets.h"
#include "tests/support/temp_folder.h"

#include <csignal>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::PlainEvent;
using test::PlainSlice;

// Everything that a store says, as one text; nothing of how it came to be.
std::string said(const TraceStore& store) {
    std::string text = std::string(store.format()) + "\n";
    const auto add = [&](const auto&... values) { ((text += values + "|"), ...); };
    const auto number = [](auto value) { return std::to_string(value); };
    for (const RankInfo& rank : store.ranks()) {
        add(number(rank.rank.value_or(-1)), number(static_cast<int>(rank.source)), rank.archive,
            rank.host.value_or("-"), number(static_cast<int>(rank.clock.quality)),
            number(rank.clock.offsetNs), number(rank.clock.driftPpm.value_or(-1)),
            number(rank.clock.uncertaintyNs.value_or(-1)), number(rank.clock.domain));
        for (const auto& [name, value] : rank.properties)
            add(name, value);
        for (LocationId id : rank.locations)
            add(number(id.value));
    }
    for (std::size_t i = 0; i < store.regionCount(); ++i) {
        const RegionInfo& region = store.region(RegionId(i));
        add(std::string(store.text(region.name)), std::string(store.text(region.canonicalName)),
            std::string(store.text(region.sourceFile)), std::string(store.text(region.paradigm)),
            number(static_cast<int>(region.role)), number(region.line));
    }
    for (const ImportIssue& issue : store.issues())
        add(issue.name, number(static_cast<int>(issue.severity)), number(issue.count),
            number(issue.rank.value_or(-1)), issue.location.value_or("-"), issue.sentence);
    add(number(store.extent().begin.count), number(store.extent().end.count), number(store.eventCount()),
        number(store.sliceCount()));
    for (std::size_t i = 0; i < store.locations().size(); ++i) {
        const LocationInfo& location = store.locations()[i];
        add(number(location.rankIndex), location.name, number(static_cast<int>(location.kind)),
            number(location.device.value_or(-1)), number(location.stream.value_or(-1)),
            number(location.slices), number(location.events));
        for (const SliceLane& lane : store.lanes(LocationId(i))) {
            text += "\n";
            for (const PlainSlice& row : test::rowsOf(lane))
                add(number(row.begin), number(row.end), number(row.region));
        }
    }
    return text;
}

// Two ranks with three locations, issues, odd names and everything optional once with and once without a
// value. Times of rank 1 lie 1000 ns later in the file than its clock says.
std::shared_ptr<const TraceStore> writeSample(const fs::path& path, std::size_t slices,
                                              std::uint32_t seed = 9) {
    std::mt19937 random(seed);
    TraceBuilder builder("otf2", std::make_unique<StoreWriter>(path.parent_path()));
    for (std::uint32_t i = 0; i < test::kRegions; ++i)
        builder.addRegion(
            {"region\n" + std::to_string(i), i % 2 ? "_Zx" : "", "a.cpp", "mpi", RegionRole::Function, i});
    for (int rank = 0; rank < 2; ++rank) {
        RankInfo info;
        info.rank = rank;
        info.source = RankSource::Environment;
        info.archive = "archive-" + std::to_string(rank);
        info.clock = {ClockQuality::WallClock, 10 * rank, std::nullopt, std::nullopt, 3};
        if (rank == 1) {
            info.host = "node1";
            info.clock.uncertaintyNs = 5;
            info.properties = {{"SCOREP_TIMER", "tsc"}, {"EMPTY", ""}, {"any\n\xff", "x"}};
        }
        builder.addRank(info);
    }
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, std::size_t{1}}) {
        LocationInfo info;
        info.rankIndex = rank;
        info.name = "location " + std::to_string(rank);
        info.kind = rank ? LocationKind::Stream : LocationKind::Thread;
        if (rank)
            info.device = 4;
        const LocationId id = builder.addLocation(info);
        LocationBuilder& location = builder.location(id);
        for (const PlainEvent& event : test::randomEvents(random, slices, 5, false)) {
            const std::int64_t ns = event.ns + 1000 * static_cast<std::int64_t>(rank);
            event.enter ? location.enter(ns, RegionId(event.region))
                        : location.leave(ns, RegionId(event.region));
        }
        location.leave(INT64_C(1) << 50, RegionId(7)); // an unmatched one
    }
    builder.addIssue({"something", IssueSeverity::DataLoss, 3, 1, std::nullopt, "A sentence."});
    const std::vector<std::int64_t> shifts{0, -1000};
    const auto store = builder.freeze(shifts, {1, 2});
    EXPECT_TRUE(store) << builder.error().message;
    EXPECT_TRUE(builder.file().publish(path));
    return store;
}

Result<std::shared_ptr<const TraceStore>> reopened(const fs::path& path,
                                                   StoreChecks checks = StoreChecks::All) {
    auto file = StoreFile::open(path, checks);
    return file ? TraceStore::open(std::move(*file), checks)
                : Result<std::shared_ptr<const TraceStore>>(forward(file));
}

std::string contentOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(TraceStore, SaysTheSameWhenItIsOpenedAgain) {
    const test::TempFolder folder;
    for (const std::size_t slices : {0, 1, 300, 30'000}) {
        const auto first = writeSample(folder.path() / "run", slices);
        const auto second = reopened(folder.path() / "run");
        ASSERT_TRUE(second) << second.error().message;
        EXPECT_EQ(said(*first), said(**second));
        EXPECT_EQ(first->sliceCount(), 3 * slices);
        EXPECT_EQ((*second)->file().key(), (StoreKey{1, 2}));
        EXPECT_TRUE((*second)->verifyColumns({}));
    }
}

TEST(TraceStore, AnEmptyRunIsARun) {
    const test::TempFolder folder;
    TraceBuilder builder("kineto", std::make_unique<StoreWriter>(folder.path()));
    const auto store = builder.freeze({});
    ASSERT_TRUE(store);
    ASSERT_TRUE(builder.file().publish(folder.path() / "run"));
    const auto again = reopened(folder.path() / "run");
    ASSERT_TRUE(again);
    EXPECT_EQ((*again)->format(), "kineto");
    EXPECT_TRUE((*again)->extent().empty());
}

// Every piece of the file begins at a multiple of its alignment, and padding never lies there: a flip in the
// first byte of whatever there is has to be noticed.
TEST(TraceStore, NoticesFlippedBytesInEveryPiece) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 300);
    const std::string good = contentOf(folder.path() / "run");
    std::mt19937 random(3);
    for (std::size_t at = 0; at < good.size(); at += StoreFile::kAlignment) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
        EXPECT_FALSE(reopened(folder.write("bad", bad))) << "byte " << at;
    }
}

TEST(TraceStore, RefusesTruncation) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 300);
    const std::string good = contentOf(folder.path() / "run");
    for (std::size_t length = 0; length < good.size(); length += 97)
        EXPECT_FALSE(reopened(folder.write("bad", good.substr(0, length))));
}

TEST(TraceStore, AnotherVersionIsRefused) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 3);
    std::string bytes = contentOf(folder.path() / "run");
    ++bytes[8]; // behind the magic: the version
    EXPECT_FALSE(reopened(folder.write("bad", bytes), StoreChecks::Structure));
}

// Bytes that are wrong and pass for right: every question has an answer, and none leaves the file.
TEST(TraceStore, AnyContentIsSafeToAsk) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 500);
    const std::string good = contentOf(folder.path() / "run");
    std::mt19937 random(4);
    std::size_t opened = 0;
    for (int round = 0; round < 300; ++round) {
        std::string bad = good;
        for (int flips = 0; flips < 40; ++flips) // in the columns, which lie in front, or anywhere
            bad[64 + random() % (round % 3 == 0 ? bad.size() - 64 : bad.size() / 2)] =
                static_cast<char>(random());
        const auto store = reopened(folder.write("bad", bad), StoreChecks::Structure);
        if (!store)
            continue;
        ++opened;
        const auto shown = said(**store);
        (*store)->verifyColumns({});
        for (std::size_t i = 0; i < (*store)->locations().size(); ++i) {
            for (const SliceLane& lane : (*store)->lanes(LocationId(i))) {
                for (int query = 0; query < 20 && lane.size() > 0; ++query) {
                    const Nanoseconds t(static_cast<std::int64_t>(random()) << (random() % 32));
                    EXPECT_LE(lane.firstEndingAfter(t), lane.size());
                    EXPECT_LE(lane.firstBeginningFrom(t), lane.size());
                    const std::size_t first = random() % lane.size();
                    EXPECT_LT(lane.longest(first, lane.size()), lane.size());
                    lane.covered(first, lane.size());
                    const auto parent = lane.parent(first);
                    EXPECT_TRUE(!parent || *parent < lane.size() + (*store)->sliceCount());
                    EXPECT_LT(lane.region(first).index(), (*store)->regionCount());
                    EXPECT_LE((lane.end(first) - lane.begin(first)).count, INT64_MAX);
                }
            }
        }
    }
    EXPECT_GT(opened, 100u);
}

// The length of a text, and the number of properties, stand in front of the first property's name.
TEST(TraceStore, PropertiesOfAnyStatedSizeAreSafeToRead) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 3);
    const std::string good = contentOf(folder.path() / "run");
    ASSERT_TRUE(reopened(folder.path() / "run"));
    const std::size_t name = good.find("EMPTY"); // the first in order
    ASSERT_NE(name, std::string::npos);
    for (const std::size_t before : {8, 16}) {
        for (const std::uint64_t size :
             {std::uint64_t{2}, std::uint64_t{1} << 20, std::uint64_t{1} << 40, UINT64_MAX / 8, UINT64_MAX}) {
            std::string bad = good;
            std::memcpy(&bad[name - before], &size, sizeof size);
            EXPECT_FALSE(reopened(folder.write("bad", bad), StoreChecks::Structure)) << before << " " << size;
        }
    }
}

TEST(TraceStore, OtherClocksKeepTheProperties) {
    const test::TempFolder folder;
    const auto store = writeSample(folder.path() / "run", 3);
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : store->ranks())
        clocks.push_back(rank.clock);
    clocks[1].offsetNs += 77;
    const auto moved = store->withClocks(clocks);
    EXPECT_EQ(moved->ranks()[1].properties.at("SCOREP_TIMER"), "tsc");
    EXPECT_EQ(moved->ranks()[1].properties, store->ranks()[1].properties);
    EXPECT_TRUE(moved->ranks()[0].properties.empty());
}

TEST(TraceStore, ColumnsOfALargeFileAreVerifiedWhenAsked) {
    const test::TempFolder folder;
    writeSample(folder.path() / "run", 5000);
    std::string bytes = contentOf(folder.path() / "run");
    bytes[5000] = static_cast<char>(bytes[5000] ^ 1); // in a chunk
    const fs::path bad = folder.write("bad", bytes);
    EXPECT_FALSE(reopened(bad)) << "small files are compared at once";
    const auto store = reopened(bad, StoreChecks::Structure);
    ASSERT_TRUE(store);
    EXPECT_FALSE((*store)->verifyColumns({}));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE((*store)->verifyColumns(stop.get_token()));
}

TEST(TraceStore, NoPlaceForTheSlicesIsOneSentence) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000}; // holds for files and memory
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::mt19937 random(1);
        test::OneLocationRun run(LocationKind::Thread);
        run.add(test::randomEvents(random, 20'000, 3, true));
        const auto store = run.freeze();
        ::_exit(!store && run.builder().error().code == ErrorCode::Unwritable ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// The map by its definition, in exact numbers: t - origin + offset + floor((t - origin) · drift).
TEST(ClockMap, EqualsItsDefinitionAndItsInverse) {
    std::mt19937_64 random(8);
    for (int round = 0; round < 2000; ++round) {
        const auto origin = static_cast<std::int64_t>(random() >> 4) - (INT64_C(1) << 59);
        ClockInfo info;
        info.offsetNs = static_cast<std::int64_t>(random() >> 8) - (INT64_C(1) << 55);
        const int ppm = static_cast<int>(random() % 401) - 200;
        info.driftPpm = ppm;
        if (round % 4 == 0)
            info.driftPpm = std::nullopt;
        const ClockMap map(info, origin);
        const std::int64_t own = static_cast<std::int64_t>(random() % 1'000'000'000'000'000);
        const std::int64_t run = map.toRun(origin + own).count;
        const double expected = info.driftPpm ? static_cast<double>(own) * ppm * 1e-6 : 0;
        // The drift is kept in steps of 2⁻⁴⁰, about 1e-12 of the time since the origin.
        EXPECT_NEAR(static_cast<double>(run - own - info.offsetNs), expected,
                    1 + static_cast<double>(own) * 1e-12);
        EXPECT_GE(map.toRun(origin + own + 1).count, run) << "order is kept";
        const std::int64_t back = map.toFile(Nanoseconds(run));
        EXPECT_EQ(map.toRun(back).count, run);
        EXPECT_GE(back, origin + own);
        EXPECT_GT(map.toRun(back + 1).count, run) << "the latest such time";
    }
    const ClockMap plain;
    EXPECT_EQ(plain.toFile(Nanoseconds(INT64_MAX)), INT64_MAX);
    EXPECT_EQ(plain.toFile(Nanoseconds(INT64_MIN)), INT64_MIN);
}

// Against the same slices moved one by one.
TEST(TraceStore, OtherClocksMoveEverythingAndReadNothing) {
    const test::TempFolder folder;
    const auto store = writeSample(folder.path() / "run", 6000);
    std::mt19937 random(10);
    for (const double drift : {0.0, 120.0, -80.0}) {
        std::vector<ClockInfo> clocks{store->ranks()[0].clock, store->ranks()[1].clock};
        clocks[1].offsetNs += 12'345;
        clocks[1].quality = ClockQuality::Manual;
        if (drift != 0.0)
            clocks[1].driftPpm = drift;
        const auto moved = store->withClocks(clocks);
        EXPECT_EQ(&moved->file(), &store->file());
        EXPECT_EQ(moved->ranks()[1].clock.quality, ClockQuality::Manual);
        EXPECT_EQ(moved->extent().begin, Nanoseconds(0));
        // All shifts together are undone by what the first rank's offset says.
        const std::int64_t common = moved->ranks()[0].clock.offsetNs - store->ranks()[0].clock.offsetNs;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto before = store->lanes(LocationId(i));
            const auto after = moved->lanes(LocationId(i));
            ASSERT_EQ(before.size(), after.size());
            for (std::size_t lane = 0; lane < before.size(); ++lane) {
                const auto rows = test::rowsOf(after[lane]);
                for (std::size_t row = 0; row < rows.size(); ++row) {
                    const auto expected = [&](std::int64_t t) {
                        // Rank 1's own time is 10 ns behind the run's in the sample.
                        const double own = static_cast<double>(t - 10);
                        return i == 0 ? static_cast<double>(t + common)
                                      : static_cast<double>(t + common + 12'345) + own * drift * 1e-6;
                    };
                    ASSERT_NEAR(static_cast<double>(rows[row].begin), expected(before[lane].begin(row).count),
                                2);
                    ASSERT_NEAR(static_cast<double>(rows[row].end), expected(before[lane].end(row).count), 2);
                    ASSERT_EQ(before[lane].parent(row), after[lane].parent(row));
                }
                for (int query = 0; query < 50; ++query) {
                    const std::int64_t t =
                        rows[random() % rows.size()].end + static_cast<std::int64_t>(random() % 5) - 2;
                    const auto firstEnding =
                        std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.end > t; });
                    const auto firstBegin =
                        std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.begin >= t; });
                    ASSERT_EQ(after[lane].firstEndingAfter(Nanoseconds(t)), firstEnding - rows.begin());
                    ASSERT_EQ(after[lane].firstBeginningFrom(Nanoseconds(t)), firstBegin - rows.begin());
                }
            }
        }
        // Back to where it was, but for the common zero.
        std::vector<ClockInfo> original{store->ranks()[0].clock, store->ranks()[1].clock};
        EXPECT_EQ(moved->withClocks(original)->lanes(LocationId(2))[0].begin(3) -
                      moved->withClocks(original)->lanes(LocationId(0))[0].begin(0),
                  store->lanes(LocationId(2))[0].begin(3) - store->lanes(LocationId(0))[0].begin(0));
    }
}

} // namespace
} // namespace ddp
