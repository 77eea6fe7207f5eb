// SPDX-License-Identifier: GPL-3.0-or-later
// Logs alone: kinds of lines, the forms they come in, and what they prove.
#include "core/triage/log_text.h"
#include "core/triage/rules.h"
#include "tests/core/triage/run_builder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace ddp::triage {
namespace {

using test::lineOf;
using test::TempFolder;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Report judge(const std::string& log) {
    const TempFolder folder;
    auto report = triage({folder.write("job.log", log)}, {});
    if (!report) {
        ADD_FAILURE() << report.error().message;
        return {};
    }
    return *report;
}

std::vector<std::string> idsOf(const Report& report) {
    std::vector<std::string> ids;
    for (const auto& indicator : report.indicators)
        ids.push_back(indicator.id);
    return ids;
}

TEST(Rules, TheBuiltinFileIsSound) {
    std::ifstream file(std::string(DDP_RESOURCES_DIR) + "/triage_rules.json");
    std::stringstream text;
    text << file.rdbuf();
    const auto rules = RuleSet::parse(text.str());
    ASSERT_TRUE(rules) << rules.error().message;
    EXPECT_EQ(rules->rules().size(), RuleSet::builtin().rules().size());
    EXPECT_GT(rules->rules().size(), 150U);
    const std::vector<std::string> lines = {"",          "ended_cleanly", "no_fatal_error", "on_expected_gpu",
                                            "ecc_clean", "no_nccl_fault"};
    for (const Rule& rule : rules->rules()) {
        EXPECT_THAT(lines, Contains(rule.acceptance)) << rule.id;
        EXPECT_TRUE(rule.indicatorClass == IndicatorClass::Harmless || !rule.says.empty()) << rule.id;
    }
}

TEST(Rules, AWrongFileNamesTheRule) {
    const std::string begin = R"({"rules":[{"id":"bad_one",)";
    for (const char* rest : {R"("class":"bad"}]})", R"("class":"harmless","pattern":"("}]})",
                             R"("class":"harmless","nedles":["x"]}]})"}) {
        const auto rules = RuleSet::parse(begin + rest);
        ASSERT_FALSE(rules);
        EXPECT_THAT(rules.error().message, HasSubstr("bad_one"));
    }
    EXPECT_FALSE(RuleSet::parse("no json"));
}

constexpr const char* kThreeRules = R"json({"rules":[
    {"id":"special","class":"node_fault","needles":["fault"],"pattern":"fault [0-9]+"},
    {"id":"n_{1}","class":"node_fault","needles":["number"],"pattern":"number ([0-9]+)"},
    {"id":"general","class":"harmless","needles":["FAULT"],"unless":["no fault"]}]})json";

TEST(Rules, TheFirstRuleThatFitsWins) {
    const auto rules = RuleSet::parse(kThreeRules);
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->match("a fault 12")->id, "special");
    EXPECT_EQ(rules->match("a Fault here")->id, "general");
    EXPECT_EQ(rules->match("number 79 fault x")->id, "n_79");
    EXPECT_FALSE(rules->match("no fault"));
    EXPECT_FALSE(rules->match("nothing"));
}

TEST(LogText, TakesPrefixesAndColoursAway) {
    const auto plain = [](std::string_view line) { return std::string(withoutPrefixes(line).text); };
    EXPECT_EQ(plain("[rank3]: RuntimeError: x"), "RuntimeError: x");
    EXPECT_EQ(plain("[rank3]:[E Process"), "[E Process");
    EXPECT_EQ(plain("0: RuntimeError: x"), "RuntimeError: x");
    EXPECT_EQ(plain(" 12: [rank3]: x"), "x");
    EXPECT_EQ(plain("[1,2]<stdout>:x"), "x");
    EXPECT_EQ(plain("[default1]:x"), "x");
    EXPECT_EQ(plain("[rank 0] x"), "[rank 0] x");
    EXPECT_EQ(plain("12:34:56 x"), "12:34:56 x");
    EXPECT_EQ(plain("[rank99999999999]: x"), "[rank99999999999]: x");
    EXPECT_EQ(withoutPrefixes("[1,2]<stderr>: x").rank, 2);
    EXPECT_EQ(withoutPrefixes("1: [rank 7/8] host=a").rank, 7);
    EXPECT_EQ(withoutPrefixes("x").rank, std::nullopt);
    std::string buffer;
    EXPECT_EQ(withoutControls("\x1b[1;31mred\x1b[0m\x1b]0;title\a end", buffer), "red end");
    EXPECT_EQ(withoutControls(std::string_view("a\0b\0", 4), buffer), "ab");
    EXPECT_EQ(withoutControls("\x1b", buffer), "");
}

// The same fault in every form in which logs carry it.
TEST(Logs, FormsOfOneLine) {
    const std::string fault = "RuntimeError: CUDA error: uncorrectable ECC error encountered";
    const std::string forms[] = {fault,
                                 "[rank1]: " + fault,
                                 "3: " + fault,
                                 "[1,0]<stderr>:" + fault,
                                 "\x1b[31m" + fault + "\x1b[0m",
                                 "Epoch 1: 10%\rEpoch 1: 20%\r" + fault + "\r",
                                 std::string("\0\0\0", 3) + fault,
                                 std::string(200'000, '.') + " " + fault,
                                 fault + " " + std::string(200'000, '.'),
                                 "Ger\xE4t: " + fault};
    for (const auto& form : forms) {
        const auto report = judge("first line\n" + form + "\nlast line without end");
        EXPECT_EQ(report.verdict, Verdict::Fail);
        EXPECT_EQ(report.diagnosis.cause, "ecc_uncorrected") << form.substr(0, 100);
        ASSERT_FALSE(report.diagnosis.evidence.empty());
        EXPECT_EQ(report.diagnosis.evidence[0].line, 2);
        EXPECT_LE(report.diagnosis.evidence[0].text.size(), 400U);
    }
}

TEST(Logs, ALineThatATerminalBroke) {
    for (const char* log : {"DDP expects same model across all ranks, but Rank 0 has 12 params, while rank 1 "
                            "has inco\nnsistent 0 params.\n",
                            "[rank0]: RuntimeError: DDP expects same model acro\nss all ranks, but Rank 0 "
                            "has 12 params, while rank 1 has inconsistent 0\n params.\n",
                            "DDP expects same model across all ranks, but Rank 0 has\n 12 params, while rank "
                            "1 has inconsistent \n0 params.\n"}) {
        const auto report = judge(log);
        EXPECT_EQ(report.diagnosis.cause, "lost_collective") << log;
        EXPECT_THAT(report.diagnosis.sentence, HasSubstr("Rank 0 reads 0 parameters for rank 1")) << log;
    }
    EXPECT_EQ(judge("DDP expects same model across all ranks, but Rank 0 has 34 params, while rank 1 has "
                    "inconsistent 3\n0 params.\n")
                  .diagnosis.cause,
              "model_mismatch");
}

TEST(Logs, TwoRanksThatSeeZeroAtEachOther) {
    const auto report = judge("[rank1]: RuntimeError: DDP expects same model across all ranks, but Rank 1 "
                              "has 8 params, while rank 0 has inconsistent 0 params.\n"
                              "[rank0]: RuntimeError: DDP expects same model across all ranks, but Rank 0 "
                              "has 8 params, while rank 1 has inconsistent 0 params.\n");
    EXPECT_EQ(report.verdict, Verdict::Fail);
    EXPECT_EQ(report.diagnosis.cause, "lost_collective");
    EXPECT_EQ(report.diagnosis.faultClass, FaultClass::NodeFault);
    EXPECT_EQ(report.diagnosis.evidence.size(), 2U);
    EXPECT_EQ(lineOf(report, "no_fatal_error").state, Answer::No);
}

TEST(Logs, OfTheNodeCheckWithoutItsRecords) {
    const std::string head0 =
        "[rank 0/2] host=node05  device=cuda:0  CUDA_MODULE_LOADING=LAZY  simulate_bug=False\n";
    const std::string head1 =
        "[rank 1/2] host=node05  device=cuda:1  CUDA_MODULE_LOADING=EAGER  simulate_bug=False\n";
    const std::string good =
        "[rank 0] local param count before DDP: 34\n[rank 1] local param count before DDP: 34\n"
        "[rank 0] training step OK \xE2\x80\x94 loss=0.7312\n[rank 1] step 1 OK \xE2\x80\x94 "
        "loss=0.7312\n[rank 0] done.\n[rank 1] done.\n";
    const auto report = judge(head0 + head1 + good);
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_EQ(report.node, "node05");
    EXPECT_EQ(report.ranksExpected, 2);
    EXPECT_EQ(lineOf(report, "no_eager_override").state, Answer::No);
    EXPECT_EQ(lineOf(report, "all_ranks_trained").state, Answer::Unknown);

    const auto failed = judge(head0 + "DDP expects same model across all ranks, but Rank 0 has 34 params, "
                                      "while rank 1 has inconsistent 0 params.\n");
    EXPECT_THAT(failed.diagnosis.next,
                Contains("scontrol update nodename=node05 state=drain reason=\"ddpscope: lost_collective\""));

    // Rank 1 says itself that it has no model: the message of rank 0 is right then.
    const auto empty =
        judge("[rank 0/2] host=a  device=cpu  CUDA_MODULE_LOADING=LAZY  simulate_bug=True\n"
              "[rank 1] local param count before DDP: 0\nDDP expects same model across all ranks, but "
              "Rank 0 has 34 params, while rank 1 has inconsistent 0 params.\n");
    EXPECT_EQ(empty.diagnosis.cause, "rank_without_model");
    EXPECT_EQ(empty.diagnosis.faultClass, FaultClass::UserCodeFault);
    EXPECT_TRUE(empty.simulated);
}

TEST(Logs, TheEarliestSpecificFailureDecides) {
    EXPECT_EQ(judge("Traceback (most recent call last):\nRuntimeError: something\n"
                    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\n"
                    "node01:1:2 [0] alloc.h:112 NCCL WARN Cuda failure 999 'unknown error'\n"
                    "slurmstepd: error: *** STEP 4711.0 ON node01 CANCELLED AT 2025-06-01T12:00:00 ***\n")
                  .diagnosis.cause,
              "cuda_out_of_memory");
    EXPECT_EQ(judge("RuntimeError: something\n").diagnosis.cause, "exception");
}

TEST(Logs, ConsequencesAloneProveNothing) {
    for (const char* log : {"[./gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.1]:5\n",
                            "node01:1:2 [1] misc/socket.cc:484 NCCL WARN socketProgress: Connection closed "
                            "by remote peer b<3>\n",
                            "W0801 torch/distributed/elastic/multiprocessing/api.py:900] Sending process "
                            "33051 closing signal SIGTERM\n",
                            "srun: error: node01: task 1: Exited with exit code 1\n"})
        EXPECT_EQ(judge(log).verdict, Verdict::Inconclusive) << log;
}

TEST(Logs, WhatTheSchedulerDidJudgesNoNode) {
    const auto report =
        judge("slurmstepd: error: *** JOB 12 ON node01 CANCELLED AT 2025-06-01T12:00:00 ***\n");
    EXPECT_EQ(report.verdict, Verdict::Inconclusive);
    EXPECT_EQ(report.diagnosis.faultClass, FaultClass::Scheduler);
    // A check that stood still until its time limit did hang.
    const auto hung = judge("[rank 0/2] host=n  device=cuda:0  CUDA_MODULE_LOADING=LAZY  simulate_bug=False\n"
                            "[rank 0] stage canary\nslurmstepd: error: *** JOB 12 ON node01 CANCELLED AT "
                            "2025-06-01T12:00:00 DUE TO TIME LIMIT ***\n");
    EXPECT_EQ(hung.verdict, Verdict::Fail);
    EXPECT_EQ(hung.diagnosis.cause, "rank_hung");
    EXPECT_THAT(hung.diagnosis.sentence, HasSubstr("canary"));
}

struct Kind {
    const char* text;
    const char* id;
    FaultClass faultClass;
};

// Relatives of the real snippets: the whole kind, not the sample.
TEST(Logs, KindsOfLines) {
    constexpr auto node = FaultClass::NodeFault;
    constexpr auto user = FaultClass::UserCodeFault;
    constexpr auto sched = FaultClass::Scheduler;
    constexpr auto none = FaultClass::None;
    const Kind kinds[] = {
        {"NVRM: Xid (PCI:0000:3b:00): 119, pid=1, Timeout after 6s of waiting for RPC response from GPU0 "
         "GSP!",
         "xid_119", node},
        {"[  12.3] NVRM: Xid (PCI:0000:3b:00): 48, pid='<unknown>', DBE", "xid_48", node},
        {"NVRM: Xid (PCI:0000:3b:00): 43, pid=9, name=python, Ch 00000010", "xid_43", user},
        {"NVRM: Xid (PCI:0000:3b:00): 45, pid=9, Ch 00000010", "xid_45", none},
        {"nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 28 LTSSM Fault Up", "sxid_20034",
         node},
        {"node01:1:2 [0] transport/net_ib.cc:94 NCCL WARN NET/IB : mlx5_0:1 Got async event : port error",
         "nccl_warn_ib_error", node},
        {"node01:1:2 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-x to 9637892 "
         "bytes",
         "nccl_warn_shared_memory", user},
        {"node01:1:2 [0] graph/paths.cc:302 NCCL WARN P2P is disabled between NVLINK connected GPUs 1 and 0.",
         "nccl_warn_nvlink_p2p_disabled", node},
        {"node01:1:2 [0] NCCL INFO group.cc:64 -> 7 [Async thread]", "", none},
        {"node01:1:2 [0] NCCL INFO enqueue.cc:1 -> 5", "nccl_error_trace", user},
        {"RuntimeError: NCCL error in: x.cpp:1, unhandled system error, NCCL version 2.14.3",
         "nccl_unhandled_system_error", node},
        {"RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable", "cuda_busy", node},
        {"RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable", "cuda_busy", node},
        {"RuntimeError: No CUDA GPUs are available", "cuda_no_device", node},
        {"RuntimeError: CUDA error: invalid device ordinal", "cuda_invalid_device_ordinal", user},
        {"RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
         "cuda_driver_too_old", node},
        {"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", "nvsmi_no_driver",
         node},
        {"Unable to determine the device handle for GPU0000:1A:00.0: Unknown Error", "nvsmi_device_handle",
         node},
        {"|   1  NVIDIA A100-SXM4-80GB          On  |   00000000:47:00.0 Off |                   12 |",
         "ecc_volatile_uncorrected", node},
        {"|   1  NVIDIA H100 80GB HBM3          On  |   00000000:47:00.0 Off |                  Off |",
         "ecc_not_supported", none},
        {"slurmstepd: error: *** STEP 1.0 ON n CANCELLED AT 2025-01-01T00:00:00 DUE TO NODE FAILURE, SEE "
         "SLURMCTLD LOG FOR DETAILS ***",
         "slurm_node_failure", node},
        {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=12.0.", "slurm_oom", sched},
        {"sbatch: error: Batch job submission failed: Invalid account or account/partition combination "
         "specified",
         "slurm_submit_rejected", sched},
        {"squeue: error: slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
         "slurm_controller_unreachable", sched},
        {"9|PD|PENDING|QOSMaxJobsPerUserLimit|(QOSMaxJobsPerUserLimit)|N/A|N/A", "slurm_pending_limit",
         sched},
        {"gres/gpu count reported lower than configured (1 < 2)", "slurm_gres_count_low", node},
        {"Kill task failed (JobId=44 StepId=0)", "slurm_drain_kill_task_failed", node},
        {"ImportError: libcudnn.so.8: cannot open shared object file: No such file or directory",
         "worker_library_missing", user},
        {"ModuleNotFoundError: No module named 'torch'", "python_module_missing", user},
        {"OSError: [Errno 28] No space left on device", "disk_full", user},
        {"OSError: [Errno 116] Stale file handle: '/home/x'", "fs_stale_handle", node},
        {"srun: error: node25: task 3: Bus error (core dumped)", "signal_bus", user},
        {"RuntimeError: [../third_party/gloo/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv "
         "operation to complete",
         "gloo_timeout", user},
        {"[W socket.cpp:663] [c10d] The client socket cannot be initialized to connect to [localhost]:29500 "
         "(errno: 97 - Address family not supported by protocol).",
         "c10d_ipv6_warning", none},
        {"RuntimeError: The server socket has failed to listen on any local network address. The server "
         "socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).",
         "c10d_port_in_use", user},
        {"ssh: connect to host node07 port 22: Connection timed out", "ssh_failed", sched},
        {"KeyboardInterrupt", "python_interrupted", sched},
        {"all is well with this warning: error rate 0.01", "", none},
        {"Epoch 3: loss 0.12, lr 1e-3", "", none},
    };
    for (const Kind& kind : kinds) {
        const auto report = judge(std::string(kind.text) + "\n");
        EXPECT_EQ(report.diagnosis.faultClass, kind.faultClass) << kind.text;
        EXPECT_EQ(report.indicators.empty() ? "" : report.indicators.front().id, kind.id) << kind.text;
    }
}

TEST(Logs, EccBlocksOfNvidiaSmi) {
    const std::string old =
        "    Ecc Mode\n        Current : Enabled\n    ECC Errors\n        Volatile\n            Single Bit\n"
        "                Device Memory : 7\n                Total : 7\n            Double Bit\n"
        "                Device Memory : @\n                Total : @\n        Aggregate\n"
        "            Double Bit\n                Total : 9\n    Retired Pages\n"
        "        Pending Page Blacklist : No\n";
    const std::string middle =
        "    ECC Errors\n        Volatile\n            SRAM Correctable : 4\n            SRAM Uncorrectable "
        ": 0\n"
        "            DRAM Correctable : 4\n            DRAM Uncorrectable : @\n        Aggregate\n"
        "            SRAM Uncorrectable : 9\n    Remapped Rows\n        Pending : No\n"
        "        Remapping Failure Occurred : No\n";
    for (const std::string& block : {old, middle}) {
        const auto with = [&](const std::string& value) {
            std::string text = block;
            for (auto at = text.find('@'); at != std::string::npos; at = text.find('@'))
                text.replace(at, 1, value);
            return judge(text);
        };
        const auto clean = with("0");
        EXPECT_THAT(idsOf(clean), Contains("ecc_clean"));
        EXPECT_THAT(idsOf(clean), Contains("ecc_aggregate_uncorrected")); // history: harmless
        EXPECT_EQ(clean.verdict, Verdict::Inconclusive);
        const auto bad = with("2");
        EXPECT_THAT(idsOf(bad), Contains("ecc_volatile_uncorrected"));
        EXPECT_EQ(bad.diagnosis.cause, "ecc_uncorrected");
        EXPECT_EQ(lineOf(bad, "ecc_clean").state, Answer::No);
        EXPECT_THAT(idsOf(with("N/A")), Contains("ecc_not_supported"));
        EXPECT_THAT(idsOf(with("N/A")), Not(Contains("ecc_clean")));
    }
    EXPECT_EQ(
        judge("    Remapped Rows\n        Correctable Error : 0\n        Pending : Yes\n").diagnosis.cause,
        "row_remap_pending");
    EXPECT_EQ(judge("    Remapped Rows\n        Pending : No\n        Remapping Failure Occurred : Yes\n")
                  .diagnosis.cause,
              "row_remap_failed");
}

TEST(Logs, CsvOfNvidiaSmiIsReadByItsHeader) {
    const std::string header =
        "name, ecc.errors.uncorrected.aggregate.total, ecc.errors.uncorrected.volatile.total\n";
    EXPECT_EQ(judge(header + "A100, 5, 0\nA100, 0, 0\n").diagnosis.cause, "");
    EXPECT_EQ(judge(header + "A100, 5, 0\nA100, 0, 1\n").diagnosis.cause, "ecc_uncorrected");
    EXPECT_THAT(idsOf(judge(header + "GTX 1080, [N/A], [N/A]\n")), Contains("ecc_not_supported"));
    EXPECT_EQ(judge("remapped_rows.pending, remapped_rows.failure\n0, 1\n").diagnosis.cause,
              "row_remap_failed");
}

TEST(Logs, TablesOfSacct) {
    const auto report =
        judge("JobID           JobName      State ExitCode \n------------ ---------- ---------- -------- \n"
              "31               check  COMPLETED      0:0 \n31.batch         batch  COMPLETED      0:0 \n"
              "31.0            worker     FAILED      1:0 \n");
    EXPECT_EQ(report.indicators.at(0).id, "sacct_step_failed");
    EXPECT_EQ(
        judge("JobID|State|ExitCode\n31|CANCELLED by 1001|0:0\n31.0|CANCELLED|0:15\n").indicators.at(0).id,
        "slurm_cancelled");
    EXPECT_TRUE(judge("JobID|State|ExitCode\n31|COMPLETED|0:0\n31.0|COMPLETED|0:0\n").indicators.empty());
}

TEST(Logs, CountsAndFirstLine) {
    const auto report = judge("x\nNCCL version 2.18.1\nNCCL version 2.18.1\nNCCL version 2.18.1\n");
    ASSERT_EQ(report.indicators.size(), 1U);
    EXPECT_EQ(report.indicators[0].count, 3);
    EXPECT_EQ(report.indicators[0].first.line, 2);
    EXPECT_EQ(report.indicators[0].indicatorClass, IndicatorClass::Harmless);
}

} // namespace
} // namespace ddp::triage
