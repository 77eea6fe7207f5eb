// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/nodes.h"

#include "remote/slurm/slurm_text.h"

#include <array>

namespace ddp::remote::slurm {

namespace {

/// `Kill task failed [root@2026-11-30T12:12:53]`: the text may hold brackets too, so the last one counts.
NodeReason parseReason(std::string_view value) {
    const auto open = value.rfind(" [");
    if (open == std::string_view::npos || !value.ends_with(']'))
        return {std::string(value), "", std::nullopt};
    const std::string_view given = value.substr(open + 2, value.size() - open - 3);
    const auto at = given.rfind('@');
    if (at == std::string_view::npos)
        return {std::string(value), "", std::nullopt};
    return {std::string(value.substr(0, open)), std::string(given.substr(0, at)),
            utcTime(given.substr(at + 1))};
}

using Apply = void (*)(std::string_view value, Node& node);

struct Field {
    std::string_view key;
    Apply apply;
};

int smallInteger(std::string_view value) {
    return static_cast<int>(integer(value).value_or(0));
}

// Only the first of a key counts in a block: Reason and Comment come last and may hold anything.
constexpr std::array kFields{
    Field{"NodeName", [](std::string_view value, Node& node) { node.name = value; }},
    Field{"NodeHostName", [](std::string_view value, Node& node) { node.hostName = value; }},
    Field{"NodeAddr", [](std::string_view value, Node& node) { node.address = value; }},
    Field{"State", [](std::string_view value, Node& node) { node.state = parseNodeState(value); }},
    Field{"Reason", [](std::string_view value, Node& node) { node.reason = parseReason(value); }},
    Field{"Gres", [](std::string_view value, Node& node) { node.gres = parseGres(value); }},
    Field{"GresUsed", [](std::string_view value, Node& node) { node.gresUsed = parseGres(value); }},
    Field{"AvailableFeatures",
          [](std::string_view value, Node& node) { node.features = splitList(orNothing(value)); }},
    Field{"ActiveFeatures",
          [](std::string_view value, Node& node) { node.activeFeatures = splitList(orNothing(value)); }},
    Field{"Partitions", [](std::string_view value, Node& node) { node.partitions = splitList(value); }},
    Field{"Version", [](std::string_view value, Node& node) { node.slurmVersion = value; }},
    Field{"OS", [](std::string_view value, Node& node) { node.system = trimmed(value); }},
    Field{"CPUTot", [](std::string_view value, Node& node) { node.cpus = smallInteger(value); }},
    Field{"CPUAlloc", [](std::string_view value, Node& node) { node.cpusAllocated = smallInteger(value); }},
    Field{"RealMemory",
          [](std::string_view value, Node& node) { node.memoryMiB = integer(value).value_or(0); }},
    Field{"AllocMem",
          [](std::string_view value, Node& node) { node.memoryAllocatedMiB = integer(value).value_or(0); }},
    Field{"FreeMem", [](std::string_view value, Node& node) { node.memoryFreeMiB = integer(value); }},
    Field{"BootTime", [](std::string_view value, Node& node) { node.bootTime = utcTime(value); }},
};

} // namespace

Question<std::vector<Node>> nodesTextQuestion(const Site& site) {
    return {forSite(site, {"scontrol", "--all", "--details", "show", "node"}), parseNodesText};
}

Result<std::vector<Node>> parseNodesText(std::string_view out) {
    std::vector<Node> nodes;
    std::uint32_t seen = 0; // bit n: field n of the block
    visitBlocks(out, "NodeName", {"OS", "Reason", "Comment", "Extra"},
                [&](bool starts, std::string_view key, std::string_view value) {
                    if (starts) {
                        nodes.emplace_back();
                        seen = 0;
                    }
                    for (std::size_t i = 0; i < kFields.size(); ++i) {
                        if (kFields[i].key != key)
                            continue;
                        if (!(seen & (1u << i)))
                            kFields[i].apply(value, nodes.back());
                        seen |= 1u << i;
                        return;
                    }
                });
    if (nodes.empty())
        return fail(ErrorCode::Unreadable, "no node is in it.");
    return nodes;
}

} // namespace ddp::remote::slurm
