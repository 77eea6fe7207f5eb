// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/connect.h"

#include "remote/transport/reconnecting_transport.h"
#include "remote/transport/ssh/ssh_transport.h"

namespace ddp::remote {

SshOptions sshOptionsOf(const Cluster& cluster) {
    SshOptions options;
    options.host = cluster.host;
    options.configFile = cluster.sshConfig;
    options.environment = cluster.environment;
    return options;
}

Result<std::unique_ptr<Transport>> openCluster(const Cluster& cluster, Questions& questions,
                                               std::stop_token stop) {
    if (auto good = checkCluster(cluster); !good)
        return forward(good);
    return connectSsh(sshOptionsOf(cluster), questions, std::move(stop));
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
