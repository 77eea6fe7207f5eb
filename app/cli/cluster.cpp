// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/cluster.h"

#include "app/cli/cluster_json.h"
#include "app/cli/outcome.h"
#include "app/cli/terminal_questions.h"
#include "core/report/envelope.h"
#include "core/report/text_table.h"
#include "remote/cluster/cluster_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unistd.h>

namespace ddp::cli {

namespace {

using remote::Cluster;
using remote::TestState;

struct Given {
    Cluster cluster;
    std::string folder; // CLI11 wants no folder that is not here
    bool noTest = false;
    bool replace = false;
    bool json = false;
    bool batch = false;
    // Of setup.
    std::string there;
    std::string here;
    bool inJob = false;
    bool anew = false;
    bool findOnly = false;
    double limitMinutes = 60;
};

const char* markOf(TestState state) {
    switch (state) {
    case TestState::Ok:
        return "[ok  ]";
    case TestState::Warning:
        return "[warn]";
    case TestState::Failed:
        return "[FAIL]";
    case TestState::Skipped:
    case TestState::Running:
        break;
    }
    return "[ -- ]";
}

void printStep(const remote::TestStep& step) {
    if (step.state == TestState::Running)
        return;
    fmt::print("{} {:<10} {}\n", markOf(step.state), remote::testStepName(step.id),
               report::shown(step.sentence));
    if (!step.todo.empty())
        fmt::print("{:18}{}\n", "", report::shown(step.todo));
    std::fflush(stdout);
}

/// 0 where jobs can be run; 69 where the cluster can not be reached or used as it is, 130 on the stop.
int exitCodeOf(const remote::ClusterTest& test, const std::stop_token& stop) {
    if (stop.stop_requested())
        return 130;
    if (test.usable())
        return 0;
    return report(asUnreachable(test.failure.value_or(Error{}), stop));
}

/// Tests, keeps what was found, and prints.
int test(const Given& given, const Cluster& cluster, const char* verb, const std::stop_token& stop) {
    const auto questions = makeQuestions(given.batch);
    const auto tested = remote::testCluster(
        cluster, *questions, stop, given.json ? remote::TestObserver() : remote::TestObserver(printStep));
    if (tested.connected && !stop.stop_requested())
        if (const auto stored = remote::storeCluster(remote::defaultClustersFile(), tested.cluster); !stored)
            return report(stored.error());
    if (given.json) {
        auto answer = report::envelope(verb);
        answer["cluster"] = clusterJson(tested.cluster);
        answer.update(testJson(tested));
        fmt::print("{}", report::jsonText(answer));
    }
    return exitCodeOf(tested, stop);
}

int add(Given& given, const std::stop_token& stop) {
    given.cluster.folder = given.folder;
    const auto file = remote::defaultClustersFile();
    const auto added = remote::changeClusters(file, [&](std::vector<Cluster>& clusters) -> Result<void> {
        const auto old = std::find_if(clusters.begin(), clusters.end(),
                                      [&](const Cluster& c) { return c.name == given.cluster.name; });
        if (old != clusters.end() && !given.replace)
            return fail(ErrorCode::Usage,
                        fmt::format("There is a cluster {} already; take another name, or --replace it.",
                                    given.cluster.name));
        if (old == clusters.end())
            clusters.push_back(given.cluster);
        else
            *old = given.cluster;
        return {};
    });
    if (!added)
        return report(added.error());
    if (!given.noTest)
        return test(given, given.cluster, "cluster add", stop);
    if (given.json) {
        auto answer = report::envelope("cluster add");
        answer["cluster"] = clusterJson(given.cluster);
        fmt::print("{}", report::jsonText(answer));
    }
    return 0;
}

int list(const Given& given) {
    const auto clusters = remote::readClusters(remote::defaultClustersFile());
    if (!clusters)
        return report(clusters.error());
    if (given.json) {
        auto answer = report::envelope("cluster list");
        answer["rows"] = nlohmann::ordered_json::array();
        for (const Cluster& cluster : *clusters)
            answer["rows"].push_back(clusterJson(cluster));
        fmt::print("{}", report::jsonText(answer));
        return 0;
    }
    std::vector<report::Row> rows{{"name", "host", "folder", "partition", "worker"}};
    for (const Cluster& c : *clusters)
        rows.push_back({c.name, report::shown(c.host), report::shown(c.folder.string()),
                        c.partition.empty() ? "(default)" : report::shown(c.partition),
                        c.worker.empty() ? "(none)" : report::shown(c.worker)});
    if (rows.size() == 1)
        fmt::print("No cluster yet; add one: ddpscope-cli cluster add NAME --host HOST --folder FOLDER\n");
    else
        fmt::print("{}", report::table(rows, "lllll"));
    return 0;
}

int removeOne(const Given& given) {
    Cluster removed;
    const auto changed = remote::changeClusters(
        remote::defaultClustersFile(), [&](std::vector<Cluster>& clusters) -> Result<void> {
            const auto found = std::find_if(clusters.begin(), clusters.end(),
                                            [&](const Cluster& c) { return c.name == given.cluster.name; });
            if (found == clusters.end())
                return fail(ErrorCode::Usage, fmt::format("There is no cluster {}.", given.cluster.name));
            removed = *found;
            clusters.erase(found);
            return {};
        });
    if (!changed)
        return report(changed.error());
    if (given.json) {
        auto answer = report::envelope("cluster remove");
        answer["cluster"] = clusterJson(removed);
        fmt::print("{}", report::jsonText(answer));
    } else {
        fmt::print("{} is forgotten here; what lies in {} on {} stays there.\n", removed.name,
                   report::shown(removed.folder.string()), report::shown(removed.host));
    }
    return 0;
}

void printTools(const remote::WorkerTools& tools) {
    std::vector<report::Row> rows;
    for (const remote::NamedText& tool : remote::toolTable(tools))
        rows.push_back({tool.name, tool.text.empty() ? "not found" : report::shown(tool.text)});
    fmt::print("{}", report::table(rows, "ll"));
    for (const std::string& sentence : tools.missing())
        fmt::print("missing: {}\n", sentence);
    for (const std::string& sentence : tools.notes())
        fmt::print("note: {}\n", sentence);
}

remote::SetupRequest requestOf(const Given& given) {
    remote::SetupRequest request;
    if (!given.there.empty()) {
        request.origin = remote::WorkerOrigin::There;
        request.file = given.there;
    } else if (!given.here.empty()) {
        request.origin = remote::WorkerOrigin::Here;
        request.file = given.here;
    }
    request.place = given.inJob ? remote::BuildPlace::Job : remote::BuildPlace::LoginNode;
    request.buildLimit = std::chrono::seconds(static_cast<long>(given.limitMinutes * 60));
    request.anew = given.anew;
    return request;
}

void showProgress(const std::string& line) {
    fmt::print(stderr, "{}\n", report::shown(line));
}

int findTools(const Given& given, const Cluster& cluster, remote::Transport& transport,
              const std::stop_token& stop) {
    const auto tools = remote::findWorkerTools(cluster, transport, stop);
    if (!tools)
        return report(tools.error());
    if (given.json) {
        auto answer = report::envelope("cluster setup");
        answer["tools"] = toolsJson(*tools);
        answer["worker"] = nullptr;
        fmt::print("{}", report::jsonText(answer));
    } else {
        printTools(*tools);
    }
    return 0;
}

int setup(const Given& given, const std::stop_token& stop) {
    auto cluster = remote::findCluster(remote::defaultClustersFile(), given.cluster.name);
    if (!cluster)
        return report(cluster.error());
    if (!given.cluster.python.empty())
        cluster->python = given.cluster.python;
    const auto transport = connectTo(*cluster, given.batch, stop);
    if (!transport)
        return report(transport.error());
    if (given.findOnly)
        return findTools(given, *cluster, **transport, stop);
    const bool quiet = given.json && isatty(STDERR_FILENO) == 0;
    const auto done =
        remote::setUpWorker(*cluster, **transport, requestOf(given), stop,
                            quiet ? remote::SetupObserver([](const std::string&) {}) : showProgress);
    if (!done)
        return report(done.error());
    cluster->worker = done->worker;
    if (const auto stored = remote::storeCluster(remote::defaultClustersFile(), *cluster); !stored)
        return report(stored.error());
    if (given.json) {
        auto answer = report::envelope("cluster setup");
        answer["tools"] = toolsJson(done->tools);
        answer["worker"] = done->worker;
        answer["worker_version"] = done->version;
        answer["built"] = done->built;
        fmt::print("{}", report::jsonText(answer));
    } else {
        printTools(done->tools);
        fmt::print("The worker {} of version {} is {}.\n", report::shown(done->worker),
                   report::shown(done->version), done->built ? "built and starts" : "there and starts");
    }
    return 0;
}

/// What every subverb takes.
CLI::App* subverb(CLI::App& verb, const char* name, const char* what, Given& given, bool named) {
    CLI::App* sub = verb.add_subcommand(name, what);
    if (named)
        sub->add_option("NAME", given.cluster.name, "Name of the cluster")->required();
    sub->add_flag("--json", given.json, "Print one JSON object");
    return sub;
}

void addBatch(CLI::App& sub, Given& given) {
    sub.add_flag("--batch", given.batch,
                 "Ask nothing: fail where a password, a code or a yes would be needed");
}

void addAdd(CLI::App& verb, Outcome& outcome) {
    const auto given = std::make_shared<Given>();
    CLI::App* sub = subverb(verb, "add", "Add a cluster and test it", *given, true);
    Cluster& c = given->cluster;
    sub->add_option("--host", c.host, "What you would write after ssh: an alias, a name, or user@name")
        ->required();
    sub->add_option("--folder", given->folder, "Where jobs and the worker go there; all nodes must see it")
        ->required();
    sub->add_option("--partition", c.partition, "Partition for jobs");
    sub->add_option("--account", c.account, "Account for jobs");
    sub->add_option("--setup-line", c.setupLines,
                    "A shell line before the worker runs, such as `module load x`; may be repeated")
        ->allow_extra_args(false);
    sub->add_option("--sbatch-option", c.sbatchOptions,
                    "A further word for sbatch, as --sbatch-option=--qos=debug; may be repeated")
        ->allow_extra_args(false);
    sub->add_option("--worker", c.worker, "ddpscope-worker on the cluster, where it is set up already");
    sub->add_option("--python", c.python, "The Python there whose torch counts");
    sub->add_flag("--system-ssh", c.systemSsh, "Drive the program ssh: for GSSAPI, FIDO keys and the like");
    sub->add_option("--ssh-config", c.sshConfig, "Instead of ~/.ssh/config");
    sub->add_flag("--replace", given->replace, "In place of the one of this name");
    sub->add_flag("--no-test", given->noTest, "Only write it down");
    addBatch(*sub, *given);
    sub->callback([given, &outcome] { outcome.exitCode = add(*given, outcome.stop.get_token()); });
}

void addSetup(CLI::App& verb, Outcome& outcome) {
    const auto given = std::make_shared<Given>();
    CLI::App* sub =
        subverb(verb, "setup",
                "Set up ddpscope-worker on the cluster: built there from the source in this program, or "
                "a given one",
                *given, true);
    auto* there = sub->add_option("--worker", given->there, "Use this one, which is on the cluster");
    auto* here =
        sub->add_option("--upload", given->here, "Use this one of this machine")->check(CLI::ExistingFile);
    there->excludes(here);
    sub->add_flag("--in-job", given->inJob, "Build in a job instead of on the login node");
    sub->add_flag("--anew", given->anew, "Build also when it is there");
    sub->add_option("--limit", given->limitMinutes, "Minutes that the build may take")
        ->check(CLI::Range(1., 1440.))
        ->capture_default_str();
    sub->add_option("--python", given->cluster.python, "The Python there whose torch counts");
    sub->add_flag("--find-only", given->findOnly, "Only show what is there");
    addBatch(*sub, *given);
    sub->callback([given, &outcome] { outcome.exitCode = setup(*given, outcome.stop.get_token()); });
}

int testKnown(const Given& given, const std::stop_token& stop) {
    const auto cluster = remote::findCluster(remote::defaultClustersFile(), given.cluster.name);
    return cluster ? test(given, *cluster, "cluster test", stop) : report(cluster.error());
}

} // namespace

void addCluster(CLI::App& app, Outcome& outcome) {
    CLI::App* verb = app.add_subcommand("cluster", "The clusters that this program knows");
    verb->require_subcommand(1);
    addAdd(*verb, outcome);
    {
        const auto given = std::make_shared<Given>();
        subverb(*verb, "list", "Those that were added", *given, false)->callback([given, &outcome] {
            outcome.exitCode = list(*given);
        });
    }
    {
        const auto given = std::make_shared<Given>();
        CLI::App* sub = subverb(*verb, "test", "Look at all that a job needs, step by step", *given, true);
        addBatch(*sub, *given);
        sub->callback([given, &outcome] { outcome.exitCode = testKnown(*given, outcome.stop.get_token()); });
    }
    addSetup(*verb, outcome);
    {
        const auto given = std::make_shared<Given>();
        subverb(*verb, "remove", "Forget one; nothing is deleted there", *given, true)
            ->callback([given, &outcome] { outcome.exitCode = removeOne(*given); });
    }
}

} // namespace ddp::cli
