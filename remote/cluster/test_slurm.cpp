// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a test that ask Slurm.
#include "remote/cluster/test_trial.h"
#include "remote/slurm/slurm_command.h"
#include "remote/transport/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace ddp::remote {

namespace {

using slurm::Partition;
using slurm::PartitionState;

slurm::Site siteOf(const Trial& trial) {
    return {trial.test.slurmVersion.value_or(slurm::Version{}), ""};
}

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : ", ") + word;
    return list;
}

std::vector<std::string> namesOf(const std::vector<Partition>& partitions) {
    std::vector<std::string> names;
    for (const Partition& partition : partitions)
        if (!partition.hidden)
            names.push_back(partition.name);
    return names;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// The accounts of the user; an error when nobody can tell.
Result<std::vector<std::string>> askAccounts(Trial& trial) {
    const slurm::SlurmCommand command{{"sacctmgr", "--noheader", "--parsable2", "show", "associations",
                                       "user=" + trial.test.user,
                                       "cluster=" + trial.test.slurmConfig->clusterName, "format=account"}};
    auto result = slurm::runSlurm(*trial.transport, command, trial.stop);
    if (!result)
        return forward(result);
    if (result->exitCode != 0)
        return tl::unexpected<Error>(slurm::slurmError(trial.transport->host(), command, *result));
    std::vector<std::string> accounts;
    for (std::size_t begin = 0; begin < result->out.size();) {
        const auto end = std::min(result->out.find('\n', begin), result->out.size());
        std::string account = printable(std::string_view(result->out).substr(begin, end - begin));
        if (!account.empty() && !contains(accounts, account))
            accounts.push_back(std::move(account));
        begin = end + 1;
    }
    return accounts;
}

const Partition* chosenPartition(const Trial& trial) {
    const std::string& name = trial.test.cluster.partition;
    const auto& all = trial.test.partitions;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Partition& partition) {
        return name.empty() ? partition.isDefault : partition.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

Outcome judgeAccount(Trial& trial, const Partition& partition) {
    const std::string& account = trial.test.cluster.account;
    const std::string uses =
        fmt::format("Jobs go to the partition {} ({} nodes)", partition.name, partition.nodes.size());
    if (!account.empty() && !partition.accounts.empty() && !contains(partition.accounts, account))
        return {
            TestState::Failed,
            fmt::format("The partition {} does not take jobs of the account {}.", partition.name, account),
            "It takes: " + joined(partition.accounts) + "."};
    if (!trial.test.slurmConfig->accounting)
        return {TestState::Ok, uses + "; this cluster keeps no accounts."};
    auto accounts = askAccounts(trial);
    if (!accounts)
        return {TestState::Warning,
                fmt::format("{}; the accounts can not be asked for: {}", uses, accounts.error().message)};
    trial.test.accounts = std::move(*accounts);
    if (!account.empty() && !contains(trial.test.accounts, account))
        return {TestState::Failed,
                fmt::format("{} has no account {} on this cluster.", trial.test.user, account),
                trial.test.accounts.empty() ? "Leave the account away, or have yourself added to it."
                                            : "You have: " + joined(trial.test.accounts) + "."};
    return {TestState::Ok,
            fmt::format("{}, account {}.", uses, account.empty() ? "the default one" : account)};
}

/// What no later time and no other node would change.
bool isRefusal(const std::string& said) {
    for (const char* words :
         {"nvalid account", "nvalid partition", "nvalid qos", "nvalid feature", "nvalid generic",
          "ccess/permission denied", "ser's group not permitted", "nvalid time limit", "unrecognized option",
          "nvalid --", "nvalid wckey", "nvalid reservation"})
        if (said.find(words) != std::string::npos)
            return true;
    return false;
}

} // namespace

Outcome testSlurm(Trial& trial) {
    ClusterTest& test = trial.test;
    const auto version = slurm::ask(*trial.transport, slurm::versionQuestion(), trial.stop);
    if (!version)
        return failedBy(
            version.error(),
            "Jobs need sbatch, squeue and scontrol on this host; take the login node of the cluster.");
    test.slurmVersion = *version;
    auto config = slurm::ask(*trial.transport, slurm::configQuestion(siteOf(trial)), trial.stop);
    if (!config)
        return failedBy(config.error(), "Try again when the controller is back.");
    test.slurmConfig = std::move(*config);
    return {TestState::Ok,
            fmt::format("Slurm {}.{:02}.{} of the cluster {} answers; {}.", version->major, version->minor,
                        version->micro, test.slurmConfig->clusterName,
                        test.slurmConfig->accounting
                            ? "it keeps accounts"
                            : "it keeps no accounts, so a job that ended is forgotten after a while")};
}

Outcome testPartition(Trial& trial) {
    auto partitions = slurm::ask(*trial.transport, slurm::partitionsQuestion(siteOf(trial)), trial.stop);
    if (!partitions)
        return failedBy(partitions.error());
    trial.test.partitions = std::move(*partitions);
    const std::string there = "There are: " + joined(namesOf(trial.test.partitions)) + ".";
    const Partition* partition = chosenPartition(trial);
    if (!partition && !trial.test.cluster.partition.empty())
        return {TestState::Failed, fmt::format("There is no partition {}.", trial.test.cluster.partition),
                there};
    if (!partition)
        return {TestState::Failed, "This cluster has no default partition.", "Choose one. " + there};
    if (partition->state != PartitionState::Up)
        return {TestState::Warning,
                fmt::format("The partition {} does not start jobs now (it is not UP).", partition->name),
                there};
    return judgeAccount(trial, *partition);
}

Outcome testSubmit(Trial& trial) {
    slurm::SlurmCommand command{
        {"sbatch", "--test-only", "--nodes=1", "--ntasks=1", "--time=5", "--output=/dev/null"}};
    for (std::string& word : sbatchWords(trial.test.cluster))
        command.words.push_back(std::move(word));
    command.input = "#!/bin/sh\nexit 0\n";
    command.environmentOfJob = true;
    command.deadline = std::chrono::seconds(60);
    const auto result = slurm::runSlurm(*trial.transport, command, trial.stop);
    if (!result)
        return failedBy(result.error());
    if (result->exitCode == 0)
        return {TestState::Ok, "sbatch would take a job."}; // when it says it starts is not to be relied on
    const Error error = slurm::slurmError(trial.transport->host(), command, *result);
    if (isRefusal(result->err) || error.code == ErrorCode::Unreachable)
        return failedBy(error, "Change partition, account or options of the cluster.");
    return {TestState::Warning, fmt::format("sbatch would not take a job now: {}", error.message),
            "Look at the nodes; a job may wait until some of them come back."};
}

} // namespace ddp::remote
