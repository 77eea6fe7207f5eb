// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/connect.h"

#include "remote/transport/environment_transport.h"
#include "remote/transport/reconnecting_transport.h"
#include "remote/transport/ssh/ssh_transport.h"
#include "remote/transport/system_ssh/system_ssh.h"

namespace ddp::remote {

Result<std::unique_ptr<Transport>> openCluster(const Cluster& cluster, Questions& questions,
                                               std::stop_token stop, std::function<void(SshStage)> reached) {
    if (auto good = checkCluster(cluster); !good)
        return forward(good);
    SshOptions options;
    options.host = cluster.host;
    options.configFile = cluster.sshConfig;
    options.reached = std::move(reached);
    auto transport = (cluster.systemSsh ? connectSystemSsh : connectSsh)(options, questions, std::move(stop));
    if (!transport || cluster.environment.empty())
        return transport;
    return makeEnvironmentTransport(std::move(*transport), cluster.environment);
}

Result<std::unique_ptr<Transport>> connectCluster(const Cluster& cluster, Questions& questions,
                                                  std::stop_token stop) {
    auto transport = std::make_unique<ReconnectingTransport>(
        cluster.host, [cluster](Questions& asked, std::stop_token stopped) {
            return openCluster(cluster, asked, std::move(stopped));
        });
    if (auto connected = transport->connect(questions, std::move(stop)); !connected)
        return forward(connected);
    return transport;
}

} // namespace ddp::remote
