// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dlfcn.h>

using namespace ddp::test;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string kRule(70, '=');
const std::string kDdp = "DDP expects same model across all ranks, but ";

std::string banner(int rank, const std::string& text) {
    return kRule + "\n[rank " + std::to_string(rank) + "] *** BUG REPRODUCED ***\n" + text + "\n" + kRule +
           "\n";
}

std::vector<std::string> stagesEnded(const std::filesystem::path& run, int rank) {
    std::vector<std::string> stages;
    for (const auto& stage : recordsOf(run, rank, "stage")) {
        if (stage["state"] == "end")
            stages.push_back(stage["stage"]);
    }
    return stages;
}

} // namespace

TEST(WorkerPoc, HealthyOnGloo) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result = runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--out", run, "--steps", "3"});
    EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr("BUG REPRODUCED")));
    EXPECT_THAT(result.out, HasSubstr("  device=cpu  CUDA_MODULE_LOADING=unset  simulate_bug=False\n"));
    std::vector<double> losses;
    for (const int rank : {0, 1}) {
        const std::string tag = "[rank " + std::to_string(rank);
        EXPECT_THAT(result.out, HasSubstr(tag + "/2] host="));
        EXPECT_THAT(result.out, HasSubstr(tag + "] local param count before DDP: 34\n"));
        EXPECT_THAT(result.out, HasSubstr(tag + "] DDP init succeeded — 34 params\n"));
        EXPECT_THAT(result.out, testing::ContainsRegex("\\[rank " + std::to_string(rank) +
                                                       "\\] training step OK — loss=[0-9]\\.[0-9]{4}\n"));
        EXPECT_THAT(result.out, HasSubstr(tag + "] done.\n"));
        EXPECT_THAT(result.out, HasSubstr("ddpscope-end rank=" + std::to_string(rank) + " rc=0 steps=3\n"));
        EXPECT_EQ(stagesEnded(run, rank),
                  (std::vector<std::string>{"device_facts", "rendezvous", "model_built", "model_on_device",
                                            "facts_published", "process_group", "canary", "ddp_check",
                                            "training", "done"}));
        const auto steps = recordsOf(run, rank, "step");
        ASSERT_EQ(steps.size(), 3U);
        for (const auto& step : steps) {
            EXPECT_EQ(step["gradients_equal"], true);
            EXPECT_EQ(step["parameters_equal"], true);
            losses.push_back(step["loss"]);
        }
        const auto canary = recordsOf(run, rank, "canary").at(0);
        EXPECT_EQ(canary["completed"], true);
        for (const auto& slot : canary["slots"]) {
            EXPECT_EQ(slot["received"], 34);
            EXPECT_EQ(slot["intact"], true);
        }
        EXPECT_EQ(recordsOf(run, rank, "ddp_check").at(0)["state"], "passed");
        EXPECT_EQ(recordsOf(run, rank, "end").at(0)["exit_code"], 0);
        EXPECT_TRUE(recordsOf(run, rank, "error").empty());
        const auto start = recordsOf(run, rank, "start").at(0);
        EXPECT_EQ(start["mode"], "healthy");
        EXPECT_EQ(start["world_size"], 2);
        EXPECT_EQ(start["local_rank"], rank);
    }
    ASSERT_EQ(losses.size(), 6U);
    EXPECT_EQ(std::vector<double>(losses.begin(), losses.begin() + 3),
              std::vector<double>(losses.begin() + 3, losses.end()));
    EXPECT_LT(losses[2], losses[0]) << "SGD on a fixed batch must learn";
}

TEST(WorkerPoc, MissingModelMakesLibtorchRaiseOnRank0) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result = runWorker({"poc", "--simulate", "missing-model", "--spawn", "2", "--out", run});
    EXPECT_EQ(result.exitCode, 20) << result.out << result.err;
    const std::string text = kDdp + "Rank 0 has 34 params, while rank 1 has inconsistent 0 params.";
    EXPECT_THAT(result.out, HasSubstr(banner(0, text)));
    EXPECT_EQ(countOf(result.out, "BUG REPRODUCED"), 1) << "rank 1 raised nothing";
    EXPECT_THAT(result.out, HasSubstr("simulate_bug=True\n"));
    EXPECT_THAT(result.out, HasSubstr("[rank 1] local param count before DDP: 0\n"));
    EXPECT_THAT(result.out, HasSubstr("[rank 1] *** NO MODEL ON THIS RANK ***\n"));
    const auto check = recordsOf(run, 0, "ddp_check").at(0);
    EXPECT_EQ(check["state"], "raised");
    EXPECT_EQ(check["message"], text);
    EXPECT_EQ(recordsOf(run, 1, "ddp_check").at(0)["state"], "skipped");
    for (const int rank : {0, 1}) {
        EXPECT_EQ(recordsOf(run, rank, "canary").at(0)["run"], false);
        const auto peers = recordsOf(run, rank, "store").at(0)["peers"];
        EXPECT_EQ(peers.at(0)["tensors"], 34);
        EXPECT_EQ(peers.at(1)["tensors"], 0);
        EXPECT_EQ(recordsOf(run, rank, "error").at(0)["fault_of"], "user_code");
        EXPECT_EQ(recordsOf(run, rank, "end").at(0)["exit_code"], 20);
    }
}

TEST(WorkerPoc, SimulateBugInTheEnvironmentIsMissingModel) {
    const auto result = runWorker({"poc", "--spawn", "2"}, {{"SIMULATE_BUG", "1"}});
    EXPECT_EQ(result.exitCode, 20) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("Rank 0 has 34 params, while rank 1 has inconsistent 0 params."));
}

TEST(WorkerPoc, MissingModelBlamesTheCodeOnEveryOtherRank) {
    const auto result = runWorker({"poc", "--simulate", "missing-model", "--spawn", "3"});
    EXPECT_EQ(result.exitCode, 20) << result.out << result.err;
    EXPECT_THAT(result.out,
                HasSubstr(kDdp + "Rank 2 has 34 params, while rank 1 has inconsistent 0 params."));
}

TEST(WorkerPoc, LostCollectiveMakesLibtorchRaiseOnBothRanks) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result = runWorker({"poc", "--simulate", "lost-collective", "--spawn", "2", "--out", run});
    EXPECT_EQ(result.exitCode, 30) << result.out << result.err;
    for (const int rank : {0, 1}) {
        const int peer = 1 - rank;
        const std::string text = kDdp + "Rank " + std::to_string(rank) + " has 34 params, while rank " +
                                 std::to_string(peer) + " has inconsistent 0 params.";
        EXPECT_THAT(result.out, HasSubstr(banner(rank, text)));
        EXPECT_EQ(recordsOf(run, rank, "ddp_check").at(0)["message"], text);
        const auto canary = recordsOf(run, rank, "canary").at(0);
        EXPECT_EQ(canary["run"], true);
        EXPECT_EQ(canary["completed"], true);
        const auto slots = canary["slots"];
        EXPECT_EQ(slots.at(static_cast<std::size_t>(rank))["received"], 34);
        EXPECT_EQ(slots.at(static_cast<std::size_t>(rank))["intact"], true);
        EXPECT_TRUE(slots.at(static_cast<std::size_t>(peer))["received"].is_null());
        EXPECT_EQ(slots.at(static_cast<std::size_t>(peer))["expected"], 34);
        EXPECT_EQ(recordsOf(run, rank, "error").at(0)["fault_of"], "node");
    }
}

TEST(WorkerPoc, HangEndsAtTheDeadlineWithItsStage) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker(
        {"poc", "--simulate", "hang", "--spawn", "2", "--stage-deadline", "5", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("does not enter the canary", 30)) << worker.out();
    const double entered = nowSeconds();
    const auto result = worker.finish(30);
    EXPECT_LT(nowSeconds() - entered, 5.0 + 5.0);
    EXPECT_GT(nowSeconds() - entered, 4.0) << "nothing waited";
    EXPECT_EQ(result.exitCode, 40) << result.out << result.err;
    EXPECT_THAT(result.out, Not(HasSubstr("BUG REPRODUCED")));
    EXPECT_TRUE(worker.allGoneWithin(1));
    for (const int rank : {0, 1}) {
        EXPECT_THAT(result.out,
                    HasSubstr(kRule + "\n[rank " + std::to_string(rank) + "] HANG in stage canary after 5."));
        EXPECT_THAT(result.out, HasSubstr("ddpscope-end rank=" + std::to_string(rank) + " rc=40 steps=0\n"));
        const auto last = recordsOf(run, rank, "stage").back();
        EXPECT_EQ(last["stage"], "canary");
        EXPECT_EQ(last["state"], "deadline");
        EXPECT_EQ(recordsOf(run, rank, "end").at(0)["exit_code"], 40);
    }
    EXPECT_EQ(recordsOf(run, 0, "canary").at(0)["completed"], false);
    EXPECT_TRUE(recordsOf(run, 1, "canary").empty());
}

TEST(WorkerPoc, HardwareWithoutAGpuFailsInWords) {
    if (void* driver = dlopen("libcuda.so.1", RTLD_LAZY)) {
        dlclose(driver);
        GTEST_SKIP() << "this machine has an NVIDIA driver";
    }
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result = runWorker({"poc", "--spawn", "2", "--out", run});
    EXPECT_EQ(result.exitCode, 30) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("no NVIDIA driver: libcuda.so.1 not found"));
    EXPECT_THAT(result.out, HasSubstr("device=none"));
    EXPECT_THAT(result.out, Not(HasSubstr("BUG REPRODUCED")));
    EXPECT_THAT(result.out, Not(HasSubstr("param count")));
    EXPECT_EQ(recordsOf(run, 0, "start").at(0)["mode"], "hardware");
    EXPECT_EQ(recordsOf(run, 0, "error").at(0)["fault_of"], "node");
    const auto alone = runWorker({"poc", "--mode", "hardware"});
    EXPECT_EQ(alone.exitCode, 30);
    EXPECT_THAT(alone.err, HasSubstr("no NVIDIA driver"));
}

TEST(WorkerPoc, DeviceFactsOfADriver) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result = runWorker({"poc", "--mode", "hardware", "--spawn", "3", "--out", run},
                                  {{"LD_LIBRARY_PATH", DDP_FAKE_DRIVER_DIR}});
    const auto first = recordsOf(run, 0, "device").at(0);
    EXPECT_EQ(first["name"], "Fake GPU 0");
    EXPECT_EQ(first["cuda_version"], "12.4");
    EXPECT_EQ(first["driver_version"], "550.54.15");
    EXPECT_TRUE(first["ecc_volatile_uncorrected"].is_null()) << "N/A is not 0";
    EXPECT_TRUE(first["row_remap_pending"].is_null());
    EXPECT_THAT(std::string(first["note"]), HasSubstr("N/A"));
    const auto second = recordsOf(run, 1, "device").at(0);
    EXPECT_EQ(second["uuid"], "GPU-abababab-abab-abab-abab-ababababab01");
    EXPECT_EQ(second["ecc_volatile_uncorrected"], 3);
    EXPECT_EQ(second["row_remap_pending"], true);
    EXPECT_EQ(second["row_remap_failed"], false);
    EXPECT_EQ(recordsOf(run, 1, "start").at(0)["module_loading"], "LAZY");
    EXPECT_EQ(recordsOf(run, 1, "start").at(0)["device"], "cuda:1");
    // A GPU is there for ranks 0 and 1, but not for rank 2; that tells more than the worker's missing CUDA.
    EXPECT_THAT(result.out, HasSubstr("local rank 2 has no GPU of its own"));
    EXPECT_EQ(result.exitCode, 30) << result.out << result.err;
}

TEST(WorkerPoc, GpuButNoCudaInTheWorker) {
    const auto result =
        runWorker({"poc", "--mode", "hardware", "--spawn", "2"}, {{"LD_LIBRARY_PATH", DDP_FAKE_DRIVER_DIR}});
    EXPECT_EQ(result.exitCode, 2) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("this worker's libtorch has no CUDA"));
}

TEST(WorkerPoc, DriverThatDoesNotStart) {
    const auto result = runWorker({"poc", "--spawn", "2"},
                                  {{"LD_LIBRARY_PATH", DDP_FAKE_DRIVER_DIR}, {"FAKE_CUDA_INIT", "803"}});
    EXPECT_EQ(result.exitCode, 30) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("cuInit says CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
}
