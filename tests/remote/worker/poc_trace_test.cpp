// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <sstream>

using namespace ddp::test;
using testing::HasSubstr;

namespace {

std::string outputOf(const std::string& command) {
    std::string text;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        return {};
    char buffer[4096];
    for (std::size_t size = 0; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        text.append(buffer, size);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
    return text;
}

struct Event {
    bool enter = false;
    long long time = 0;
    std::string region;
};

/// What otf2-print, a reader that is not ours, sees per location.
std::map<int, std::vector<Event>> eventsOf(const std::string& anchor) {
    std::map<int, std::vector<Event>> events;
    std::istringstream lines(outputOf("otf2-print '" + anchor + "'"));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_THAT(line, testing::Not(testing::ContainsRegex("[Ee]rror|ERROR|Warning")));
        std::istringstream words(line);
        std::string kind;
        int location = 0;
        Event event;
        words >> kind;
        if (kind != "ENTER" && kind != "LEAVE")
            continue;
        words >> location >> event.time;
        event.enter = kind == "ENTER";
        const auto begin = line.find('"');
        event.region = line.substr(begin + 1, line.find('"', begin + 1) - begin - 1);
        events[location].push_back(event);
    }
    return events;
}

int entersOf(const std::vector<Event>& events, const std::string& region) {
    int count = 0;
    for (const auto& event : events)
        count += event.enter && event.region == region;
    return count;
}

/// Checks order and nesting; returns how many regions are still open at the end.
std::size_t openAfter(const std::vector<Event>& events) {
    std::vector<std::string> open;
    long long last = 0;
    for (const auto& event : events) {
        EXPECT_GE(event.time, last);
        last = event.time;
        if (event.enter) {
            open.push_back(event.region);
        } else {
            EXPECT_FALSE(open.empty());
            if (open.empty())
                return 0;
            EXPECT_EQ(open.back(), event.region);
            open.pop_back();
        }
    }
    return open.size();
}

} // namespace

TEST(WorkerTrace, HealthyRunIsBalancedWithAGlooLane) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    ASSERT_EQ(runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "4", "--out", run}).exitCode,
              0);
    for (const int rank : {0, 1}) {
        const std::string anchor = run + "/rank-" + std::to_string(rank) + "/traces.otf2";
        const auto events = eventsOf(anchor);
        ASSERT_GE(events.size(), 2U);
        int reduces = 0;
        for (const auto& [location, list] : events) {
            EXPECT_EQ(openAfter(list), 0U) << "location " << location;
            if (location == 0) {
                for (const char* region : {"user:step", "user:forward", "user:backward", "user:optimizer"})
                    EXPECT_EQ(entersOf(list, region), 4) << region;
                for (const char* stage :
                     {"device_facts", "rendezvous", "model_built", "model_on_device", "facts_published",
                      "process_group", "canary", "ddp_check", "training", "done"})
                    EXPECT_EQ(entersOf(list, std::string("stage:") + stage), 1) << stage;
                EXPECT_EQ(entersOf(list, "gloo:all_reduce"), 0) << "it did not run on the main thread";
            } else {
                reduces += entersOf(list, "gloo:all_reduce");
            }
        }
        EXPECT_EQ(reduces, 4) << "one bucket in each step";

        const std::string definitions = outputOf("otf2-print -G '" + anchor + "'");
        EXPECT_THAT(definitions, HasSubstr("Ticks per Seconds: 1000000000"));
        EXPECT_THAT(definitions, testing::Not(HasSubstr("Date: UNDEFINED")));
        EXPECT_THAT(definitions,
                    testing::ContainsRegex("LOCATION_GROUP +0 +Name: \"Process\" <[0-9]+>, Type: PROCESS"));
        EXPECT_THAT(definitions, testing::ContainsRegex(
                                     "LOCATION +0 +Name: \"Master thread\" <[0-9]+>, Type: CPU_THREAD"));
        EXPECT_THAT(definitions, testing::ContainsRegex(
                                     "LOCATION +1 +Name: \"Gloo thread 0\" <[0-9]+>, Type: CPU_THREAD"));
        EXPECT_THAT(definitions, testing::ContainsRegex("\"gloo:all_reduce\".*Role: COLL_ALL2ALL"));
        const std::string archive = outputOf("otf2-print -I '" + anchor + "'");
        EXPECT_THAT(archive,
                    testing::ContainsRegex("DDPSCOPE::RANK\nProperty value +" + std::to_string(rank)));
        EXPECT_THAT(archive, testing::ContainsRegex("DDPSCOPE::WORLD_SIZE\nProperty value +2"));
        EXPECT_THAT(archive, HasSubstr("CLOCK_MONOTONIC"));
    }
}

TEST(WorkerTrace, AllReduceLiesInsideTheBackwardPass) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    ASSERT_EQ(runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "1", "--out", run}).exitCode,
              0);
    long long backwardBegin = 0;
    long long backwardEnd = 0;
    long long reduceBegin = 0;
    for (const auto& [location, list] : eventsOf(run + "/rank-0/traces.otf2")) {
        for (const auto& event : list) {
            if (event.region == "user:backward")
                (event.enter ? backwardBegin : backwardEnd) = event.time;
            if (event.region == "gloo:all_reduce" && event.enter)
                reduceBegin = event.time;
        }
    }
    EXPECT_GT(reduceBegin, backwardBegin);
    EXPECT_LT(reduceBegin, backwardEnd);
}

TEST(WorkerTrace, HangLeavesTheStageOpen) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    ASSERT_EQ(runWorker({"poc", "--simulate", "hang", "--spawn", "2", "--stage-deadline", "5", "--out", run})
                  .exitCode,
              40);
    const auto events = eventsOf(run + "/rank-1/traces.otf2");
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(openAfter(events.at(0)), 1U);
    EXPECT_EQ(events.at(0).back().region, "stage:canary");
}

TEST(WorkerTrace, FailedCheckIsBalanced) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    ASSERT_EQ(runWorker({"poc", "--simulate", "lost-collective", "--spawn", "2", "--out", run}).exitCode, 30);
    const auto events = eventsOf(run + "/rank-0/traces.otf2");
    EXPECT_GE(events.size(), 2U);
    for (const auto& [location, list] : events)
        EXPECT_EQ(openAfter(list), 0U) << "location " << location;
}
