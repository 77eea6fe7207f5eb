// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of findings, those about the measurement, and all of them on real and on odd runs.
#include "core/analysis/findings.h"

#include "core/import/open_run.h"
#include "tests/core/analysis/findings_fixture.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <set>

namespace ddp {
namespace {

using test::count;
using test::FindingRun;
using test::range;
using test::ranks;
using test::text;
using test::time;
using testing::AllOf;
using testing::HasSubstr;

std::string errorOf(const std::string& rules) {
    const auto parsed = FindingRules::parse(R"({"rules": [)" + rules + "]}", "mine.json");
    return parsed ? "" : parsed.error().message;
}

TEST(FindingRules, WhatIsWrongIsNamedWithFileAndRule) {
    EXPECT_EQ(errorOf(R"({"id": "cpu_run", "severity": "info", "sentence": "{rank_count}, {rank}."})"), "");
    const std::string good = R"({"id": "cpu_run", "severity": "info", "sentence": ""}, )";
    const std::map<std::string, std::string> wrong{
        {R"({"id": "nothing", "severity": "info", "sentence": ""})", "no such finding"},
        {R"({"id": "data_loss", "severity": "bad", "sentence": ""})", "unknown severity bad"},
        {R"({"id": "data_loss", "severity": "info"})", "sentence"},
        {R"({"id": "data_loss", "severity": "info", "sentence": 1})", "string"},
        {R"({"id": "data_loss", "severity": "info", "sentence": "{coumt}"})", "no value {coumt}"},
        {R"({"id": "data_loss", "severity": "info", "sentence": "{count"})", "a { without }"},
        {R"({"id": "data_loss", "severity": "info", "sentence": "", "advice": "{x}"})", "no value {x}"},
        {R"({"id": "data_loss", "severity": "info", "sentence": "", "colour": 1})", "unknown key colour"},
        {R"({"id": "late_rank", "severity": "info", "sentence": ""})", "threshold share_pct is missing"},
        {R"({"id": "late_rank", "severity": "info", "sentence": "", "thresholds": {"share": 1}})",
         "unknown threshold share"},
        {R"({"id": "late_rank", "severity": "info", "sentence": "", "thresholds": {"share_pct": "2"}})",
         "number"},
        {R"({"id": "late_rank", "severity": "info", "sentence": "", "thresholds": {"share_pct": -1}})",
         "negative"},
        {R"({"id": "buffer_flush", "severity": "info", "sentence": "", "regions": []})", "empty list"},
        {R"({"id": "distorting_settings", "severity": "info", "sentence": "", "settings": [{"x": 1}]})",
         "setting"},
        {R"({"id": "distorting_settings", "severity": "info", "sentence": "",
             "settings": [{"setting": "A", "when": "noon"}]})",
         "unknown \"when\" noon"},
        {R"({"id": "cpu_run", "severity": "info", "sentence": ""})", "twice"},
        {R"({"severity": "info", "sentence": ""})", "id"},
        {"3", "rule 2"},
    };
    for (const auto& [rule, why] : wrong)
        EXPECT_THAT(errorOf(good + rule), AllOf(HasSubstr("mine.json"), HasSubstr("rule 2"), HasSubstr(why)))
            << rule;
    for (const char* file : {"", "[]", "{}", "{\"rules\": 3}", "{\"rules\": [}"}) {
        const auto parsed = FindingRules::parse(file, "mine.json");
        ASSERT_FALSE(parsed) << file;
        EXPECT_THAT(parsed.error().message, HasSubstr("mine.json: the file as a whole")) << file;
    }
}

TEST(FindingRules, ARuleThatIsNotThereIsNotLookedFor) {
    FindingRun run;
    run.slice(run.stream(0), 0, 10, "gemm");
    run.slice(run.stream(1), 0, 10, "gemm");
    EXPECT_FALSE(run.all().empty());
    const auto rules = FindingRules::parse(R"({"rules": []})", "mine.json");
    ASSERT_TRUE(rules);
    EXPECT_TRUE(run.all(*rules).empty());
}

TEST(Findings, TheWorstComeFirstThenByTime) {
    FindingRun run;
    for (int rank = 0; rank < 2; ++rank) {
        const auto at = run.thread(rank);
        run.slice(at, 100, 150, "MEASUREMENT OFF");
        run.slice(at, 200, 250, "BUFFER FLUSH");
        run.slice(at, 300, 400, "forward");
    }
    run.issue({"missing_events_file", IssueSeverity::DataLoss, 1, 1, std::nullopt, "A file is missing."});
    std::vector<std::string> ids;
    for (const Finding& finding : run.all())
        ids.push_back(finding.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"data_loss", "measurement_off", "buffer_flush",
                                             "no_communication", "cpu_run"}));
}

TEST(Findings, DataLossIsCountedPerRank) {
    FindingRun run;
    run.slice(run.stream(0), 0, 10, "gemm");
    run.slice(run.stream(1), 0, 10, "gemm");
    run.issue({"missing_events_file", IssueSeverity::DataLoss, 2, 1, "CUDA[0:7]", "Two files."});
    run.issue({"unmatched_leave", IssueSeverity::DataLoss, 3, 1, "a", "Three records."});
    run.issue({"unmatched_leave", IssueSeverity::DataLoss, 4, 1, "b", "Four records."});
    run.issue({"unreadable_archive", IssueSeverity::DataLoss, 1, std::nullopt, std::nullopt, "An archive."});
    run.issue({"odd", IssueSeverity::Warning, 9, 0, std::nullopt, "Only a warning."});
    const auto findings = run.of("data_loss");
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_FALSE(findings[0].rankIndex);
    EXPECT_EQ(count(findings[0], "count"), 1);
    EXPECT_EQ(findings[1].rankIndex, 1u);
    EXPECT_EQ(findings[1].severity, FindingSeverity::Error);
    EXPECT_EQ(count(findings[1], "count"), 9);
    EXPECT_EQ(text(findings[1], "detail"), "Four records.");
    EXPECT_THAT(run.sentence(findings[1]), HasSubstr("(missing_events_file x2, unmatched_leave x7)"));
}

// setting=value of each finding, in order.
std::vector<std::string> settingsOf(FindingRun& run) {
    std::vector<std::string> all;
    for (const Finding& finding : run.of("distorting_settings"))
        all.push_back(text(finding, "setting") + "=" + text(finding, "value"));
    return all;
}

std::vector<std::string> told(const std::map<std::string, std::string>& properties, bool accelerator = true) {
    FindingRun run;
    const auto at = accelerator ? run.stream(0) : run.thread(0);
    run.slice(at, 0, 10, "gemm");
    run.rank(0).properties = properties;
    return settingsOf(run);
}

TEST(Findings, SettingsThatDistort) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "driver,kernel, Sync"}}),
              Lines{"SCOREP_CUDA_ENABLE=driver,kernel, Sync"});
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "'kernel','gpumemusage"}}),
              Lines{"SCOREP_CUDA_ENABLE='kernel','gpumemusage"});
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "yes"}}).size(), 2u) << "both";
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "driver,kernel,kernel_counter,memcpy,references"}}), Lines{});
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "no"}}), Lines{});
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", ""}}), Lines{});
    EXPECT_EQ(told({{"SCOREP_CUDA_ENABLE", "kernel_synchronous"}}), Lines{}) << "only whole words";
    EXPECT_EQ(told({}), Lines{});
    EXPECT_EQ(told({{"SCOREP_TIMER", "tsc"}}), Lines{}) << "one host";
    EXPECT_EQ(told({{"SCOREP_TOTAL_MEMORY", "1M"}}), Lines{}) << "nothing was flushed";
}

TEST(Findings, SizesAreReadAsScorePWritesThem) {
    const auto small = [](const std::string& size) {
        return told({{"SCOREP_CUDA_BUFFER", size}}).size() == 1;
    };
    for (const char* size : {"1M", "67108863", "65535K", "65535 KB", "63m", "0"})
        EXPECT_TRUE(small(size)) << size;
    for (const char* size : {"64M", "67108864", "65536k", "1G", "20000000000000000000G", "16777216T", "",
                             "much", "1X", "-1", "1MM"})
        EXPECT_FALSE(small(size)) << size;
    EXPECT_TRUE(told({{"SCOREP_CUDA_BUFFER", "1M"}}, false).empty()) << "there is no stream";
}

TEST(Findings, ATimerThatHostsDoNotShare) {
    FindingRun run;
    for (int rank = 0; rank < 3; ++rank) {
        run.slice(run.stream(rank), 0, 10, "gemm");
        run.rank(rank).host = rank == 0 ? "node01" : "node02";
        run.rank(rank).properties["SCOREP_TIMER"] = rank == 2 ? "gettimeofday" : "tsc";
    }
    const Finding finding = run.only("distorting_settings");
    EXPECT_EQ(text(finding, "setting"), "SCOREP_TIMER");
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{0, 1}));
    EXPECT_THAT(run.sentence(finding), AllOf(HasSubstr("SCOREP_TIMER=tsc: "), HasSubstr("Ranks: 0, 1.")));
    EXPECT_THAT(report::findingAdvice(run.store(), FindingRules::builtin(), finding),
                HasSubstr("SCOREP_TIMER=gettimeofday"));
}

TEST(Findings, FlushesInStepsOfTheirRank) {
    FindingRun run;
    const auto first = run.thread(0);
    run.slice(first, 50, 100, "BUFFER FLUSH"); // before the steps
    run.slice(first, 150, 170, "BUFFER FLUSH");
    run.slice(first, 290, 320, "trace buffer flush"); // touches two steps
    run.slice(first, 350, 350, "BUFFER FLUSH");
    run.slice(first, 400, 450, "BUFFER FLUSH"); // after them
    const auto second = run.thread(1);
    run.slice(second, 120, 160, "BUFFER FLUSH"); // has no steps
    run.step(0, 100, 200);
    run.step(0, 200, 300);
    run.step(0, 300, 400);
    run.rank(1).properties["SCOREP_TOTAL_MEMORY"] = "16M";
    const Finding finding = run.only("buffer_flush");
    EXPECT_EQ(count(finding, "count"), 3);
    EXPECT_EQ(time(finding, "time"), 20 + 30 + 40);
    EXPECT_EQ(count(finding, "steps"), 3);
    EXPECT_EQ(finding.rankIndex, 1u);
    EXPECT_EQ(finding.window, range(120, 160));
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(settingsOf(run), (std::vector<std::string>{"SCOREP_TOTAL_MEMORY=16M"}));
}

TEST(Findings, OutsideTheStepsAFlushDistortsNothing) {
    FindingRun run;
    const auto at = run.thread(0);
    run.slice(at, 50, 100, "BUFFER FLUSH");
    run.slice(at, 200, 250, "MEASUREMENT OFF");
    run.step(0, 100, 200);
    run.rank(0).properties["SCOREP_TOTAL_MEMORY"] = "16M";
    EXPECT_TRUE(run.of("buffer_flush").empty());
    EXPECT_TRUE(run.of("measurement_off").empty());
    EXPECT_TRUE(settingsOf(run).empty());
}

TEST(Findings, HostThreadsAreTheDeviceOnlyWhereThereIsNoStream) {
    FindingRun cpu;
    cpu.slice(cpu.thread(0), 0, 10, "aten::mm");
    EXPECT_EQ(cpu.of("cpu_run").size(), 1u);
    FindingRun mixed;
    mixed.slice(mixed.thread(0), 0, 10, "aten::mm");
    mixed.slice(mixed.stream(1), 0, 10, "gemm");
    EXPECT_TRUE(mixed.of("cpu_run").empty());
}

TEST(Findings, EmptyRunsAreSafe) {
    FindingRun nothing;
    EXPECT_TRUE(nothing.all().empty());
    FindingRun ranksOnly;
    ranksOnly.rank(1);
    EXPECT_EQ(ranksOnly.all().size(), 1u) << "no_communication";
    FindingRun idle;
    idle.stream(0);
    idle.step(0, 0, 0);
    idle.step(0, 5, 5);
    idle.backward(0, 0, 5);
    EXPECT_TRUE(idle.all().empty());
    FindingRun noLength;
    noLength.slice(noLength.stream(0), 5, 5, "gemm");
    noLength.slice(noLength.stream(0, 0, 20), 5, 5, "nccl");
    noLength.step(0, 5, 5);
    EXPECT_TRUE(noLength.all().empty());
}

TEST(Findings, TimesNearTheEndOfTimeAreSafe) {
    constexpr std::int64_t kLate = std::int64_t{1} << 62;
    FindingRun run;
    for (int rank = 0; rank < 3; ++rank)
        for (int device = 0; device < 3; ++device) {
            const auto at = run.stream(rank, device);
            run.slice(at, 0, kLate, "gemm");
            const auto own = run.stream(rank, device, 20);
            run.slice(own, 10, kLate, "nccl");
            const auto idle = run.stream(rank, device, 30);
            run.slice(idle, 0, kLate, "BUFFER FLUSH");
        }
    for (std::size_t rank = 0; rank < 3; ++rank) {
        run.step(rank, 0, 10);
        run.step(rank, 10, kLate);
        run.step(rank, INT64_MIN / 2, INT64_MAX / 2);
    }
    run.backward(0, 0, kLate);
    EXPECT_EQ(run.of("communication_hidden").size(), 1u);
}

std::shared_ptr<const RunAnalysis> analysed(const std::filesystem::path& path) {
    Progress progress;
    auto store = openRun({path}, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? RunAnalysis::of(*store, ClassRules::builtin(), {}) : nullptr;
}

std::set<std::string> idsOf(const RunAnalysis& run) {
    std::set<std::string> ids;
    for (const Finding& finding : findingsOf(run, FindingRules::builtin(), {}))
        ids.insert(finding.id);
    return ids;
}

TEST(Findings, OfAGeneratedSetAreSafeAndStop) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const test::TempFolder folder;
        test::GeneratorOptions options;
        options.seed = seed;
        options.ranks = static_cast<int>(1 << seed);
        options.hosts = 2;
        options.events = 3'000;
        generateOtf2(folder.path(), options);
        const auto run = analysed(folder.path());
        ASSERT_TRUE(run);
        EXPECT_TRUE(idsOf(*run).contains("communication_hidden"));
        std::stop_source stop;
        stop.request_stop();
        EXPECT_TRUE(findingsOf(*run, FindingRules::builtin(), stop.get_token()).empty());
    }
}

TEST(Findings, OfTheRealDdpRun) {
    const auto path = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(path);
    const auto ids = idsOf(*analysed(path));
    EXPECT_TRUE(ids.contains("cpu_run"));
    EXPECT_TRUE(ids.contains("no_communication")) << "its Gloo calls were not recorded";
    EXPECT_FALSE(ids.contains("distorting_settings"));
    EXPECT_FALSE(ids.contains("uncalibrated_clocks")) << "both ranks ran on one host";
    EXPECT_FALSE(ids.contains("data_loss"));
}

TEST(Findings, OfTheRealMi300Run) {
    const auto path = test::sharedPath("data/traces/fastotf2/simple-mi300-example-run");
    DDP_REQUIRE_SHARED(path);
    const auto ids = idsOf(*analysed(path));
    EXPECT_FALSE(ids.contains("cpu_run"));
    EXPECT_FALSE(ids.contains("no_communication"));
}

} // namespace
} // namespace ddp
