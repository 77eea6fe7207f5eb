// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/worker_verb.h"

#include "remote/cluster/cluster_test.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <sstream>

namespace ddp::remote {

Result<bool> workerHasVerb(Transport& transport, const Cluster& cluster, const std::string& verb,
                           std::stop_token stop) {
    if (cluster.worker.empty())
        return fail(
            ErrorCode::Usage,
            fmt::format("The cluster {0} has no worker yet: run `ddpscope-cli cluster setup {0}` first.",
                        cluster.name));
    Command command;
    command.shell = afterSetupLines(cluster, "exec " + shellCommand({cluster.worker, "--help"}));
    auto answer = transport.run(command, std::move(stop));
    if (!answer)
        return forward(answer);
    if (answer->exitCode != 0)
        return fail(ErrorCode::Failed, fmt::format("The worker of {}, {}, does not start there: {}",
                                                   cluster.name, cluster.worker, answer->err.substr(0, 500)));
    // The list of its verbs: one a line, each with what it is for.
    std::istringstream lines(answer->out);
    for (std::string line; std::getline(lines, line);) {
        std::string first;
        if (std::istringstream(line) >> first && first == verb && line.starts_with(' '))
            return true;
    }
    return false;
}

} // namespace ddp::remote
