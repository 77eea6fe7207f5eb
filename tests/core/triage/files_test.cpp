// SPDX-License-Identifier: GPL-3.0-or-later
// Which files are read, how evidence names them, and what can not be judged at all.
#include "core/report/triage_json.h"
#include "tests/core/triage/run_builder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace ddp::triage {
namespace {

using namespace ddp::test;
using ::testing::HasSubstr;

Error errorOf(const std::vector<std::filesystem::path>& paths) {
    const auto report = triage(paths, {});
    EXPECT_FALSE(report);
    return report ? Error{} : report.error();
}

TEST(Files, NothingToJudge) {
    const TempFolder folder;
    EXPECT_EQ(errorOf({}).code, ErrorCode::Usage);
    const auto missing = errorOf({folder.path() / "none"});
    EXPECT_EQ(missing.code, ErrorCode::Unreadable);
    EXPECT_THAT(missing.message, HasSubstr("none does not exist"));
    const auto emptyFolder = errorOf({folder.path()});
    EXPECT_EQ(emptyFolder.code, ErrorCode::Unreadable);
    EXPECT_THAT(emptyFolder.message, HasSubstr("no log and no records"));
    const auto emptyFile = errorOf({folder.write("empty.log", "")});
    EXPECT_EQ(emptyFile.code, ErrorCode::Unreadable);
    EXPECT_THAT(emptyFile.message, HasSubstr("empty"));
}

TEST(Files, ARunThatHardlyBeganIsInconclusiveAndSaysWhy) {
    const TempFolder folder;
    folder.write("run.json", R"({"id":"x","node":"node03","simulate":"none","ranks":2})");
    auto report = triage({folder.path()}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, Verdict::Inconclusive);
    EXPECT_EQ(report->node, "node03");
    EXPECT_EQ(report->ranksExpected, 2);
    EXPECT_EQ(report->diagnosis.cause, "cancelled");

    folder.write("rank-0/records.jsonl", "");
    folder.write("rank-0/worker.log", "");
    report = triage({folder.path()}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, Verdict::Inconclusive);

    folder.write("job.exit", "127\n");
    folder.write("job.err", "sh: 1: /opt/ddpscope-worker: not found\n");
    report = triage({folder.path()}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, Verdict::Fail);
    EXPECT_EQ(report->diagnosis.cause, "job_failed");
    EXPECT_EQ(report->diagnosis.faultClass, FaultClass::Environment);
}

TEST(Files, ANewerSchemaIsAnError) {
    const TempFolder folder;
    healthyGpuRun().writeTo(folder);
    folder.write("rank-1/records.jsonl", "{\"schema\":99,\"kind\":\"start\",\"rank\":1,\"time_ns\":1}\n");
    const auto error = errorOf({folder.path()});
    EXPECT_EQ(error.code, ErrorCode::Unreadable);
    EXPECT_THAT(error.message, HasSubstr("schema 99"));
}

TEST(Files, SeveralRunsAreNotOne) {
    const TempFolder folder;
    const TempFolder other;
    healthyGpuRun().writeTo(folder);
    healthyGpuRun().writeTo(other);
    EXPECT_EQ(errorOf({folder.path(), other.path()}).code, ErrorCode::Usage);
    folder.write("runs/a/run.json", "{}");
    folder.write("runs/b/run.json", "{}");
    EXPECT_THAT(errorOf({folder.path() / "runs"}).message, HasSubstr("holds 2 runs"));
}

TEST(Files, EveryWayToNameARun) {
    const TempFolder folder;
    healthyGpuRun().writeTo(folder);
    const auto states = [](const std::vector<std::filesystem::path>& paths) {
        const auto report = triage(paths, {});
        return report ? statesOf(*report) : report.error().message;
    };
    EXPECT_EQ(states({folder.path()}), "yyyyyyy");
    EXPECT_EQ(states({folder.path().string() + "/"}), "yyyyyyy");
    EXPECT_EQ(states({folder.path() / "rank-0", folder.path() / "rank-1"}), "yyyyyyy");
    EXPECT_EQ(states({folder.path() / "rank-0/records.jsonl", folder.path() / "rank-1/records.jsonl",
                      folder.path() / "rank-0/worker.log", folder.path() / "rank-1/worker.log",
                      folder.path() / "job.exit"}),
              "yyyyyyy");
    EXPECT_EQ(states({folder.path() / "rank-0"}), "uuuuuuu");
}

TEST(Files, EvidenceIsNamedFromTheRunFolder) {
    auto run = healthyGpuRun();
    run.jobErr = "one\ntwo\nCUDA error: device-side assert triggered\n";
    const auto report = run.judged();
    ASSERT_FALSE(report.indicators.empty());
    EXPECT_EQ(report.indicators[0].first.file, "job.err");
    EXPECT_EQ(report.indicators[0].first.line, 3);
    EXPECT_EQ(lineOf(report, "on_expected_gpu").evidence.at(1).file, "rank-1/records.jsonl");
    EXPECT_EQ(lineOf(report, "on_expected_gpu").evidence.at(1).line, 2);
    EXPECT_THAT(lineOf(report, "on_expected_gpu").evidence.at(1).text, HasSubstr("\"kind\":\"device\""));
}

TEST(Files, TracesAreNotReadAsLogs) {
    const TempFolder folder;
    healthyGpuRun().writeTo(folder);
    folder.write("rank-0/traces.otf2", "RuntimeError: this is no log\n");
    folder.write("rank-0/traces/0.evt", "RuntimeError: this is no log\n");
    // A copy of the worker holds the text of every message.
    const auto program = folder.write("ddpscope-worker", "\x7f"
                                                         "ELF\nRuntimeError: this is no log\n");
    const auto report = triage({folder.path()}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, Verdict::Pass);
    EXPECT_THAT(errorOf({program}).message, HasSubstr("is a program, not a log"));
}

TEST(Files, AStopIsObeyed) {
    const TempFolder folder;
    healthyGpuRun().writeTo(folder);
    std::stop_source stop;
    stop.request_stop();
    const auto report = triage({folder.path()}, {}, stop.get_token());
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
}

TEST(TriageJson, HasTheKeysOfTheContract) {
    auto run = healthyGpuRun();
    run.rank(0).device.eccVolatileUncorrected = 2;
    run.jobErr = "NCCL version 2.18.1\nGer\xE4t: NVRM: Xid (PCI:0000:01:00): 48, DBE\n";
    const auto json = nlohmann::json::parse(report::triageJson(run.judged()).dump());
    EXPECT_EQ(json.at("tool"), "ddpscope");
    EXPECT_EQ(json.at("verb"), "triage");
    EXPECT_EQ(json.at("verdict"), "FAIL");
    EXPECT_EQ(json.at("node"), "node01");
    EXPECT_EQ(json.at("ranks_expected"), 2);
    EXPECT_EQ(json.at("diagnosis").at("class"), "node_fault");
    EXPECT_EQ(json.at("diagnosis").at("cause"), "ecc_uncorrected");
    EXPECT_TRUE(json.at("diagnosis").at("sentence").is_string());
    EXPECT_TRUE(json.at("diagnosis").at("next").is_array());
    ASSERT_EQ(json.at("acceptance").size(), 7U);
    EXPECT_EQ(json.at("acceptance")[4].at("id"), "ecc_clean");
    EXPECT_EQ(json.at("acceptance")[4].at("state"), "no");
    // What people read, the log, comes before the records.
    EXPECT_EQ(json.at("acceptance")[4].at("evidence")[0].at("file"), "job.err");
    EXPECT_EQ(json.at("acceptance")[4].at("evidence")[1].at("file"), "rank-0/records.jsonl");
    EXPECT_EQ(json.at("acceptance")[4].at("evidence")[1].at("line"), 2);
    EXPECT_EQ(json.at("indicators")[0].at("id"), "xid_48");
    EXPECT_EQ(json.at("indicators")[0].at("class"), "node_fault");
    EXPECT_EQ(json.at("indicators")[0].at("secondary"), false);
    EXPECT_EQ(json.at("indicators")[0].at("count"), 1);
    EXPECT_EQ(json.at("indicators")[0].at("first").at("line"), 2);

    const TempFolder folder;
    const auto unknown = triage({folder.write("a.log", "hello\n")}, {});
    ASSERT_TRUE(unknown);
    const auto open = nlohmann::json::parse(report::triageJson(*unknown).dump());
    EXPECT_EQ(open.at("verdict"), "INCONCLUSIVE");
    EXPECT_TRUE(open.at("node").is_null());
    EXPECT_TRUE(open.at("ranks_expected").is_null());
    EXPECT_EQ(open.at("diagnosis").at("class"), "none");
}

} // namespace
} // namespace ddp::triage
