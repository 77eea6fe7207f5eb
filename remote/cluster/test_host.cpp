// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a test that look at the machine: shell, folder, worker, clock.
#include "remote/cluster/test_trial.h"
#include "remote/cluster/worker_setup.h"
#include "remote/transport/environment_transport.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;
using Values = std::map<std::string, std::string>;

/// What only a login shell may know, and Slurm's commands need.
constexpr const char* kVariables[] = {"PATH", "LD_LIBRARY_PATH", "SLURM_CONF"};

/// Lines NAME=VALUE; of several of a name the first counts.
Values parseValues(std::string_view text) {
    Values values;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const auto equals = line.find('='); equals != std::string_view::npos)
            values.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    return values;
}

std::string valueOf(const Values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? "" : found->second;
}

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The variables as the user's login shell sets them. It reads its commands from standard input, since csh
/// takes no -c beside -l; the line is one that all shells read alike.
std::string loginShellProbe(const std::string& loginShell) {
    return fmt::format(
        "printf '%s\\n' \"exec /bin/sh -c 'echo; echo ddpscope-login; env'\" | timeout 20 {} -l "
        "2>/dev/null",
        shellQuote(loginShell));
}

Values loginVariables(Trial& trial, const Values& plain) {
    Values found;
    if (trial.test.loginShell.empty())
        return found;
    const auto result = runHere(trial, loginShellProbe(trial.test.loginShell));
    constexpr std::string_view kMark = "\nddpscope-login\n";
    const auto at = result ? result->out.find(kMark) : std::string::npos;
    if (at == std::string::npos)
        return found;
    const Values login = parseValues(std::string_view(result->out).substr(at + kMark.size()));
    for (const char* name : kVariables)
        if (const std::string value = valueOf(login, name); !value.empty() && value != valueOf(plain, name))
            found.emplace(name, value);
    return found;
}

bool hasSbatch(Trial& trial) {
    const auto found = runHere(trial, "command -v sbatch");
    return found && found->exitCode == 0;
}

std::string sizeText(std::uint64_t bytes) {
    const double gib = static_cast<double>(bytes) / (1 << 30);
    return gib >= 10 ? fmt::format("{:.0f} GiB", gib) : fmt::format("{:.1f} GiB", gib);
}

enum class Reach { Shared, Local, Unknown };

/// Whether file systems of this kind, as `stat -f` calls them, are those that all nodes mount.
Reach reachOf(std::string_view kind) {
    for (const std::string_view shared : {"nfs", "nfs4", "lustre", "gpfs", "ceph", "fhgfs", "beegfs", "panfs",
                                          "afs", "cifs", "smb2", "gfs/gfs2", "ocfs2", "vxfs", "fuseblk"})
        if (kind == shared)
            return Reach::Shared;
    for (const std::string_view local :
         {"tmpfs", "ramfs", "ext2/ext3", "xfs", "btrfs", "overlayfs", "zfs", "f2fs"})
        if (kind == local)
            return Reach::Local;
    return Reach::Unknown;
}

/// Writes through the transport, reads through it, and runs it: the three ways in which the folder is used.
std::optional<Outcome> tryFolder(Trial& trial, const fs::path& folder, bool& runs) {
    const fs::path probe = folder / ".ddpscope-test";
    const std::string content = "#!/bin/sh\necho it runs\n";
    if (const auto wrote = trial.transport->write(probe, content, true, trial.stop); !wrote)
        return failedBy(wrote.error());
    const auto read = trial.transport->read(probe, 0, 1000, trial.stop);
    const auto ran = runHere(trial, shellQuote(probe.string()));
    runHere(trial, "rm -f -- " + shellQuote(probe.string()));
    if (!read)
        return failedBy(read.error());
    if (*read != content)
        return Outcome{TestState::Failed,
                       fmt::format("What was written to {} reads otherwise.", folder.string()),
                       "Ask the administrators about this file system."};
    if (!ran)
        return failedBy(ran.error());
    runs = ran->exitCode == 0 && ran->out == "it runs\n";
    return std::nullopt;
}

Outcome judgeFolder(Trial& trial, const Values& facts, bool runs) {
    const std::string folder = trial.test.cluster.folder.string();
    if (const auto blocks = numberOf(valueOf(facts, "free")))
        trial.test.freeBytes = static_cast<std::uint64_t>(*blocks) * 1024;
    const std::string kind = valueOf(facts, "kind");
    const std::string space =
        trial.test.freeBytes ? sizeText(*trial.test.freeBytes) + " free" : "free space not known";
    if (!runs)
        return {
            TestState::Warning, fmt::format("{} takes files, but runs no programs.", folder),
            "Choose another folder for a worker that is built there, or give a worker that is elsewhere."};
    if (trial.test.freeBytes && *trial.test.freeBytes < 2ull << 30)
        return {TestState::Warning, fmt::format("{} is writable, with only {}.", folder, space),
                "Free space, or choose another folder: logs and traces go there."};
    switch (reachOf(kind)) {
    case Reach::Shared:
        return {TestState::Ok,
                fmt::format("{} is writable, with {}, on a shared file system ({}).", folder, space, kind)};
    case Reach::Local:
        return {
            TestState::Warning,
            fmt::format("{} is writable, with {}, but lies on a file system of the login node ({}); whether "
                        "the compute nodes see it is not known.",
                        folder, space, kind),
            "Choose a folder that all nodes mount, unless you know that they see this one."};
    case Reach::Unknown:
        break;
    }
    return {TestState::Ok,
            fmt::format(
                "{} is writable, with {}; whether the compute nodes see it is not known (file system {}).",
                folder, space, kind.empty() ? "unknown" : kind)};
}

} // namespace

Outcome testShell(Trial& trial) {
    ClusterTest& test = trial.test;
    const auto result = runHere(trial, "u=$(id -un); s=$(getent passwd \"$u\" 2>/dev/null | cut -d: -f7)\n"
                                       "printf 'user=%s\\nhome=%s\\nshell=%s\\n' \"$u\" \"$HOME\" "
                                       "\"${s:-$SHELL}\"\n"
                                       "printf 'PATH=%s\\nLD_LIBRARY_PATH=%s\\nSLURM_CONF=%s\\n' \"$PATH\" "
                                       "\"$LD_LIBRARY_PATH\" \"$SLURM_CONF\"");
    if (!result)
        return failedBy(result.error());
    const Values plain = parseValues(result->out);
    test.user = valueOf(plain, "user");
    test.home = valueOf(plain, "home");
    test.loginShell = valueOf(plain, "shell");
    test.noise = result->noise;

    std::string path = "Slurm's commands are in its plain PATH";
    if (!hasSbatch(trial)) {
        path = "Slurm's commands are not in its PATH";
        if (const Values login = loginVariables(trial, plain); !login.empty()) {
            trial.transport = makeEnvironmentTransport(std::move(trial.transport), login);
            if (hasSbatch(trial)) {
                test.cluster.environment = login;
                path = "Slurm's commands are in the PATH of its login shell only, which is kept";
            }
        }
    }
    const std::string sentence = fmt::format("{}'s shell is {}; {}.", test.user,
                                             test.loginShell.empty() ? "unknown" : test.loginShell, path);
    if (!test.noise.empty())
        return {
            TestState::Warning,
            fmt::format("{} Its rc files print into commands: \"{}\".", sentence, printable(test.noise, 120)),
            "That is ignored here, but confuses other programs, scp for one; let them print to terminals "
            "only."};
    return {TestState::Ok, sentence};
}

Outcome testFolder(Trial& trial) {
    Cluster& cluster = trial.test.cluster;
    std::string folder = cluster.folder.string();
    if (folder.starts_with('~')) {
        if (!fs::path(trial.test.home).is_absolute())
            return {TestState::Failed, "The home folder there is not known.",
                    "Give the folder by its whole path."};
        folder = trial.test.home + folder.substr(1);
    }
    const std::string quoted = shellQuote(folder);
    const auto made =
        runHere(trial, fmt::format("umask 077; mkdir -p -- {0} || exit\n"
                                   "printf 'kind=%s\\n' \"$(stat -f -c %T -- {0} 2>/dev/null)\"\n"
                                   "printf 'free=%s\\n' \"$(df -Pk -- {0} 2>/dev/null | awk 'END "
                                   "{{ print $(NF-2) }}')\"",
                                   quoted));
    if (!made)
        return failedBy(made.error());
    if (made->exitCode != 0)
        return {TestState::Failed, fmt::format("{} can not be made: {}", folder, printable(made->err, 200)),
                "Choose a folder where you may write."};
    bool runs = false;
    if (auto failed = tryFolder(trial, folder, runs))
        return *failed;
    cluster.folder = folder;
    return judgeFolder(trial, parseValues(made->out), runs);
}

Outcome testWorker(Trial& trial) {
    const Cluster& cluster = trial.test.cluster;
    if (cluster.worker.empty())
        return {TestState::Skipped, "No worker is set up on this cluster yet.",
                "Set it up: ddpscope-cli cluster setup " + cluster.name};
    auto version = askWorkerVersion(cluster, *trial.transport, cluster.worker, trial.stop);
    if (!version)
        return failedBy(version.error(),
                        "Look at the setup lines, or set it up anew: ddpscope-cli cluster setup " +
                            cluster.name);
    trial.test.workerVersion = std::move(*version);
    return {TestState::Ok,
            fmt::format("The worker {} is of version {}.", cluster.worker, trial.test.workerVersion)};
}

Outcome testClock(Trial& trial) {
    using std::chrono::system_clock;
    const auto before = system_clock::now();
    const auto result = runHere(trial, "date +%s");
    const auto after = system_clock::now();
    if (!result)
        return failedBy(result.error());
    const auto there = numberOf(printable(result->out));
    if (!there)
        return {TestState::Warning, "The clock there can not be read.", ""};
    const auto middle = system_clock::to_time_t(before + (after - before) / 2);
    const std::int64_t ahead = *there - static_cast<std::int64_t>(middle);
    trial.test.clockAhead = ahead;
    if (std::abs(ahead) <= 5)
        return {TestState::Ok,
                fmt::format("Its clock and ours agree to {} s.", std::max<std::int64_t>(1, std::abs(ahead)))};
    return {TestState::Warning,
            fmt::format("Its clock is {} s {} ours.", std::abs(ahead), ahead > 0 ? "ahead of" : "behind"),
            "Have the wrong one set right; times in logs and tables are as each machine says them."};
}

} // namespace ddp::remote
