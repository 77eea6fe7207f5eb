// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the out-of-band table of product.md, and what ends a run otherwise.
#include "tests/core/triage/run_builder.h"

#include <gmock/gmock.h>

namespace ddp::triage {
namespace {

using namespace ddp::test;
using namespace ddp::records;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

#define EXPECT_FAILS(report, expectedCause, expectedClass)                                                   \
    EXPECT_EQ((report).verdict, Verdict::Fail);                                                              \
    EXPECT_EQ((report).diagnosis.cause, expectedCause) << (report).diagnosis.sentence;                       \
    EXPECT_EQ((report).diagnosis.faultClass, expectedClass) << (report).diagnosis.sentence;                  \
    EXPECT_FALSE((report).diagnosis.evidence.empty());                                                       \
    EXPECT_FALSE((report).diagnosis.next.empty())

const char* const kZeroMessage0 = "DDP expects same model across all ranks, but Rank 0 has 34 params, while "
                                  "rank 1 has inconsistent 0 params.";
const char* const kZeroMessage1 = "DDP expects same model across all ranks, but Rank 1 has 34 params, while "
                                  "rank 0 has inconsistent 0 params.";

// As the worker writes it: rank 1 sends the count 0 by hand and ends with its own error.
RunScript missingModel(const char* simulate) {
    RunScript run = simulate == std::string("none") ? healthyGpuRun() : healthyCpuRun();
    for (auto& rank : run.ranks) {
        rank.start.simulate = simulate;
        rank.stopIn(kStageDdpCheck);
        rank.store = storeOf({34, 0});
        rank.canary = Canary{};
    }
    run.rank(1).facts = Facts{0, 0};
    run.rank(0).check = DdpCheck{"raised", kZeroMessage0};
    run.rank(0).fails(kZeroMessage0, "user_code", kExitUserCode);
    run.rank(1).check = DdpCheck{"skipped", "this rank has no parameters"};
    run.rank(1).fails("this rank has no parameters", "user_code", kExitUserCode);
    run.rank(0).log += std::string("[rank 0] *** BUG REPRODUCED ***\n") + kZeroMessage0 + "\n";
    run.exitText = "20\n";
    return run;
}

TEST(Diagnosis, RankWithoutModelSimulated) {
    const auto report = missingModel("missing-model").judged();
    EXPECT_FAILS(report, "rank_without_model", FaultClass::UserCodeFault);
    EXPECT_TRUE(report.simulated);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("simulated"));
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 1"));
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("scontrol"))));
    EXPECT_EQ(report.diagnosis.evidence.front().file, "rank-1/records.jsonl");
    EXPECT_GT(report.diagnosis.evidence.front().line, 0);
}

TEST(Diagnosis, RankWithoutModelOnHardwareIsUserCodeUnlessItsDeviceFailed) {
    auto run = missingModel("none");
    EXPECT_FAILS(run.judged(), "rank_without_model", FaultClass::UserCodeFault);

    run.rank(1).log += "RuntimeError: CUDA error: uncorrectable ECC error encountered\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_without_model", FaultClass::NodeFault);
    EXPECT_THAT(
        report.diagnosis.next,
        Contains("scontrol update nodename=node01 state=drain reason=\"ddpscope: rank_without_model\""));
}

// The error of rank 0 is what rank 1's missing model causes there; it is no device error of rank 1.
TEST(Diagnosis, ErrorOfTheOtherRankDoesNotBlameTheNode) {
    auto run = missingModel("none");
    run.rank(0).errors.front().faultOf = "node";
    EXPECT_FAILS(run.judged(), "rank_without_model", FaultClass::UserCodeFault);
}

TEST(Diagnosis, RankWithoutModelIsSeenInTheStoreAloneToo) {
    auto run = missingModel("none");
    run.ranks.pop_back(); // its folder was lost
    EXPECT_FAILS(run.judged(), "rank_without_model", FaultClass::UserCodeFault);
}

TEST(Diagnosis, ModelsThatDiffer) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks) {
        rank.store = storeOf({34, 33});
        rank.canary = canaryOf({34, 33});
        rank.canary->gathered[1].expected = 33;
        rank.stopIn(kStageDdpCheck);
        rank.check =
            DdpCheck{"raised", rank.rank == 0 ? "DDP expects same model across all ranks, but Rank 0 has 34 "
                                                "params, while rank 1 has inconsistent 33 params."
                                              : "DDP expects same model across all ranks, but Rank 1 has 33 "
                                                "params, while rank 0 has inconsistent 34 params."};
        rank.fails(rank.check->message, "user_code", kExitUserCode);
    }
    run.rank(1).facts = Facts{33, 33};
    run.exitText = "20\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "model_mismatch", FaultClass::UserCodeFault);
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("scontrol"))));
}

TEST(Diagnosis, NothingDelivered) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks) {
        const int peer = 1 - rank.rank;
        rank.canary = canaryOf({34, 34});
        rank.canary->gathered[static_cast<std::size_t>(peer)] = {peer, 34, std::nullopt, false};
        rank.stopIn(kStageDdpCheck);
        rank.check = DdpCheck{"raised", rank.rank == 0 ? kZeroMessage0 : kZeroMessage1};
        rank.fails(rank.check->message, "node", kExitNodeFault);
    }
    run.exitText = "30\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "lost_collective", FaultClass::NodeFault);
    EXPECT_EQ(report.diagnosis.evidence.size(), 2U); // both ranks' views
    EXPECT_THAT(report.diagnosis.next,
                Contains("scontrol update nodename=node01 state=drain reason=\"ddpscope: lost_collective\""));

    for (auto& rank : run.ranks)
        rank.start.simulate = "lost-collective";
    const auto simulated = run.judged();
    EXPECT_FAILS(simulated, "lost_collective", FaultClass::NodeFault);
    EXPECT_THAT(simulated.diagnosis.sentence, HasSubstr("simulated"));
    EXPECT_THAT(simulated.diagnosis.next, Each(Not(HasSubstr("scontrol"))));
}

// The canary came through, and only the all-gather of libtorch's own check did not.
TEST(Diagnosis, NothingDeliveredInTheCheckOnly) {
    auto run = healthyGpuRun();
    run.rank(0).stopIn(kStageDdpCheck);
    run.rank(0).check = DdpCheck{"raised", kZeroMessage0};
    run.rank(0).fails(kZeroMessage0, "node", kExitNodeFault);
    run.exitText = "30\n";
    EXPECT_FAILS(run.judged(), "lost_collective", FaultClass::NodeFault);
}

TEST(Diagnosis, ZeroOrGarbageDelivered) {
    for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{35}, std::int64_t{-7}}) {
        auto run = healthyGpuRun();
        run.rank(0).canary = canaryOf({34, wrong});
        run.rank(0).canary->gathered[1].intact = false;
        EXPECT_FAILS(run.judged(), "corrupt_collective", FaultClass::NodeFault);
    }
    auto run = healthyGpuRun(); // the right number in a damaged payload
    run.rank(1).canary->gathered[0].intact = false;
    EXPECT_FAILS(run.judged(), "corrupt_collective", FaultClass::NodeFault);
}

TEST(Diagnosis, OwnSlotWrong) {
    auto run = healthyGpuRun();
    run.rank(1).canary->gathered[1] = {1, 34, std::nullopt, false};
    run.rank(1).canary->gathered[0] = {0, 34, std::nullopt, false};
    const auto report = run.judged();
    EXPECT_FAILS(report, "local_copy_failed", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 1"));
}

TEST(Diagnosis, RankDiedInAStage) {
    auto run = healthyGpuRun();
    run.rank(1).stopIn(kStageProcessGroup);
    run.rank(0).stopIn(kStageCanary);
    run.rank(0).canary.reset();
    run.rank(0).fails("[pair.cc:598] Connection closed by peer [127.0.0.1]:18058", "peer", kExitNodeFault);
    run.exitText = "30\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_died", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, AllOf(HasSubstr("Rank 1"), HasSubstr("process_group")));
    EXPECT_EQ(lineOf(report, "ended_cleanly").state, Answer::No);
}

// The worker calls a text that it can not place "node"; the rules know it as a consequence.
TEST(Diagnosis, PeerErrorsUnderAnotherNameAreConsequences) {
    auto run = healthyGpuRun();
    run.rank(1).stopIn(kStageTraining);
    run.rank(1).steps.clear();
    run.rank(0).stopIn(kStageTraining);
    run.rank(0).fails("NCCL error in: NCCLUtils.hpp:268, remote process exited or there was a network error",
                      "node", kExitNodeFault);
    run.exitText = "30\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_died", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 1"));
}

TEST(Diagnosis, RankDiedOnTheCpuBlamesNoNode) {
    auto run = healthyCpuRun();
    run.rank(1).stopIn(kStageTraining);
    run.rank(0).stopIn(kStageTraining).fails("Connection closed by peer", "peer", kExitNodeFault);
    run.exitText = "137\n";
    run.jobErr = "ddpscope-worker: rank 1 was ended by signal 9 (Killed)\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_died", FaultClass::Environment);
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("scontrol"))));
}

TEST(Diagnosis, RankHungBeforeTheOthers) {
    auto run = healthyGpuRun();
    run.rank(0).stopIn(kStageFactsPublished);
    run.rank(0).store = storeOf({34, std::nullopt});
    run.rank(0).fails("rank 1 published no facts before the deadline; its last stage was model_on_device",
                      "peer", kExitHang);
    run.rank(1).stopIn(kStageModelOnDevice).deadline();
    run.rank(1).facts.reset();
    run.exitText = "40\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_hung", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence,
                AllOf(HasSubstr("Rank 1"), HasSubstr("model_on_device"), HasSubstr("facts_published")));
}

// Also when the one that hangs never got to write a deadline of its own.
TEST(Diagnosis, RankHungWithoutAWordOfItsOwn) {
    auto run = healthyGpuRun();
    run.rank(1).stopIn(kStageProcessGroup);
    run.rank(0).stopIn(kStageCanary).deadline();
    run.rank(0).canary = Canary{true, false, {{0, 34, std::nullopt, false}, {1, 34, std::nullopt, false}}};
    run.exitText = "40\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_hung", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, AllOf(HasSubstr("Rank 1"), HasSubstr("process_group")));
}

// As --simulate hang does: both are in stage canary, and only rank 0 is in the all-gather.
TEST(Diagnosis, RankHungBesideTheCollective) {
    auto run = healthyCpuRun();
    for (auto& rank : run.ranks) {
        rank.start.simulate = "hang";
        rank.stopIn(kStageCanary).deadline();
        rank.canary.reset();
    }
    run.rank(0).canary = Canary{true, false, {{0, 34, std::nullopt, false}, {1, 34, std::nullopt, false}}};
    run.exitText = "40\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_hung", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence,
                AllOf(HasSubstr("Rank 1"), HasSubstr("canary"), HasSubstr("simulated")));
}

TEST(Diagnosis, EverybodyStuckInTheCollective) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks) {
        rank.stopIn(kStageCanary).deadline();
        rank.canary = Canary{true, false, {{0, 34, std::nullopt, false}, {1, 34, std::nullopt, false}}};
    }
    run.exitText = "40\n";
    EXPECT_FAILS(run.judged(), "lost_collective", FaultClass::NodeFault);
}

// Frozen by SIGSTOP or in the driver: no watchdog speaks, and what ended it in the end left no trace.
TEST(Diagnosis, RankFrozenInTheSameStage) {
    auto run = healthyGpuRun();
    run.rank(0).stopIn(kStageTraining).deadline();
    run.rank(1).stopIn(kStageTraining);
    run.exitText = "40\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "rank_hung", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, AllOf(HasSubstr("Rank 1"), HasSubstr("training")));
}

TEST(Diagnosis, RankWithoutAnyRecord) {
    auto run = healthyGpuRun();
    run.ranks.pop_back();
    run.rank(0).stopIn(kStageFactsPublished);
    run.rank(0).store = storeOf({34, std::nullopt});
    run.rank(0).fails("rank 1 published no facts before the deadline; it never reached the store", "peer",
                      kExitHang);
    run.exitText = "40\n";
    const auto report = run.judged();
    EXPECT_EQ(report.verdict, Verdict::Fail);
    EXPECT_EQ(report.diagnosis.cause, "rank_died");
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 1 left no records"));
}

TEST(Diagnosis, HardwareModeWithoutGpu) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks) {
        rank.start.device = "none";
        rank.device = {};
        rank.stopIn(kStageDeviceFacts);
        rank.fails("no NVIDIA driver: libcuda.so.1 not found; --mode hardware needs a GPU per rank", "node",
                   kExitNodeFault);
    }
    run.exitText = "30\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "no_gpu", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, HasSubstr("libcuda.so.1 not found"));
    EXPECT_EQ(lineOf(report, "on_expected_gpu").state, Answer::No);

    run.jobErr = "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.\n";
    EXPECT_FAILS(run.judged(), "gpu_lost", FaultClass::NodeFault);
}

TEST(Diagnosis, MemoryOfTheGpu) {
    auto run = healthyGpuRun();
    run.rank(1).device.eccVolatileUncorrected = 3;
    EXPECT_FAILS(run.judged(), "ecc_uncorrected", FaultClass::NodeFault);
    run = healthyGpuRun();
    run.rank(1).device.rowRemapFailed = true;
    EXPECT_FAILS(run.judged(), "row_remap_failed", FaultClass::NodeFault);
    run = healthyGpuRun();
    run.rank(0).device.rowRemapPending = true;
    EXPECT_FAILS(run.judged(), "row_remap_pending", FaultClass::NodeFault);
}

TEST(Diagnosis, OwnErrorIsNamedByItsRule) {
    auto run = healthyGpuRun();
    run.rank(1)
        .stopIn(kStageModelOnDevice)
        .fails("CUDA error: uncorrectable ECC error encountered\nmore text", "node", kExitNodeFault);
    run.rank(1).facts.reset();
    run.rank(0)
        .stopIn(kStageFactsPublished)
        .fails("rank 1 published no facts before the deadline", "peer", kExitHang);
    run.rank(0).store = storeOf({34, std::nullopt});
    run.exitText = "30\n";
    const auto report = run.judged();
    EXPECT_FAILS(report, "ecc_uncorrected", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.sentence, AllOf(HasSubstr("Rank 1"), HasSubstr("model_on_device")));
}

TEST(Diagnosis, OwnErrorNobodyKnows) {
    auto run = healthyGpuRun();
    run.rank(1).stopIn(kStageTraining).fails("something new went wrong", "node", kExitNodeFault);
    run.rank(1).steps.clear();
    run.rank(0).stopIn(kStageTraining).fails("Connection closed by peer", "peer", kExitNodeFault);
    run.exitText = "30\n";
    EXPECT_FAILS(run.judged(), "node_error", FaultClass::NodeFault);
    run.rank(1).errors.front().faultOf = "environment";
    EXPECT_FAILS(run.judged(), "environment_error", FaultClass::Environment);
    run.rank(1).errors.front().faultOf = "user_code";
    EXPECT_FAILS(run.judged(), "user_code_error", FaultClass::UserCodeFault);
}

TEST(Diagnosis, TrainingGoesWrong) {
    auto run = healthyGpuRun();
    run.rank(0).steps[1].gradientsEqual = false;
    EXPECT_FAILS(run.judged(), "gradients_differ", FaultClass::NodeFault);
    run = healthyGpuRun();
    run.rank(0).steps[1].parametersEqual = false;
    EXPECT_FAILS(run.judged(), "parameters_differ", FaultClass::NodeFault);
    run = healthyGpuRun();
    run.rank(0).steps[0].lossFinite = false;
    EXPECT_FAILS(run.judged(), "loss_not_finite", FaultClass::NodeFault);
}

TEST(Diagnosis, StoppedByTheUser) {
    // Every rank obeys SIGTERM and says so.
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks) {
        rank.stopIn(kStageTraining);
        rank.end = End{143, 1, "stopped by SIGTERM in stage training"};
    }
    for (const std::optional<std::string>& exitText :
         {std::optional<std::string>("143\n"), std::optional<std::string>()}) {
        run.exitText = exitText;
        const auto report = run.judged();
        EXPECT_EQ(report.verdict, Verdict::Inconclusive);
        EXPECT_EQ(report.diagnosis.cause, "cancelled");
        EXPECT_THAT(statesOf(report), Not(HasSubstr("n")));
    }
    // Killed so hard that nobody could write anything, and no exit code.
    for (auto& rank : run.ranks)
        rank.end.reset();
    EXPECT_EQ(run.judged().verdict, Verdict::Inconclusive);
    EXPECT_EQ(run.judged().diagnosis.cause, "cancelled");
    // One rank still noticed that its peer went away.
    run.rank(1).fails("Connection closed by peer", "peer", kExitNodeFault);
    const auto report = run.judged();
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_EQ(report.diagnosis.cause, "cancelled");
    EXPECT_THAT(statesOf(report), Not(HasSubstr("n")));
}

TEST(Diagnosis, AFailureBeforeTheStopCounts) {
    auto run = healthyGpuRun();
    for (auto& rank : run.ranks)
        rank.stopIn(kStageTraining);
    run.exitText = "143\n";
    run.jobErr = "node01:1234:1301 [1] include/alloc.h:112 NCCL WARN Cuda failure 999 'unknown error'\n";
    EXPECT_FAILS(run.judged(), "cuda_failure", FaultClass::NodeFault);
}

TEST(Diagnosis, SecondarySymptomsNeverDecide) {
    auto run = healthyGpuRun();
    run.rank(1)
        .stopIn(kStageTraining)
        .fails("CUDA error: an illegal memory access was encountered", "node", kExitNodeFault);
    run.rank(1).steps.clear();
    run.rank(0).stopIn(kStageTraining).fails("Connection closed by peer", "peer", kExitNodeFault);
    run.rank(0).log += "[./gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:18058\n";
    run.jobErr = "slurmstepd: error: *** STEP 4711.0 ON node01 CANCELLED AT 2025-06-01T12:00:00 ***\n";
    run.exitText = "143\n";
    EXPECT_FAILS(run.judged(), "cuda_illegal_access", FaultClass::UserCodeFault);
}

TEST(Diagnosis, TheNodeNameIsQuotedOrLeftOut) {
    auto run = healthyGpuRun();
    run.rank(0).device.eccVolatileUncorrected = 1;
    for (auto& rank : run.ranks)
        rank.start.host = "node01; rm -rf /";
    const auto report = run.judged();
    EXPECT_FAILS(report, "ecc_uncorrected", FaultClass::NodeFault);
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("rm -rf"))));
}

TEST(Diagnosis, OnlyTheNodeOfTheCulpritIsProposed) {
    auto run = healthyGpuRun();
    run.rank(1).start.host = "node02";
    run.rank(1).device.eccVolatileUncorrected = 1;
    const auto report = run.judged();
    EXPECT_EQ(report.node, "node01,node02");
    EXPECT_THAT(report.diagnosis.next, Contains(HasSubstr("nodename=node02 ")));
    EXPECT_THAT(report.diagnosis.next, Each(Not(HasSubstr("node01"))));
}

} // namespace
} // namespace ddp::triage
