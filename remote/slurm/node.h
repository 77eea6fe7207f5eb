// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote::slurm {

enum class NodeBase : std::uint8_t { Unknown, Down, Idle, Allocated, Mixed, Error, Future };

/// What Slurm says of a node beside its base state; several at a time.
enum class NodeFlag : std::uint8_t {
    Drain,
    Completing,
    NotResponding,
    Fail,
    Invalid, ///< what slurmd found is less than what is configured, a GPU for example
    Maintenance,
    Reserved,
    Planned,
    Blocked,
    PoweredDown,
    PoweringDown,
    PoweringUp,
    RebootRequested,
    RebootIssued,
    Cloud,
};

struct NodeState {
    NodeBase base = NodeBase::Unknown;
    std::uint32_t flags = 0;         ///< bit n is NodeFlag n
    std::vector<std::string> others; ///< words of Slurm that are not known here

    bool has(NodeFlag flag) const { return flags & (1u << static_cast<unsigned>(flag)); }
    void set(NodeFlag flag) { flags |= 1u << static_cast<unsigned>(flag); }
    bool operator==(const NodeState&) const = default;
};

/// Words of scontrol (`DOWN*+DRAIN`, `IDLE+DRAIN+INVALID_REG`) and of sinfo (`drained*`, `inval`, `mixed-`).
NodeState parseNodeState(std::string_view words);

/// In Slurm's own words: `IDLE+DRAIN`.
std::string nodeStateWords(const NodeState& state);

/// A job that asks for this node by name can start now or when others have ended. False for drained, down,
/// not responding, invalid, under maintenance or reserved, and for a state that is not known.
bool takesJobs(const NodeState& state);

/// A generic resource: gpu, its type where it has one, how many.
struct Gres {
    std::string name;
    std::string type;
    std::uint64_t count = 0;
    bool operator==(const Gres&) const = default;
};

/// `gpu:a100:4(S:0-1),shard:8`
std::vector<Gres> parseGres(std::string_view text);

struct NodeReason {
    std::string text;                 ///< in full
    std::string user;                 ///< who gave it; empty where Slurm does not say
    std::optional<std::int64_t> time; ///< seconds since 1970
    bool operator==(const NodeReason&) const = default;
};

struct Node {
    std::string name;     ///< of the node in Slurm, which need not be the host's
    std::string hostName; ///< as the host calls itself
    std::string address;
    NodeState state;
    std::optional<NodeReason> reason;
    std::vector<Gres> gres;
    std::vector<Gres> gresUsed;
    std::vector<std::string> features; ///< that are there
    std::vector<std::string> activeFeatures;
    std::vector<std::string> partitions;
    std::string slurmVersion; ///< of slurmd; empty while it has not reported
    std::string system;
    int cpus = 0;
    int cpusAllocated = 0;
    std::int64_t memoryMiB = 0;
    std::int64_t memoryAllocatedMiB = 0;
    std::optional<std::int64_t> memoryFreeMiB;
    std::optional<std::int64_t> bootTime; ///< seconds since 1970
    bool operator==(const Node&) const = default;
};

} // namespace ddp::remote::slurm
