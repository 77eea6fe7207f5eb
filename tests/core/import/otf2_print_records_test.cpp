// SPDX-License-Identifier: GPL-3.0-or-later
// Every OTF2 archive of ../shared, all kinds of records, beside what otf2-print prints of it.
#include "core/import/open_run.h"
#include "tests/core/import/otf2_print.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <tuple>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::countByPrint;
using test::Counted;
using test::linesOf;

std::vector<fs::path> everyAnchor() {
    std::vector<fs::path> anchors;
    std::error_code missing; // then there is none
    for (const auto& entry : fs::recursive_directory_iterator(
             test::sharedPath("data/traces"), fs::directory_options::follow_directory_symlink, missing))
        if (entry.path().extension() == ".otf2")
            anchors.push_back(entry.path());
    std::sort(anchors.begin(), anchors.end());
    return anchors;
}

class EveryArchive : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("command -v otf2-print >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
        m_anchors = everyAnchor();
        if (m_anchors.empty())
            GTEST_SKIP() << "needs the real data of ../shared, which is not on this machine";
    }

    static std::shared_ptr<const TraceStore> opened(const fs::path& anchor) {
        Progress progress;
        auto store = openRun({anchor}, {}, progress);
        EXPECT_TRUE(store) << store.error().message;
        return store ? *store : nullptr;
    }

    std::vector<fs::path> m_anchors;
};

// Nanoseconds from the first event to a tick; the base is subtracted first, as in definitions.md.
class Clock {
public:
    explicit Clock(const Counted& counted) : m_counted(counted) {}
    std::int64_t operator()(std::uint64_t tick) const { return sinceBase(tick) - sinceBase(m_counted.first); }

private:
    __extension__ using Wide = unsigned __int128;
    std::int64_t sinceBase(std::uint64_t tick) const {
        return static_cast<std::int64_t>(static_cast<Wide>(tick - m_counted.globalOffset) * 1'000'000'000 /
                                         m_counted.ticksPerSecond);
    }
    const Counted& m_counted;
};

std::vector<std::string> printed(const fs::path& anchor, const char* pattern, const char* option = "") {
    return linesOf("otf2-print " + std::string(option) + " '" + anchor.string() +
                   "' 2>/dev/null | grep -aE '" + pattern + "'");
}

std::uint64_t number(const std::smatch& match, std::size_t group) {
    return std::stoull(match[group].str());
}

TEST_F(EveryArchive, HasTheCountsOfOtf2Print) {
    for (const fs::path& anchor : m_anchors) {
        SCOPED_TRACE(anchor);
        const Counted counted = countByPrint(anchor);
        const auto store = opened(anchor);
        ASSERT_TRUE(store);
        EXPECT_EQ(store->eventCount(), counted.events());
        const std::uint64_t transfers =
            counted.count("RMA_GET") + counted.count("RMA_PUT") + counted.count("RMA_ATOMIC");
        EXPECT_EQ(store->sliceCount(), counted.count("ENTER") + transfers);
        EXPECT_EQ(counted.count("LEAVE"), counted.count("ENTER"));
        EXPECT_EQ(store->locations().size(), printed(anchor, "^LOCATION ", "-G").size());
        std::uint64_t samples = 0;
        for (const Counter& counter : store->records().counters())
            samples += counter.count;
        EXPECT_EQ(samples, counted.count("METRIC")) << "all of them have one value";
        EXPECT_EQ(store->records().messages().size(), counted.count("MPI_SEND") + counted.count("MPI_ISEND"));
        EXPECT_EQ(store->records().messages().size(), counted.count("MPI_RECV") + counted.count("MPI_IRECV"));
        EXPECT_EQ(store->records().collectives().size(), counted.count("MPI_COLLECTIVE_END"));
        EXPECT_EQ(store->records().communicators().size(), printed(anchor, "^(INTER_)?COMM ", "-G").size());
        EXPECT_TRUE(store->issues().empty());
    }
}

// Two regions that differ in nothing that the store keeps are one.
TEST_F(EveryArchive, HasTheRegionsOfOtf2Print) {
    const std::regex line(
        R"(^REGION +\d+ +Name: (.*) <\d+> \(Aka\. (.*) <\d+>\), Descr\.: .*, Role: (.*), Paradigm: (.*), Flags: .*, File: (.*), Begin: (\d+), End: \d+$)");
    for (const fs::path& anchor : m_anchors) {
        SCOPED_TRACE(anchor);
        std::set<std::vector<std::string>> regions;
        for (const std::string& text : printed(anchor, "^REGION ", "-G")) {
            std::smatch match;
            ASSERT_TRUE(std::regex_match(text, match, line)) << text;
            regions.insert({match.begin() + 1, match.end()});
        }
        const auto store = opened(anchor);
        ASSERT_TRUE(store);
        EXPECT_GT(regions.size(), 4u);
        EXPECT_EQ(store->regionCount(), regions.size() + 1) << "and the one for what is not defined";
    }
}

TEST_F(EveryArchive, HasTheSamplesOfOtf2Print) {
    const std::regex line(
        R"re(^METRIC +(\d+) +(\d+) +Metric: \d+, 1 Value: \("(.*)" <\d+>; (\w+); (-?[0-9.]+)\)$)re");
    using Sample = std::tuple<std::string, std::int64_t, std::uint64_t>; // name, time, value
    for (const fs::path& anchor : m_anchors) {
        SCOPED_TRACE(anchor);
        const Counted counted = countByPrint(anchor);
        const Clock clock(counted);
        std::vector<Sample> wanted;
        for (const std::string& text : printed(anchor, "^METRIC ")) {
            std::smatch match;
            ASSERT_TRUE(std::regex_match(text, match, line)) << text;
            ASSERT_EQ(match[4], "UINT64");
            wanted.emplace_back(match[3].str(), clock(number(match, 2)), number(match, 5));
        }
        const auto store = opened(anchor);
        ASSERT_TRUE(store);
        std::vector<Sample> found;
        for (const Counter& counter : store->records().counters())
            for (const CounterSample& sample : store->records().samples(counter))
                found.emplace_back(store->text(counter.name), store->time(counter.location, sample.ns).count,
                                   sample.value.unsignedNumber());
        std::sort(wanted.begin(), wanted.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(wanted == found, true) << wanted.size() << " and " << found.size();
    }
}

TEST_F(EveryArchive, HasTheMessagesOfOtf2Print) {
    const std::regex line(
        R"re(^MPI_(SEND|RECV) +(\d+) +(\d+) +(?:Receiver|Sender): (\d+) .*, Communicator: "(.*)" <\d+>, Tag: (\d+), Length: (\d+)$)re");
    using End = std::pair<std::uint64_t, std::uint64_t>; // tick, bytes
    std::size_t all = 0;
    for (const fs::path& anchor : m_anchors) {
        SCOPED_TRACE(anchor);
        const Counted counted = countByPrint(anchor);
        const Clock clock(counted);
        // One thread per rank here, which has the rank's number.
        std::map<std::tuple<std::uint64_t, std::uint64_t, std::string, std::uint64_t>,
                 std::pair<std::vector<End>, std::vector<End>>>
            channels; // sender, receiver, communicator, tag
        for (const std::string& text : printed(anchor, "^MPI_(SEND|RECV) ")) {
            std::smatch match;
            ASSERT_TRUE(std::regex_match(text, match, line)) << text;
            const bool sent = match[1] == "SEND";
            const std::uint64_t here = number(match, 2);
            const std::uint64_t there = number(match, 4);
            auto& channel =
                channels[{sent ? here : there, sent ? there : here, match[5].str(), number(match, 6)}];
            (sent ? channel.first : channel.second).emplace_back(number(match, 3), number(match, 7));
        }
        using Row = std::tuple<std::uint64_t, std::uint64_t, std::string, std::uint64_t, std::int64_t,
                               std::int64_t, std::uint64_t>;
        std::vector<Row> wanted;
        for (const auto& [key, ends] : channels) {
            ASSERT_EQ(ends.first.size(), ends.second.size());
            for (std::size_t i = 0; i < ends.first.size(); ++i) {
                EXPECT_EQ(ends.first[i].second, ends.second[i].second);
                wanted.push_back(
                    std::tuple_cat(key, std::tuple(clock(ends.first[i].first), clock(ends.second[i].first),
                                                   ends.first[i].second)));
            }
        }
        const auto store = opened(anchor);
        ASSERT_TRUE(store);
        std::vector<Row> found;
        for (const Message& message : store->records().messages()) {
            const auto rank = [&](LocationId id) {
                return static_cast<std::uint64_t>(*store->ranks()[store->location(id).rankIndex].rank);
            };
            const Communicator& comm = store->records().communicator(message.communicator);
            found.emplace_back(rank(message.sender), rank(message.receiver), store->text(comm.name),
                               message.tag, store->time(message.sender, message.sendNs).count,
                               store->time(message.receiver, message.receiveNs).count, message.bytes);
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, wanted);
        all += found.size();
    }
    EXPECT_EQ(all, 16u) << "those of ping-pong-otf2, as its MANIFEST says";
}

// "callsite id" of two launches on the host and of their two kernels, and attributes of ENTER and LEAVE.
TEST_F(EveryArchive, HasTheParametersAndAttributesOfScoreP9) {
    const fs::path anchor = test::sharedPath("data/traces/fastotf2/simple-mi300-example-run/traces.otf2");
    const auto store = opened(anchor);
    ASSERT_TRUE(store);
    std::map<std::string, std::string> found; // region -> attributes
    for (std::size_t location = 0; location < store->locations().size(); ++location) {
        const auto lanes = store->lanes(LocationId(location));
        for (std::uint32_t l = 0; l < lanes.size(); ++l)
            for (std::uint32_t i = 0; i < lanes[l].size(); ++i)
                for (const Attribute& attribute : store->records().attributes(LocationId(location), {l, i})) {
                    EXPECT_EQ(attribute.type, ValueType::Uint64);
                    found[std::string(store->regionName(lanes[l].region(i)))] +=
                        std::string(store->text(attribute.name)) + "=" +
                        std::to_string(attribute.value.unsignedNumber()) + " ";
                }
    }
    const std::map<std::string, std::string> wanted{
        {"hipMalloc", "ALLOCATION_SIZE=536870912 ALLOCATION_SIZE=536870912 ALLOCATION_SIZE=536870912 "
                      "ALLOCATION_SIZE=536870912 "},
        {"hipFree", "DEALLOCATION_SIZE=536870912 DEALLOCATION_SIZE=536870912 DEALLOCATION_SIZE=536870912 "
                    "DEALLOCATION_SIZE=536870912 "},
        {"hipLaunchKernel", "callsite id=1718134583 callsite id=2492857623 "},
        {"heavy_kernel(float*, float const*)", "callsite id=1718134583 "},
        {"light_kernel(float*, float const*)", "callsite id=2492857623 "}};
    EXPECT_EQ(found, wanted);
}

// Power in microwatts by name, and the memory that the program allocated and freed.
TEST_F(EveryArchive, HasThePowerAndMemoryOfTwoGpus) {
    const fs::path anchor = test::sharedPath("data/traces/fastotf2/simple-mi300-example-run/traces.otf2");
    const auto store = opened(anchor);
    ASSERT_TRUE(store);
    std::map<std::string, std::vector<std::uint64_t>> memory; // of which context
    std::size_t power = 0;
    for (const Counter& counter : store->records().counters()) {
        const std::string name(store->text(counter.name));
        EXPECT_EQ(counter.rankIndex, 0u);
        EXPECT_EQ(store->location(counter.location).kind, LocationKind::Metric);
        if (name == "HIP Memory") {
            EXPECT_EQ(store->text(counter.unit), "bytes");
            EXPECT_EQ(counter.mode, CounterMode::Absolute);
            EXPECT_EQ(counter.timing, CounterTiming::UntilNext);
            for (const CounterSample& sample : store->records().samples(counter))
                memory[std::string(store->text(counter.scope))].push_back(sample.value.unsignedNumber());
        } else if (name == "A2rocm_smi:::current_socket_power:device=0") {
            ++power;
            EXPECT_EQ(store->text(counter.scope), "node-001.example.test");
            EXPECT_EQ(counter.count, 1740u);
            EXPECT_EQ(counter.mode, CounterMode::Accumulated);
            EXPECT_EQ(store->records().samples(counter)[0].value.unsignedNumber(), 162'000'000u);
        }
    }
    EXPECT_EQ(power, 1u);
    const std::vector<std::uint64_t> twoArrays{536'870'912, 1'073'741'824, 536'870'912, 0};
    EXPECT_EQ(memory["HIP Context 0"], twoArrays);
    EXPECT_EQ(memory["HIP Context 1"], twoArrays);
    EXPECT_EQ(memory.size(), 2u);
}

} // namespace
} // namespace ddp
