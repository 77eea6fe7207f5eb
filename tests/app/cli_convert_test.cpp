// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/convert_fixture.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/otf2_print.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::namesIn;
using test::opened;
using test::runCli;
using test::Slice;
using test::slicesOf;
using testing::HasSubstr;

// Everything about ranks and locations that has to survive.
std::vector<std::string> shapeOf(const TraceStore& store) {
    std::vector<std::string> all;
    const auto text = [](const std::optional<int>& value) { return value ? std::to_string(*value) : "-"; };
    for (const RankInfo& rank : store.ranks()) {
        all.push_back("rank " + text(rank.rank) + " on " + rank.host.value_or("?"));
        for (LocationId id : rank.locations) {
            const LocationInfo& location = store.location(id);
            all.push_back(location.name + " kind " + std::to_string(static_cast<int>(location.kind)) +
                          " device " + text(location.device) + " stream " + text(location.stream) +
                          " slices " + std::to_string(location.slices));
        }
    }
    return all;
}

// The regions that are used, with all that the trace says about them.
std::set<std::string> regionsOf(const TraceStore& store) {
    std::set<std::string> all;
    for (std::size_t l = 0; l < store.locations().size(); ++l)
        for (const SliceLane& lane : store.lanes(LocationId(l)))
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const RegionInfo& region = store.region(lane.region(i));
                std::ostringstream text;
                text << store.text(region.name) << '|' << store.text(region.canonicalName) << '|'
                     << store.text(region.sourceFile) << '|' << store.text(region.paradigm) << '|'
                     << static_cast<int>(region.role) << '|' << region.line;
                all.insert(text.str());
            }
    return all;
}

// Kernels that overlap on a stream, several at a time, of few names; ends at the same time as begins.
test::Otf2Archive overlappingKernels(unsigned seed) {
    std::mt19937 random(seed);
    const auto number = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    test::Otf2Archive archive = test::scorepRank(0, 1);
    auto& events = archive.locations[1].events;
    events.clear();
    std::vector<std::uint32_t> open;
    std::uint64_t now = archive.globalOffset + 1'000;
    for (int i = 0; i < 400; ++i) {
        now += static_cast<std::uint64_t>(number(0, 2)) * 26; // 10 ns
        if (open.empty() || (open.size() < 6 && number(0, 1) == 0)) {
            open.push_back(static_cast<std::uint32_t>(number(2, 4)));
            events.push_back({test::Record::Enter, now, open.back()});
        } else {
            const auto which = open.begin() + number(0, static_cast<int>(open.size()) - 1);
            events.push_back({test::Record::Leave, now, *which});
            open.erase(which);
        }
    }
    for (const std::uint32_t region : open)
        events.push_back({test::Record::Leave, ++now, region});
    return archive;
}

class ConvertFormats : public test::ConvertTest {
protected:
    // The archive as the format's own reader sees it, against the run that it was made of.
    void expectPrinted(const TraceStore& store, const fs::path& anchor) const {
        if (!test::haveOtf2Print())
            GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
        const auto printed = test::printed(anchor);
        EXPECT_EQ(printed.exitCode, 0);
        EXPECT_EQ(printed.ticksPerSecond, 1'000'000'000u);
        EXPECT_EQ(printed.globalOffset, 0u);
        EXPECT_EQ(printed.length, static_cast<std::uint64_t>(store.extent().length().count));
        ASSERT_EQ(printed.events.size(), 2 * store.sliceCount());
        using Event = std::tuple<std::uint64_t, bool, std::string>; // per location
        std::map<std::uint64_t, std::vector<Event>> got;
        std::map<std::uint64_t, std::uint64_t> last;
        for (const auto& event : printed.events) {
            EXPECT_GE(event.tick, last[event.location]);
            last[event.location] = event.tick;
            got[event.location].emplace_back(event.tick, event.enter, printed.regions.at(event.region));
        }
        for (auto& [location, events] : got) {
            std::vector<Event> expected;
            for (const SliceLane& lane : store.lanes(LocationId(location)))
                for (std::size_t i = 0; i < lane.size(); ++i) {
                    const std::string name(store.regionName(lane.region(i)));
                    expected.emplace_back(static_cast<std::uint64_t>(lane.begin(i).count), true, name);
                    expected.emplace_back(static_cast<std::uint64_t>(lane.end(i).count), false, name);
                }
            std::sort(expected.begin(), expected.end());
            std::sort(events.begin(), events.end());
            EXPECT_EQ(events, expected) << "location " << location;
        }
    }

    void expectSameRun(const fs::path& from, const std::string& to) const {
        convert(from, to);
        const auto before = opened(from);
        const auto after = opened(out(to));
        ASSERT_TRUE(before && after);
        EXPECT_EQ(slicesOf(*after), slicesOf(*before));
        EXPECT_EQ(shapeOf(*after), shapeOf(*before));
        EXPECT_EQ(regionsOf(*after), regionsOf(*before));
        EXPECT_TRUE(after->issues().empty()) << after->issues()[0].sentence;
        expectPrinted(*before, out(to));
    }
};

TEST_F(ConvertFormats, Otf2IsTheSameRun) {
    expectSameRun(twoRanks(), "merged.otf2");
    EXPECT_EQ(namesIn(m_out.path()), (std::vector<std::string>{"merged", "merged.def", "merged.otf2"}));
    const auto definitions = test::printed(out("merged.otf2")).definitions;
    EXPECT_THAT(definitions, HasSubstr("Name: \"Rank 1\""));
    EXPECT_THAT(definitions, HasSubstr("Type: ACCELERATOR"));
    EXPECT_THAT(definitions, HasSubstr("Name: \"node01\""));
}

TEST_F(ConvertFormats, Otf2OfOneRankKeepsItsRank) {
    test::writeArchive(m_in.path() / "scorep-rank-7", test::scorepRank(7, 2));
    expectSameRun(m_in.path(), "one.otf2");
    EXPECT_EQ(opened(out("one.otf2"))->ranks()[0].rank, 7);
    EXPECT_EQ(opened(out("one.otf2"))->ranks()[0].source, RankSource::Archive);
    EXPECT_THAT(test::outputOf("otf2-print -A '" + out("one.otf2").string() + "' 2>&1").first +
                    content("one.otf2"),
                HasSubstr("DDPSCOPE::RANK"));
}

TEST_F(ConvertFormats, Otf2OfHostsWithoutACommonClockStaysUncalibrated) {
    for (const int rank : {0, 1}) {
        auto archive = test::scorepRank(rank, 2);
        archive.nodes[1].name = "node0" + std::to_string(rank);
        test::writeArchive(m_in.path() / ("scorep-rank-" + std::to_string(rank)), archive);
    }
    convert(m_in.path(), "merged.otf2");
    for (const auto& run : {opened(m_in.path()), opened(out("merged.otf2"))}) {
        const auto ranks = run->ranks();
        ASSERT_EQ(ranks.size(), 2u);
        EXPECT_EQ(ranks[0].clock.quality, ClockQuality::Uncalibrated);
        EXPECT_EQ(ranks[1].clock.quality, ClockQuality::Uncalibrated);
        EXPECT_NE(ranks[0].clock.domain, ranks[1].clock.domain) << "or they would be compared";
    }
}

class ConvertOverlaps : public ConvertFormats, public testing::WithParamInterface<unsigned> {};

TEST_P(ConvertOverlaps, Otf2KeepsKernelsThatOverlap) {
    const auto anchor = test::writeArchive(m_in.path() / "rank-0", overlappingKernels(GetParam()));
    ASSERT_GT(opened(anchor)->lanes(LocationId(1)).size(), 3u);
    expectSameRun(anchor, "merged.otf2");
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConvertOverlaps, testing::Range(0u, 6u));

class ConvertRealArchives : public ConvertFormats, public testing::WithParamInterface<const char*> {};

TEST_P(ConvertRealArchives, Otf2IsTheSameRun) {
    const fs::path folder = test::sharedPath("data/traces") / GetParam();
    DDP_REQUIRE_SHARED(folder);
    expectSameRun(folder, "merged.otf2");
}

INSTANTIATE_TEST_SUITE_P(Sets, ConvertRealArchives,
                         testing::Values("scorep-ddp/two-ranks-user-regions", "pipit/ping-pong-otf2",
                                         "fastotf2/simple-mi300-example-run",
                                         "scorep-ddp/two-of-four-ranks-all-calls"));

// "12.345" is 12345 ns; the text is read, since a double would hide what is not exact.
std::int64_t nanoseconds(const std::string& microseconds) {
    const auto point = microseconds.find('.');
    EXPECT_EQ(microseconds.size() - point, 4u) << microseconds;
    return std::stoll(microseconds.substr(0, point) + microseconds.substr(point + 1));
}

std::string valueOf(const std::string& line, const std::string& key) {
    const auto at = line.find("\"" + key + "\":") + key.size() + 3;
    return line.substr(at, line.find_first_of(",}", at) - at);
}

TEST_P(ConvertOverlaps, JsonHasEverySliceAndNestsOnEveryThread) {
    test::writeArchive(m_in.path() / "rank-0", overlappingKernels(GetParam()));
    test::writeArchive(m_in.path() / "rank-1", test::scorepRank(1, 2));
    convert(m_in.path(), "run.json");
    const auto store = opened(m_in.path());
    const json trace = json::parse(content("run.json"));
    std::map<int, std::string> processes;
    std::map<int, std::string> threads;
    for (const json& event : trace.at("traceEvents")) {
        if (event.at("name") == "process_name")
            processes[event.at("pid")] = event.at("args").at("name");
        if (event.at("name") == "thread_name")
            threads[event.at("tid")] = event.at("args").at("name");
    }
    EXPECT_EQ(processes, (std::map<int, std::string>{{1, "rank 0 (node01)"}, {2, "rank 1 (node01)"}}));

    std::vector<Slice> got;
    std::map<int, std::vector<std::int64_t>> openEnds; // per thread
    std::map<int, std::int64_t> lastBegin;
    std::istringstream lines(content("run.json"));
    for (std::string line; std::getline(lines, line);) {
        if (line.find("\"ph\":\"X\"") == std::string::npos)
            continue;
        const int thread = std::stoi(valueOf(line, "tid"));
        const std::int64_t begin = nanoseconds(valueOf(line, "ts"));
        const std::int64_t end = begin + nanoseconds(valueOf(line, "dur"));
        EXPECT_GE(begin, lastBegin[thread]);
        lastBegin[thread] = begin;
        auto& open = openEnds[thread];
        while (!open.empty() && open.back() <= begin && open.back() < end)
            open.pop_back();
        if (!open.empty()) {
            EXPECT_LE(end, open.back()) << "on thread " << threads[thread];
        }
        open.push_back(end);
        std::string name = valueOf(line, "name");
        const std::string place = threads.at(thread).substr(0, threads.at(thread).find(" (overlapping"));
        got.emplace_back(std::stoi(valueOf(line, "pid")) - 1, place, 0, begin, end,
                         name.substr(1, name.size() - 2));
    }
    auto expected = slicesOf(*store);
    for (Slice& slice : expected)
        std::get<2>(slice) = 0; // a viewer has its own rows
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, expected);
}

TEST_F(ConvertFormats, JsonSaysWhatWasLost) {
    const fs::path folder = twoRanks();
    fs::remove(folder / "scorep-rank-1/traces/8589934592.evt");
    const auto answer = runCli({"convert", folder.string(), "-o", out("a.json").string()});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_THAT(answer.err, HasSubstr("missing_events_file"));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    const json other = json::parse(content("a.json")).at("otherData");
    EXPECT_EQ(other.at("import_issues").at(0).at("name"), "missing_events_file");
}

TEST_F(ConvertFormats, NamesOfAnyBytesAreEscaped) {
    auto archive = test::plainArchive(0, 1'234'567);
    archive.regions[0].name = "a,\"b\"\n\xff";
    archive.locations[0].name = "T,1";
    const auto anchor = test::writeArchive(m_in.path(), archive);
    convert(anchor, "a.json");
    const json events = json::parse(content("a.json")).at("traceEvents");
    EXPECT_EQ(events.back().at("name"), "a,\"b\"\n\xef\xbf\xbd");
    EXPECT_THAT(content("a.json"), HasSubstr("\"ts\":0.000,\"dur\":1234.567,"));
    convert(anchor, "a.csv");
    EXPECT_EQ(content("a.csv"), "rank,location,depth,region,begin_ns,duration_ns\n"
                                "0,\"T,1\",0,\"a,\"\"b\"\"\n\xef\xbf\xbd\",0,1234567\n");
    convert(anchor, "a.otf2");
    EXPECT_EQ(slicesOf(*opened(out("a.otf2"))), slicesOf(*opened(anchor)));
}

TEST_F(ConvertFormats, CsvHasARowPerSlice) {
    convert(twoRanks(), "run.csv");
    std::vector<Slice> got;
    std::istringstream lines(content("run.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "rank,location,depth,region,begin_ns,duration_ns");
    while (std::getline(lines, line)) {
        std::vector<std::string> fields;
        std::istringstream row(line);
        for (std::string field; std::getline(row, field, ',');)
            fields.push_back(field);
        ASSERT_EQ(fields.size(), 6u) << line;
        const std::int64_t begin = std::stoll(fields[4]);
        got.emplace_back(std::stoi(fields[0]), fields[1], std::stoul(fields[2]), begin,
                         begin + std::stoll(fields[5]), fields[3]);
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, slicesOf(*opened(m_in.path())));
}

} // namespace
} // namespace ddp
