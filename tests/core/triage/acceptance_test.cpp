// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/triage/run_builder.h"

#include <gmock/gmock.h>

namespace ddp::triage {
namespace {

using namespace ddp::test;
using namespace ddp::records;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Acceptance, AHealthyGpuRunPasses) {
    const auto report = healthyGpuRun().judged();
    EXPECT_EQ(statesOf(report), "yyyyyyy");
    EXPECT_EQ(report.verdict, Verdict::Pass) << report.diagnosis.sentence;
    EXPECT_EQ(report.diagnosis.faultClass, FaultClass::None);
    EXPECT_EQ(report.diagnosis.cause, "");
    EXPECT_EQ(report.node, "node01");
    EXPECT_EQ(report.ranksExpected, 2);
    for (const auto& line : report.acceptance)
        EXPECT_FALSE(line.evidence.empty()) << line.id;
}

TEST(Acceptance, TheLinesAreThoseOfTheProductInItsOrder) {
    std::vector<std::string> ids;
    for (const auto& line : healthyGpuRun().judged().acceptance)
        ids.push_back(line.id);
    EXPECT_THAT(ids,
                ::testing::ElementsAre("ended_cleanly", "no_fatal_error", "all_ranks_trained",
                                       "on_expected_gpu", "ecc_clean", "no_nccl_fault", "no_eager_override"));
}

struct Flip {
    const char* name;
    const char* line;
    Answer state;
    Verdict verdict;
    std::function<void(RunScript&)> change;
};

void PrintTo(const Flip& flip, std::ostream* out) {
    *out << flip.name;
}

class SingleFlip : public ::testing::TestWithParam<Flip> {};

// Each of the seven lines turned by one change of a run that passes: it must not pass any more.
TEST_P(SingleFlip, DoesNotPass) {
    auto run = healthyGpuRun();
    GetParam().change(run);
    const auto report = run.judged();
    EXPECT_EQ(lineOf(report, GetParam().line).state, GetParam().state)
        << lineOf(report, GetParam().line).sentence;
    EXPECT_EQ(report.verdict, GetParam().verdict) << report.diagnosis.sentence;
    EXPECT_FALSE(report.diagnosis.sentence.empty());
}

constexpr auto kNo = Answer::No;
constexpr auto kUnknown = Answer::Unknown;
constexpr auto kFail = Verdict::Fail;
constexpr auto kOpen = Verdict::Inconclusive;

const Flip kFlips[] = {
    {"JobExitCode", "ended_cleanly", kNo, kFail, [](RunScript& r) { r.exitText = "1\n"; }},
    {"NoExitCode", "ended_cleanly", kUnknown, kOpen, [](RunScript& r) { r.exitText.reset(); }},
    {"ExitCodeIsNoNumber", "ended_cleanly", kUnknown, kOpen, [](RunScript& r) { r.exitText = "what\n"; }},
    {"RankExitCode", "ended_cleanly", kNo, kFail, [](RunScript& r) { r.rank(1).end->exitCode = 30; }},
    {"RuntimeErrorInALog", "no_fatal_error", kNo, kFail,
     [](RunScript& r) { r.rank(1).log += "RuntimeError: something\n"; }},
    {"FatalErrorInTheJobsOutput", "no_fatal_error", kNo, kFail,
     [](RunScript& r) { r.jobErr = "0: CUDA error: unspecified launch failure\n"; }},
    {"NoLogs", "no_nccl_fault", kUnknown, kOpen,
     [](RunScript& r) {
         r.rank(0).log.clear();
         r.rank(1).log.clear();
     }},
    {"TooFewParameters", "all_ranks_trained", kNo, kFail,
     [](RunScript& r) {
         for (auto& rank : r.ranks)
             rank.facts = Facts{33, 33};
         for (auto& rank : r.ranks) {
             rank.store = storeOf({33, 33});
             rank.canary = canaryOf({33, 33}, 33);
         }
     }},
    {"NoStep", "all_ranks_trained", kUnknown, kOpen, [](RunScript& r) { r.rank(1).steps.clear(); }},
    {"GradientsNotCompared", "all_ranks_trained", kUnknown, kOpen,
     [](RunScript& r) { r.rank(1).steps[0].gradientsEqual.reset(); }},
    {"LossesDiffer", "all_ranks_trained", kNo, kFail, [](RunScript& r) { r.rank(1).steps[1].loss = 0.74; }},
    {"NoCheck", "all_ranks_trained", kUnknown, kOpen, [](RunScript& r) { r.rank(0).check.reset(); }},
    {"OnTheCpu", "on_expected_gpu", kNo, kFail, [](RunScript& r) { r.rank(1).start.device = "cpu"; }},
    {"SameGpuTwice", "on_expected_gpu", kNo, kFail,
     [](RunScript& r) { r.rank(1).device.uuid = r.rank(0).device.uuid; }},
    {"NoUuid", "on_expected_gpu", kUnknown, kOpen, [](RunScript& r) { r.rank(1).device.uuid.reset(); }},
    {"OnAnotherNode", "on_expected_gpu", kUnknown, kOpen,
     [](RunScript& r) {
         for (auto& rank : r.ranks)
             rank.start.host = "node07";
     }},
    {"EccErrors", "ecc_clean", kNo, kFail, [](RunScript& r) { r.rank(0).device.eccVolatileUncorrected = 1; }},
    {"EccNotMeasurable", "ecc_clean", kUnknown, kOpen,
     [](RunScript& r) { r.rank(0).device.eccVolatileUncorrected.reset(); }},
    {"RemapNotMeasurable", "ecc_clean", kUnknown, kOpen,
     [](RunScript& r) { r.rank(0).device.rowRemapPending.reset(); }},
    {"EccInTheLog", "ecc_clean", kNo, kFail,
     [](RunScript& r) { r.jobOut = "NVRM: Xid (PCI:0000:01:00): 48, pid=1, DBE\n"; }},
    {"NcclWarn", "no_nccl_fault", kNo, kFail,
     [](RunScript& r) {
         r.jobOut = "node01:1:2 [0] alloc.h:112 NCCL WARN Cuda failure 1 'invalid argument'\n";
     }},
    {"NcclSilent", "no_nccl_fault", kUnknown, kOpen,
     [](RunScript& r) { r.rank(0).log.replace(r.rank(0).log.find("NCCL version"), 4, "NOT_"); }},
    {"Eager", "no_eager_override", kNo, kOpen,
     [](RunScript& r) {
         for (auto& rank : r.ranks)
             rank.start.moduleLoading = "EAGER";
     }},
    {"EagerOnOneRank", "no_eager_override", kNo, kOpen,
     [](RunScript& r) { r.rank(1).start.moduleLoading = "EAGER"; }},
};

INSTANTIATE_TEST_SUITE_P(Acceptance, SingleFlip, ::testing::ValuesIn(kFlips),
                         [](const auto& flip) { return std::string(flip.param.name); });

TEST(Acceptance, AHarmlessWarnOfNcclDoesNotStandInTheWay) {
    auto run = healthyGpuRun();
    run.jobOut =
        "node01:1:2 [0] init.cc:401 NCCL WARN NCCL_WORK_FIFO_DEPTH=1000 is being ignored because it is not a "
        "power of 2.\n[rank0]:[W819 19:29:00.8 ProcessGroupNCCL.cpp:1168] Warning: WARNING: process group "
        "has "
        "NOT been destroyed before we destruct ProcessGroupNCCL.\n";
    EXPECT_EQ(run.judged().verdict, Verdict::Pass);
}

// When all ranks ended well, a connection that closes is only somebody going home first.
TEST(Acceptance, ConsequencesAfterACleanEndDoNotStandInTheWay) {
    auto run = healthyGpuRun();
    run.jobErr = "[rank1]:[W TCPStore.cpp:106] recvValue failed on SocketImpl: Connection reset by peer\n";
    EXPECT_EQ(run.judged().verdict, Verdict::Pass);
}

TEST(Acceptance, AHealthyCpuRunIsInconclusive) {
    const auto report = healthyCpuRun().judged();
    EXPECT_EQ(statesOf(report), "yyyuuuy");
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_EQ(report.diagnosis.cause, "");
    EXPECT_EQ(report.diagnosis.faultClass, FaultClass::None);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("CPU"));
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("scontrol"))));
}

TEST(Acceptance, ARunStartedByHandNeedsNoExitCode) {
    auto run = healthyGpuRun();
    run.exitText.reset();
    run.runJson.clear();
    EXPECT_EQ(statesOf(run.judged()), "yyyyyyy");
    EXPECT_EQ(run.judged().verdict, Verdict::Pass);
}

TEST(Acceptance, ASimulatedRunNeverPasses) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks)
        rank.start.simulate = "lost-collective";
    const auto report = run.judged();
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("simulated"));
}

TEST(Acceptance, AMissingRankNeverPasses) {
    auto run = healthyGpuRun();
    run.ranks.pop_back(); // the records of the other still say that they were two
    const auto report = run.judged();
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_EQ(report.ranksExpected, 2);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 1 left no records"));

    Options four;
    four.ranksExpected = 4;
    const auto fewer = healthyGpuRun().judged(four);
    EXPECT_EQ(fewer.verdict, Verdict::Inconclusive);
    EXPECT_EQ(fewer.ranksExpected, 4);
    EXPECT_THAT(fewer.diagnosis.sentence, HasSubstr("Ranks 2 and 3 left no records"));
}

TEST(Acceptance, TruncatedRecordsNeverPass) {
    const TempFolder folder;
    const auto run = healthyGpuRun();
    run.writeTo(folder);
    const std::string whole = run.ranks[1].recordsText();
    // Cut at every byte of the last record, and at some in the middle.
    for (std::size_t cut = whole.size() - 2; cut > whole.size() - 90; --cut) {
        folder.write("rank-1/records.jsonl", whole.substr(0, cut));
        const auto report = triage({folder.path()}, {});
        ASSERT_TRUE(report);
        EXPECT_NE(report->verdict, Verdict::Pass) << cut;
    }
    for (std::size_t cut = 0; cut < whole.size() - 90; cut += 97) {
        folder.write("rank-1/records.jsonl", whole.substr(0, cut));
        const auto report = triage({folder.path()}, {});
        ASSERT_TRUE(report);
        EXPECT_NE(report->verdict, Verdict::Pass) << cut;
    }
}

TEST(Acceptance, ADamagedRecordStandsInTheWay) {
    const TempFolder folder;
    const auto run = healthyGpuRun();
    run.writeTo(folder);
    folder.write("rank-0/records.jsonl", "{\"schema\":1,\"ki\n" + run.ranks[0].recordsText());
    const auto report = triage({folder.path()}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, Verdict::Inconclusive);
}

} // namespace
} // namespace ddp::triage
