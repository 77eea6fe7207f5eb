// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/composition.h"

#include "core/history/data_folder.h"
#include "remote/cluster/cluster_file.h"
#include "remote/transport/local/local_transport.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <QSysInfo>

namespace ddp::app {

ui::Services makeServices() {
    const auto folder = [](QStandardPaths::StandardLocation location) {
        return std::filesystem::path(QStandardPaths::writableLocation(location).toStdString()) / "ddpscope";
    };
    ui::Services services;
    services.makeLocalTransport = [] { return remote::makeLocalTransport(); };
    services.workerPath =
        (std::filesystem::path(QCoreApplication::applicationDirPath().toStdString()) / "ddpscope-worker")
            .string();
    services.workFolder = folder(QStandardPaths::GenericCacheLocation) / "jobs";
    services.clustersFile = remote::defaultClustersFile();
    services.jobsFile = history::databaseFile();
    services.runsFolder = folder(QStandardPaths::GenericDataLocation) / "runs";
    services.hostName = QSysInfo::machineHostName();
    return services;
}

} // namespace ddp::app
