// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/nodes.h"

#include "app/cli/cluster_json.h"
#include "app/cli/outcome.h"
#include "app/cli/terminal_questions.h"
#include "core/report/envelope.h"
#include "core/report/text_table.h"
#include "remote/cluster/cluster_file.h"
#include "remote/slurm/queue.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace ddp::cli {

namespace {

using remote::slurm::JobRow;
using remote::slurm::Node;

struct Given {
    std::string cluster;
    std::string partition;
    std::string state;
    bool json = false;
    bool batch = false;
};

using JobsOfNodes = std::map<std::string, std::vector<const JobRow*>>;

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

/// One of the words of the state: `drain` finds IDLE+DRAIN. "usable": takes jobs.
bool hasState(const Node& node, const std::string& wanted) {
    if (wanted == "USABLE")
        return takesJobs(node.state);
    const std::string words = "+" + nodeStateWords(node.state) + "+";
    return words.find("+" + wanted + "+") != std::string::npos;
}

bool isWanted(const Node& node, const Given& given) {
    const auto& in = node.partitions;
    return (given.partition.empty() || std::find(in.begin(), in.end(), given.partition) != in.end()) &&
           (given.state.empty() || hasState(node, upper(given.state)));
}

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : ",") + word;
    return list;
}

report::Row rowOf(const Node& node, const std::vector<const JobRow*>& jobs) {
    std::string gres;
    for (const auto& one : node.gres)
        gres += (gres.empty() ? "" : ",") + gresText(one);
    std::string running;
    for (const JobRow* job : jobs)
        running +=
            fmt::format("{}{} {} ({})", running.empty() ? "" : ", ", job->id.number, job->name, job->user);
    return {report::shown(node.name),
            nodeStateWords(node.state),
            report::shown(joined(node.partitions)),
            gres,
            running.empty() ? "" : report::shown(running),
            node.reason ? report::shown(node.reason->text) : ""};
}

void printNodes(const std::vector<Node>& nodes, JobsOfNodes& jobs) {
    std::vector<report::Row> rows{{"node", "state", "partitions", "gres", "jobs", "reason"}};
    for (const Node& node : nodes)
        rows.push_back(rowOf(node, jobs[node.name]));
    fmt::print("{}{} nodes\n", report::table(rows, "llllll"), nodes.size());
}

int run(const Given& given, const std::stop_token& stop) {
    const auto cluster = remote::findCluster(remote::defaultClustersFile(), given.cluster);
    if (!cluster)
        return report(cluster.error());
    const auto transport = connectTo(*cluster, given.batch, stop);
    if (!transport)
        return report(transport.error());
    const auto version = ask(**transport, remote::slurm::versionQuestion(), stop);
    if (!version)
        return report(version.error());
    const remote::slurm::Site site{*version, ""};
    auto nodes = ask(**transport, nodesQuestion(site), stop);
    if (!nodes)
        return report(nodes.error());
    const auto queue = ask(**transport, remote::slurm::runningQueueQuestion(site), stop);
    if (!queue)
        return report(queue.error());
    std::erase_if(*nodes, [&](const Node& node) { return !isWanted(node, given); });
    JobsOfNodes jobs;
    for (const JobRow& job : *queue)
        for (const std::string& node : job.nodes)
            jobs[node].push_back(&job);
    if (!given.json) {
        printNodes(*nodes, jobs);
        return 0;
    }
    auto answer = report::envelope("nodes");
    answer["cluster"] = cluster->name;
    answer["rows"] = nlohmann::ordered_json::array();
    for (const Node& node : *nodes)
        answer["rows"].push_back(nodeJson(node, jobs[node.name]));
    fmt::print("{}", report::jsonText(answer));
    return 0;
}

} // namespace

void addNodes(CLI::App& app, Outcome& outcome) {
    const auto given = std::make_shared<Given>();
    CLI::App* verb = app.add_subcommand("nodes", "The nodes of a cluster: state, reason, GPUs, jobs on them");
    verb->add_option("CLUSTER", given->cluster, "Name of the cluster")->required();
    verb->add_option("--partition", given->partition, "Only nodes of this partition");
    verb->add_option("--state", given->state,
                     "Only nodes with this word in their state, such as drain; or usable");
    verb->add_flag("--json", given->json, "Print one JSON object");
    verb->add_flag("--batch", given->batch,
                   "Ask nothing: fail where a password, a code or a yes would be needed");
    verb->callback([given, &outcome] { outcome.exitCode = run(*given, outcome.stop.get_token()); });
}

} // namespace ddp::cli
