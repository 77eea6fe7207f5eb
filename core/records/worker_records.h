// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What ddpscope-worker writes and ddpscope reads: one JSON object per line, one file per rank.
// C++17 and the standard library only, so that an old cluster compiler can build the worker with it.
//
// A std::optional without a value is written as null and means "not known", never 0.

#include "core/records/json_line.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ddp::records {

// Where a run folder keeps the files of a rank: DIR/rank-<r>/…
inline constexpr const char* kRankFolderPrefix = "rank-";
inline constexpr const char* kLogFile = "worker.log";
inline constexpr const char* kRecordsFile = "records.jsonl";
inline constexpr const char* kArchiveAnchor = "traces.otf2"; // the anchor file of the rank's OTF2 archive

// The stages of a node check in their order.
inline constexpr const char* kStageDeviceFacts = "device_facts";
inline constexpr const char* kStageCudaContext = "cuda_context";
inline constexpr const char* kStageRendezvous = "rendezvous"; // the TCPStore is reached; no collective yet
inline constexpr const char* kStageModelBuilt = "model_built";
inline constexpr const char* kStageModelOnDevice = "model_on_device";
inline constexpr const char* kStageFactsPublished = "facts_published"; // all ranks' facts read from the store
inline constexpr const char* kStageProcessGroup = "process_group";
inline constexpr const char* kStageCanary = "canary";
inline constexpr const char* kStageDdpCheck = "ddp_check";
inline constexpr const char* kStageTraining = "training";
inline constexpr const char* kStageDone = "done";

/// The faults that a node check can reproduce on any machine.
enum class Simulation { None, MissingModel, LostCollective, Hang };
inline constexpr Simulation kSimulations[] = {Simulation::None, Simulation::MissingModel,
                                              Simulation::LostCollective, Simulation::Hang};

/// As `--simulate` takes it and the records carry it.
constexpr const char* simulationName(Simulation simulation) {
    constexpr const char* names[] = {"none", "missing-model", "lost-collective", "hang"};
    return names[static_cast<int>(simulation)];
}

// Exit codes of the worker.
inline constexpr int kExitPassed = 0;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitUserCode = 20;
inline constexpr int kExitNodeFault = 30;
inline constexpr int kExitHang = 40;

/// kind "start": how this rank was started.
struct Start {
    int worldSize = 0;
    int localRank = 0;
    std::string host;
    std::int64_t pid = 0;
    std::string mode;     // "hardware" | "healthy"
    std::string simulate; // simulationName()
    std::string backend;  // "gloo" | "nccl"
    std::string device;   // "cuda:0" | "cpu"
    std::string
        moduleLoading; // "LAZY" | "EAGER" as the driver reports it, else the variable's text, else "unset"
    std::string workerVersion;
    std::string torchVersion;
    std::int64_t wallTimeNs = 0; // UTC, since the epoch
    double stageDeadlineSeconds = 0;
};

/// kind "device": facts about the GPU of this rank; all empty on a CPU run.
struct Device {
    std::optional<std::string> name;
    std::optional<std::string> uuid;
    std::optional<std::string> driverVersion;
    std::optional<std::string> cudaVersion;
    std::optional<std::int64_t> eccVolatileUncorrected; // empty: not measurable (N/A), which is not 0
    std::optional<bool> rowRemapPending;
    std::optional<bool> rowRemapFailed;
    std::string note; // why something is unknown
};

/// kind "stage": a stage began, ended or failed. A stage without an end is where the rank died or hung.
struct Stage {
    std::string stage;
    std::string state;   // "begin" | "end" | "failed" | "deadline"
    std::string message; // of the failure, else empty
};

/// kind "facts": what this rank published in the TCPStore before any collective.
struct Facts {
    std::int64_t tensors = 0;  // parameter tensors, what libtorch's check counts
    std::int64_t elements = 0; // scalars in them
};

/// kind "store": what this rank read there about every rank, itself included, in rank order.
struct StoreView {
    struct Peer {
        int rank = 0;
        std::optional<std::int64_t> tensors; // empty: the key was still missing at the deadline
        std::optional<std::string> stage;    // the peer's last published stage
    };
    std::vector<Peer> peers;
};

/// kind "canary": an all-gather of each rank's tensor count into buffers that were filled with a sentinel.
struct Canary {
    struct Slot {
        int rank = 0;
        std::optional<std::int64_t> expected; // from the store
        std::optional<std::int64_t> received; // empty: the sentinel is still there, nothing was delivered
        bool intact = false;                  // magic, sender's rank and checksum are right
    };
    bool run = false;           // false: a rank without parameters makes the collective pointless
    bool completed = false;     // the collective said that it was done, before the deadline
    std::vector<Slot> gathered; // "slots" in the line
};

/// kind "ddp_check": libtorch's own verify_params_across_processes on this rank.
struct DdpCheck {
    std::string state;   // "passed" | "raised" | "skipped"
    std::string message; // libtorch's own words, or why it was skipped
};

/// kind "step": one training step.
struct Step {
    std::int64_t step = 0;
    double loss = 0; // mean over the ranks
    bool lossFinite = false;
    std::optional<bool> gradientsEqual;  // over all ranks; empty: could not be compared
    std::optional<bool> parametersEqual; // over all ranks, after the optimizer
};

/// kind "error": a fatal error, once, where it was caught.
struct ErrorRecord {
    std::string stage;
    std::string what;    // the library's own words
    std::string faultOf; // "user_code" | "node" | "peer" (another rank failed first) | "environment"
};

/// kind "end": the end marker. A rank without one did not end by itself.
struct End {
    int exitCode = 0;
    std::int64_t steps = 0;
    std::string reason; // one sentence
};

inline std::string toLine(const Start& r, int rank, std::int64_t timeNs) {
    return Line("start", rank, timeNs)
        .add("world_size", r.worldSize)
        .add("local_rank", r.localRank)
        .add("host", r.host)
        .add("pid", r.pid)
        .add("mode", r.mode)
        .add("simulate", r.simulate)
        .add("backend", r.backend)
        .add("device", r.device)
        .add("module_loading", r.moduleLoading)
        .add("worker_version", r.workerVersion)
        .add("torch_version", r.torchVersion)
        .add("wall_time_ns", r.wallTimeNs)
        .add("stage_deadline_s", r.stageDeadlineSeconds)
        .text();
}

inline std::string toLine(const Device& r, int rank, std::int64_t timeNs) {
    return Line("device", rank, timeNs)
        .add("name", r.name)
        .add("uuid", r.uuid)
        .add("driver_version", r.driverVersion)
        .add("cuda_version", r.cudaVersion)
        .add("ecc_volatile_uncorrected", r.eccVolatileUncorrected)
        .add("row_remap_pending", r.rowRemapPending)
        .add("row_remap_failed", r.rowRemapFailed)
        .add("note", r.note)
        .text();
}

inline std::string toLine(const Stage& r, int rank, std::int64_t timeNs) {
    return Line("stage", rank, timeNs)
        .add("stage", r.stage)
        .add("state", r.state)
        .add("message", r.message)
        .text();
}

inline std::string toLine(const Facts& r, int rank, std::int64_t timeNs) {
    return Line("facts", rank, timeNs).add("tensors", r.tensors).add("elements", r.elements).text();
}

inline std::string toLine(const StoreView& r, int rank, std::int64_t timeNs) {
    std::string peers = "[";
    for (const auto& peer : r.peers) {
        peers += (peers.size() > 1 ? ",{" : "{");
        peers += "\"rank\":" + std::to_string(peer.rank);
        peers += ",\"tensors\":" + (peer.tensors ? std::to_string(*peer.tensors) : "null");
        peers += ",\"stage\":" + (peer.stage ? Line::quoted(*peer.stage) : "null") + "}";
    }
    return Line("store", rank, timeNs).raw("peers", peers + "]").text();
}

inline std::string toLine(const Canary& r, int rank, std::int64_t timeNs) {
    std::string gathered = "[";
    for (const auto& slot : r.gathered) {
        gathered += (gathered.size() > 1 ? ",{" : "{");
        gathered += "\"rank\":" + std::to_string(slot.rank);
        gathered += ",\"expected\":" + (slot.expected ? std::to_string(*slot.expected) : "null");
        gathered += ",\"received\":" + (slot.received ? std::to_string(*slot.received) : "null");
        gathered += std::string(",\"intact\":") + (slot.intact ? "true" : "false") + "}";
    }
    return Line("canary", rank, timeNs)
        .add("run", r.run)
        .add("completed", r.completed)
        .raw("slots", gathered + "]")
        .text();
}

inline std::string toLine(const DdpCheck& r, int rank, std::int64_t timeNs) {
    return Line("ddp_check", rank, timeNs).add("state", r.state).add("message", r.message).text();
}

inline std::string toLine(const Step& r, int rank, std::int64_t timeNs) {
    return Line("step", rank, timeNs)
        .add("step", r.step)
        .add("loss", r.loss)
        .add("loss_finite", r.lossFinite)
        .add("gradients_equal", r.gradientsEqual)
        .add("parameters_equal", r.parametersEqual)
        .text();
}

inline std::string toLine(const ErrorRecord& r, int rank, std::int64_t timeNs) {
    return Line("error", rank, timeNs)
        .add("stage", r.stage)
        .add("what", r.what)
        .add("fault_of", r.faultOf)
        .text();
}

inline std::string toLine(const End& r, int rank, std::int64_t timeNs) {
    return Line("end", rank, timeNs)
        .add("exit_code", r.exitCode)
        .add("steps", r.steps)
        .add("reason", r.reason)
        .text();
}

} // namespace ddp::records
