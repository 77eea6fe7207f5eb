// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "core/triage/triage.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ddp::test {

/// What one rank writes in a node check, as text of the worker's own writer functions. Starts as a healthy
/// rank of a GPU check of two ranks on one node; a test changes what it is about.
struct RankScript {
    int rank = 0;
    records::Start start;
    records::Device device;
    std::vector<std::string> stages; ///< entered and left, in order
    std::string openStage;           ///< entered and never left; empty: none
    bool hitsDeadline = false;       ///< the watchdog speaks in openStage
    std::optional<records::Facts> facts;
    std::optional<records::StoreView> store;
    std::optional<records::Canary> canary;
    std::optional<records::DdpCheck> check;
    std::vector<records::Step> steps;
    std::vector<records::ErrorRecord> errors;
    std::optional<records::End> end;
    std::string log;

    std::string recordsText() const {
        using namespace records;
        std::int64_t now = 1'000;
        const auto tick = [&] { return now += 1'000'000; };
        std::string text = toLine(start, rank, tick()) + toLine(device, rank, tick());
        for (const auto& stage : stages) {
            text += toLine(Stage{stage, "begin", ""}, rank, tick());
            if (stage == kStageFactsPublished && facts)
                text += toLine(*facts, rank, tick());
            if (stage == kStageFactsPublished && store)
                text += toLine(*store, rank, tick());
            if (stage == kStageCanary && canary)
                text += toLine(*canary, rank, tick());
            if (stage == kStageDdpCheck && check)
                text += toLine(*check, rank, tick());
            if (stage == kStageTraining)
                for (const auto& step : steps)
                    text += toLine(step, rank, tick());
            if (stage != openStage)
                text += toLine(Stage{stage, "end", ""}, rank, tick());
        }
        if (hitsDeadline) {
            text += toLine(Stage{openStage, "deadline", "it did not end within its deadline of 5.0 s"}, rank,
                           tick());
            text += toLine(
                ErrorRecord{openStage, "stage " + openStage + " did not end within its deadline", "node"},
                rank, tick());
        } else if (!openStage.empty() && !errors.empty()) {
            text += toLine(Stage{openStage, "failed", errors.front().what}, rank, tick());
        }
        for (const auto& error : errors)
            text += toLine(error, rank, tick());
        if (end)
            text += toLine(*end, rank, tick());
        return text;
    }

    /// Stops in `stage`, which stays open; nothing of what comes later was written.
    RankScript& stopIn(const std::string& stage) {
        while (!stages.empty() && stages.back() != stage)
            stages.pop_back();
        openStage = stage;
        end.reset();
        log = log.substr(0, log.find("[rank " + std::to_string(rank) + "] training"));
        return *this;
    }
    /// The worker's own end after an error in the open stage.
    RankScript& fails(const std::string& what, const std::string& faultOf, int exitCode) {
        errors.push_back({openStage, what, faultOf});
        end = records::End{exitCode, 0, "failed in stage " + openStage};
        return *this;
    }
    RankScript& deadline() {
        hitsDeadline = true;
        end = records::End{records::kExitHang, 0, "hang in stage " + openStage};
        return *this;
    }
};

/// A run folder on disk.
struct RunScript {
    std::vector<RankScript> ranks;
    std::optional<std::string> exitText = "0\n"; ///< job.exit; empty: none
    std::string jobOut;
    std::string jobErr;
    std::string runJson;

    RankScript& rank(int number) { return ranks.at(static_cast<std::size_t>(number)); }

    std::filesystem::path writeTo(const TempFolder& folder) const {
        for (const auto& rank : ranks) {
            const std::string base = "rank-" + std::to_string(rank.rank) + "/";
            folder.write(base + records::kRecordsFile, rank.recordsText());
            folder.write(base + records::kLogFile, rank.log);
        }
        if (exitText)
            folder.write("job.exit", *exitText);
        if (!jobOut.empty())
            folder.write("job.out", jobOut);
        if (!jobErr.empty())
            folder.write("job.err", jobErr);
        if (!runJson.empty())
            folder.write("run.json", runJson);
        return folder.path();
    }

    triage::Report judged(triage::Options options = {}) const {
        const TempFolder folder;
        auto report = triage::triage({writeTo(folder)}, options);
        if (!report) {
            ADD_FAILURE() << report.error().message;
            return {};
        }
        return *report;
    }
};

inline records::StoreView storeOf(const std::vector<std::optional<std::int64_t>>& tensors) {
    records::StoreView view;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        view.peers.push_back({static_cast<int>(i), tensors[i], std::string("facts_published")});
    return view;
}

inline records::Canary canaryOf(const std::vector<std::optional<std::int64_t>>& received,
                                std::int64_t expected = 34) {
    records::Canary canary{true, true, {}};
    for (std::size_t i = 0; i < received.size(); ++i)
        canary.gathered.push_back({static_cast<int>(i), expected, received[i], received[i].has_value()});
    return canary;
}

inline RankScript healthyGpuRank(int rank) {
    using namespace records;
    RankScript r;
    r.rank = rank;
    r.start = {2,          rank,    "node01", 4000 + rank,
               "hardware", "none",  "nccl",   "cuda:" + std::to_string(rank),
               "LAZY",     "0.1.0", "2.1.0",  1'700'000'000'000'000'000,
               45};
    r.device = {"NVIDIA A100-SXM4-40GB",
                "GPU-0000000" + std::to_string(rank),
                "535.104.05",
                "12.2",
                0,
                false,
                false,
                ""};
    r.stages = {kStageDeviceFacts,   kStageCudaContext,    kStageRendezvous,   kStageModelBuilt,
                kStageModelOnDevice, kStageFactsPublished, kStageProcessGroup, kStageCanary,
                kStageDdpCheck,      kStageTraining,       kStageDone};
    r.facts = Facts{34, 34};
    r.store = storeOf({34, 34});
    r.canary = canaryOf({34, 34});
    r.check = DdpCheck{"passed", ""};
    r.steps = {Step{0, 0.81, true, true, true}, Step{1, 0.73, true, true, true}};
    r.end = End{0, 2, "passed"};
    const std::string tag = "[rank " + std::to_string(rank) + "] ";
    r.log = "ddpscope-worker 0.1.0\n[rank " + std::to_string(rank) +
            "/2] host=node01  device=cuda:" + std::to_string(rank) +
            "  CUDA_MODULE_LOADING=LAZY  simulate_bug=False\n" +
            (rank == 0 ? "NCCL version 2.18.1+cuda12.2\n" : "") + tag + "local param count before DDP: 34\n" +
            tag + "DDP init succeeded \xE2\x80\x94 34 params\n" + tag +
            "training step OK \xE2\x80\x94 loss=0.7300\n" + tag +
            "done.\nddpscope-end rank=" + std::to_string(rank) + " rc=0 steps=2\n";
    return r;
}

inline RankScript healthyCpuRank(int rank) {
    RankScript r = healthyGpuRank(rank);
    r.start.mode = "healthy";
    r.start.backend = "gloo";
    r.start.device = "cpu";
    r.start.moduleLoading = "unset";
    r.device = {};
    r.device.note = "a run on the CPU; no GPU was looked at";
    r.log = "[rank " + std::to_string(rank) +
            "/2] host=node01  device=cpu  CUDA_MODULE_LOADING=unset  "
            "simulate_bug=False\n[rank " +
            std::to_string(rank) + "] done.\n";
    return r;
}

inline RunScript healthyGpuRun() {
    return {{healthyGpuRank(0), healthyGpuRank(1)}, "0\n", "", "", R"({"id":"a","node":"node01","ranks":2})"};
}

inline RunScript healthyCpuRun() {
    return {{healthyCpuRank(0), healthyCpuRank(1)}, "0\n", "", "", ""};
}

/// The acceptance states in their order, one letter each: y, n or u.
inline std::string statesOf(const triage::Report& report) {
    std::string states;
    for (const auto& line : report.acceptance)
        states += line.state == triage::Answer::Yes ? 'y' : line.state == triage::Answer::No ? 'n' : 'u';
    return states;
}

inline const triage::AcceptanceLine& lineOf(const triage::Report& report, const std::string& id) {
    static const triage::AcceptanceLine kNone;
    for (const auto& line : report.acceptance) {
        if (line.id == id)
            return line;
    }
    ADD_FAILURE() << "no acceptance line " << id;
    return kNone;
}

} // namespace ddp::test
