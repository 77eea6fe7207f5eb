// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/cluster_file.h"

#include "remote/transport/local/atomic_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/file.h>
#include <unistd.h>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kFormat = 1;

json toJson(const Cluster& c) {
    return {{"name", c.name},
            {"host", c.host},
            {"folder", c.folder.string()},
            {"partition", c.partition},
            {"account", c.account},
            {"setup_lines", c.setupLines},
            {"sbatch_options", c.sbatchOptions},
            {"worker", c.worker},
            {"python", c.python},
            {"system_ssh", c.systemSsh},
            {"ssh_config", c.sshConfig.string()},
            {"environment", c.environment}};
}

Cluster fromJson(const json& j) {
    Cluster c;
    c.name = j.at("name").get<std::string>();
    c.host = j.at("host").get<std::string>();
    c.folder = j.at("folder").get<std::string>();
    c.partition = j.value("partition", "");
    c.account = j.value("account", "");
    c.setupLines = j.value("setup_lines", std::vector<std::string>());
    c.sbatchOptions = j.value("sbatch_options", std::vector<std::string>());
    c.worker = j.value("worker", "");
    c.python = j.value("python", "");
    c.systemSsh = j.value("system_ssh", false);
    c.sshConfig = j.value("ssh_config", "");
    c.environment = j.value("environment", std::map<std::string, std::string>());
    return c;
}

tl::unexpected<Error> damaged(const fs::path& file, const std::string& reason) {
    return fail(ErrorCode::Unreadable,
                fmt::format("{} can not be used: {} Repair it, or move it away and add the clusters anew.",
                            file.string(), reason));
}

Result<std::vector<Cluster>> parse(const fs::path& file, const std::string& text) {
    std::vector<Cluster> clusters;
    try {
        const json all = json::parse(text);
        if (all.at("format").get<int>() > kFormat)
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} was written by a newer ddpscope; use that one.", file.string()));
        for (const json& one : all.at("clusters"))
            clusters.push_back(fromJson(one));
    } catch (const json::exception& error) {
        return damaged(file, fmt::format("it is not the JSON that is expected ({}).", error.what()));
    }
    std::set<std::string> names;
    for (const Cluster& cluster : clusters) {
        if (const auto good = checkCluster(cluster); !good)
            return damaged(file, good.error().message);
        if (!names.insert(cluster.name).second)
            return damaged(file, fmt::format("the cluster {} is in it twice.", cluster.name));
    }
    return clusters;
}

Result<void> makeFolderOf(const fs::path& file) {
    std::error_code error;
    if (file.has_parent_path())
        fs::create_directories(file.parent_path(), error);
    if (error)
        return unwritable(file.parent_path(), error.message());
    return {};
}

/// Held from its making to its end; the file itself is replaced, so the lock is another one beside it.
class FileLock {
public:
    static Result<FileLock> take(const fs::path& file) {
        if (auto made = makeFolderOf(file); !made)
            return forward(made);
        const std::string name = file.string() + ".lock";
        const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0 || ::flock(fd, LOCK_EX) != 0) {
            auto failed = unwritable(name, std::strerror(errno));
            if (fd >= 0)
                ::close(fd);
            return failed;
        }
        return FileLock(fd);
    }
    ~FileLock() {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    FileLock(FileLock&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileLock& operator=(FileLock&&) = delete;

private:
    explicit FileLock(int fd) : m_fd(fd) {}
    int m_fd;
};

auto named(std::vector<Cluster>& clusters, const std::string& name) {
    return std::find_if(clusters.begin(), clusters.end(), [&](const Cluster& c) { return c.name == name; });
}

} // namespace

fs::path defaultClustersFile() {
    const char* const config = std::getenv("XDG_CONFIG_HOME");
    if (config && fs::path(config).is_absolute()) // a relative one does not count, says the XDG specification
        return fs::path(config) / "ddpscope/clusters.json";
    const char* const home = std::getenv("HOME");
    return fs::path(home ? home : "/") / ".config/ddpscope/clusters.json";
}

Result<std::vector<Cluster>> readClusters(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error) && !error)
        return std::vector<Cluster>();
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in.is_open() || in.bad())
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be read: {}.", file.string(), std::strerror(errno)));
    return parse(file, text);
}

Result<void> writeClusters(const fs::path& file, const std::vector<Cluster>& clusters) {
    json list = json::array();
    for (const Cluster& cluster : clusters) {
        if (auto good = checkCluster(cluster); !good)
            return good;
        list.push_back(toJson(cluster));
    }
    if (auto made = makeFolderOf(file); !made)
        return made;
    // A name from another machine need not be UTF-8.
    const std::string text =
        json{{"format", kFormat}, {"clusters", list}}.dump(2, ' ', false, json::error_handler_t::replace) +
        "\n";
    auto out = AtomicFile::create(file, false);
    if (!out)
        return forward(out);
    if (auto wrote = out->append(text.data(), text.size()); !wrote)
        return wrote;
    return out->commit();
}

Result<void> changeClusters(const fs::path& file,
                            const std::function<Result<void>(std::vector<Cluster>&)>& change) {
    const auto lock = FileLock::take(file);
    if (!lock)
        return tl::unexpected<Error>(lock.error());
    auto clusters = readClusters(file);
    if (!clusters)
        return forward(clusters);
    if (auto changed = change(*clusters); !changed)
        return changed;
    return writeClusters(file, *clusters);
}

Result<void> storeCluster(const fs::path& file, const Cluster& cluster) {
    return changeClusters(file, [&](std::vector<Cluster>& clusters) -> Result<void> {
        const auto old = named(clusters, cluster.name);
        if (old == clusters.end())
            clusters.push_back(cluster);
        else
            *old = cluster;
        return {};
    });
}

Result<Cluster> findCluster(const fs::path& file, const std::string& name) {
    auto clusters = readClusters(file);
    if (!clusters)
        return forward(clusters);
    const auto found = named(*clusters, name);
    if (found != clusters->end())
        return *found;
    std::string names;
    for (const Cluster& cluster : *clusters)
        names += (names.empty() ? "" : ", ") + cluster.name;
    return fail(ErrorCode::Usage,
                names.empty()
                    ? fmt::format("There is no cluster {}, and no other one yet; add it first.", name)
                    : fmt::format("There is no cluster {}; there are: {}.", name, names));
}

} // namespace ddp::remote
