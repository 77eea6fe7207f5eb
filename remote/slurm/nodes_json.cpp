// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/nodes.h"

#include "remote/slurm/slurm_json.h"
#include "remote/slurm/slurm_text.h"

namespace ddp::remote::slurm {

namespace {

// From this release on scontrol has --json, and sinfo's lists partitions instead of nodes.
constexpr Version kScontrolJson{23, 2, 0};
constexpr Version kSinfoJson{22, 5, 0};

NodeState stateOf(const JsonObject& object) {
    std::string words = jsonText(object, "state");
    // Before 23.02 the flags stand apart.
    if (const std::string flags = jsonText(object, "state_flags"); !flags.empty())
        words += "+" + flags;
    return parseNodeState(words);
}

std::optional<NodeReason> reasonOf(const JsonObject& object) {
    NodeReason reason{jsonText(object, "reason"), jsonText(object, "reason_set_by_user"),
                      jsonTime(object, "reason_changed_at")};
    if (reason.text.empty())
        return std::nullopt;
    return reason;
}

Node nodeOf(const JsonObject& object) {
    Node node;
    node.name = jsonText(object, "name");
    node.hostName = jsonText(object, "hostname");
    node.address = jsonText(object, "address");
    node.state = stateOf(object);
    node.reason = reasonOf(object);
    node.gres = parseGres(jsonText(object, "gres"));
    node.gresUsed = parseGres(jsonText(object, "gres_used"));
    node.features = jsonWords(object, "features");
    node.activeFeatures = jsonWords(object, "active_features");
    node.partitions = jsonWords(object, "partitions");
    node.slurmVersion = jsonText(object, "version");
    if (node.slurmVersion.empty())
        node.slurmVersion = jsonText(object, "slurmd_version");
    node.system = jsonText(object, "operating_system");
    node.cpus = static_cast<int>(jsonNumber(object, "cpus").value_or(0));
    node.cpusAllocated = static_cast<int>(jsonNumber(object, "alloc_cpus").value_or(0));
    node.memoryMiB = jsonNumber(object, "real_memory").value_or(0);
    node.memoryAllocatedMiB = jsonNumber(object, "alloc_memory").value_or(0);
    node.memoryFreeMiB = jsonNumber(object, "free_mem");
    if (!node.memoryFreeMiB)
        node.memoryFreeMiB = jsonNumber(object, "free_memory");
    // A slurmd that has not reported has "not known" as a number near the largest one.
    if (node.memoryFreeMiB && (*node.memoryFreeMiB < 0 || *node.memoryFreeMiB >= 0xfffffffe))
        node.memoryFreeMiB.reset();
    node.bootTime = jsonTime(object, "boot_time");
    return node;
}

} // namespace

Question<std::vector<Node>> nodesQuestion(const Site& site) {
    if (site.version >= kScontrolJson)
        return {forSite(site, {"scontrol", "--all", "--json", "show", "node"}), parseNodesJson};
    if (site.version >= kSinfoJson)
        return {forSite(site, {"sinfo", "--all", "--json"}), parseNodesJson};
    return nodesTextQuestion(site);
}

Result<std::vector<Node>> parseNodesJson(std::string_view out) {
    JsonAnswer answer;
    auto list = answer.open(out, "nodes");
    if (!list)
        return forward(list);
    std::vector<Node> nodes;
    nodes.reserve(list->size());
    for (const simdjson::dom::element element : *list) {
        JsonObject object;
        if (element.get(object))
            continue;
        Node node = nodeOf(object);
        if (!node.name.empty())
            nodes.push_back(std::move(node));
    }
    if (nodes.empty())
        return fail(ErrorCode::Unreadable, "no node is in it.");
    return nodes;
}

} // namespace ddp::remote::slurm
