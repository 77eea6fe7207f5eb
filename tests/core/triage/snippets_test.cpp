// SPDX-License-Identifier: GPL-3.0-or-later
// The 75 real log snippets of ../shared with the class and the indicator that a person gave them.
#include "core/report/triage_json.h"
#include "core/triage/triage.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

namespace ddp::triage {
namespace {

std::string classOf(const Report& report) {
    // A log in which nothing decides is harmless.
    const std::string name = report::faultClassName(report.diagnosis.faultClass);
    return name == "none" ? "harmless" : name;
}

TEST(Snippets, EachHasItsClassAndIndicator) {
    const auto path = test::sharedPath("data/logs/log-snippets.jsonl");
    DDP_REQUIRE_SHARED(path);
    std::ifstream file(path);
    std::string line;
    int count = 0;
    std::map<std::string, std::map<std::string, int>> confusion;
    while (std::getline(file, line)) {
        const auto snippet = nlohmann::json::parse(line);
        const std::string id = snippet.at("id");
        SCOPED_TRACE(id + ": " + snippet.at("text").get<std::string>());
        const test::TempFolder folder;
        const auto report =
            triage({folder.write("snippet.log", snippet.at("text").get<std::string>() + "\n")}, {});
        ASSERT_TRUE(report);
        const std::string expected = snippet.at("expected_class");
        EXPECT_EQ(classOf(*report), expected) << report->diagnosis.sentence;
        ++confusion[expected][classOf(*report)];
        ASSERT_FALSE(report->indicators.empty());
        EXPECT_EQ(report->indicators.front().id, snippet.at("expected_indicator").get<std::string>());
        EXPECT_EQ(report::indicatorClassName(report->indicators.front().indicatorClass), expected);
        EXPECT_NE(report->verdict, Verdict::Pass);
        ++count;
    }
    EXPECT_EQ(count, 75);
    for (const auto& [expected, row] : confusion) {
        for (const auto& [seen, number] : row)
            std::cout << expected << " seen as " << seen << ": " << number << '\n';
    }
}

} // namespace
} // namespace ddp::triage
