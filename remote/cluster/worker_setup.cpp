// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/worker_setup.h"

#include "remote/cluster/cluster_test.h"
#include "remote/cluster/worker_build.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

Result<std::string> upload(const Cluster& cluster, Transport& transport, const fs::path& file,
                           const std::stop_token& stop) {
    std::ifstream in(file, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in.is_open() || in.bad() || content.empty())
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be read: {}.", file.string(),
                                content.empty() && in.is_open() ? "it is empty" : std::strerror(errno)));
    const fs::path folder = cluster.folder / "worker/given";
    if (auto made = transport.makeFolders(folder, stop); !made)
        return forward(made);
    const fs::path worker = folder / "ddpscope-worker";
    if (auto wrote = transport.write(worker, content, true, stop); !wrote)
        return forward(wrote);
    return worker.string();
}

/// What comes last says why; before it there may be the noise of a profile.
std::string_view lastOf(std::string_view text) {
    constexpr std::size_t kShown = 300;
    return text.substr(text.size() - std::min(kShown, text.size()));
}

std::string allOf(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += " " + sentence;
    return text;
}

/// The path of the worker.
Result<std::string> bring(const Cluster& cluster, Transport& transport, const SetupRequest& request,
                          SetupReport& report, const std::stop_token& stop, const SetupObserver& observer) {
    if (request.origin == WorkerOrigin::There)
        return request.file.string();
    if (request.origin == WorkerOrigin::Here) {
        observer("uploading " + request.file.string());
        return upload(cluster, transport, request.file, stop);
    }
    const std::string worker = builtWorkerPath(cluster, report.tools);
    if (!request.anew && askWorkerVersion(cluster, transport, worker, stop))
        return worker;
    if (const auto missing = report.tools.missing(); !missing.empty())
        return fail(
            ErrorCode::Failed,
            fmt::format("The worker can not be built on {}:{} Or give a worker that is there, or one of this "
                        "machine to upload.",
                        transport.host(), allOf(missing)));
    if (auto built = buildWorker(cluster, transport, report.tools, request, stop, observer); !built)
        return forward(built);
    report.built = true;
    return worker;
}

} // namespace

Result<std::string> askWorkerVersion(const Cluster& cluster, Transport& transport, const std::string& worker,
                                     std::stop_token stop) {
    Command command;
    command.shell = afterSetupLines(cluster, shellCommand({"exec", worker, "--version"}));
    command.deadline = std::chrono::seconds(60);
    auto result = transport.run(command, std::move(stop));
    if (!result)
        return forward(result);
    constexpr std::string_view kName = "ddpscope-worker ";
    if (result->exitCode != 0 || !result->out.starts_with(kName))
        return fail(ErrorCode::Failed,
                    fmt::format("The worker {} does not run on {}: {}", worker, transport.host(),
                                printable(lastOf(result->err.empty() ? result->out : result->err))));
    return printable(std::string_view(result->out).substr(kName.size()));
}

Result<SetupReport> setUpWorker(const Cluster& cluster, Transport& transport, const SetupRequest& request,
                                std::stop_token stop, const SetupObserver& observer) {
    if (!cluster.folder.is_absolute())
        return fail(ErrorCode::Usage,
                    fmt::format("The cluster {} was not tested yet; test it first.", cluster.name));
    if (request.origin == WorkerOrigin::There && !request.file.is_absolute())
        return fail(ErrorCode::Usage,
                    fmt::format("{} is no absolute path on the cluster.", request.file.string()));
    SetupReport report;
    observer("looking for what is there");
    auto tools = findWorkerTools(cluster, transport, stop);
    if (!tools)
        return forward(tools);
    report.tools = std::move(*tools);
    auto worker = bring(cluster, transport, request, report, stop, observer);
    if (!worker)
        return forward(worker);
    auto version = askWorkerVersion(cluster, transport, *worker, stop);
    if (!version)
        return forward(version);
    report.worker = std::move(*worker);
    report.version = std::move(*version);
    return report;
}

} // namespace ddp::remote
