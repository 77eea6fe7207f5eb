// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/worker_build.h"

#include "remote/cluster/cluster_test.h"
#include "remote/cluster/worker_source.h"
#include "remote/slurm/cancel.h"
#include "remote/slurm/queue.h"
#include "remote/slurm/submit.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <charconv>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <random>

namespace ddp::resources {
extern const std::string_view kBuildWorker; ///< resources/build_worker.sh
} // namespace ddp::resources

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string nonce() {
    std::random_device random;
    return fmt::format("{:08x}", random());
}

/// FNV-1a, 64 bits: a name, no protection.
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 14695981039346656037ull;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash;
}

/// False when the stop came.
bool pause(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

class Build {
public:
    Build(const Cluster& cluster, Transport& transport, const SetupRequest& request, std::stop_token stop,
          const SetupObserver& observer)
        : m_cluster(cluster), m_transport(transport), m_request(request), m_stop(std::move(stop)),
          m_observer(observer), m_name("ddpscope-build-" + nonce()),
          m_folder(cluster.folder / "worker" / m_name) {}

    Result<void> run(const WorkerTools& tools) {
        if (auto prepared = prepare(tools); !prepared)
            return prepared;
        auto built = start();
        if (built)
            built = watch();
        if (!built && m_started)
            cancel();
        return finish(std::move(built));
    }

private:
    std::string path(const char* name) const { return (m_folder / name).string(); }

    /// A command whose failure is the failure of the build.
    Result<std::string> shell(const std::string& text, const std::stop_token& stop) const {
        Command command;
        command.shell = text;
        auto result = m_transport.run(command, stop);
        if (!result)
            return forward(result);
        if (result->exitCode != 0)
            return fail(ErrorCode::Failed, fmt::format("The build of the worker on {} can not go on: {}",
                                                       m_transport.host(), printable(result->err, 300)));
        return std::move(result->out);
    }

    Result<void> prepare(const WorkerTools& tools) {
        const WorkerSource source = workerSource();
        m_observer("uploading the source of the worker");
        if (auto made = m_transport.makeFolders(m_folder, m_stop); !made)
            return made;
        if (auto wrote = m_transport.write(path("source.tar.gz"), std::string(source.archive), false, m_stop);
            !wrote)
            return wrote;
        return m_transport.write(path("build.sh"), script(tools, source), true, m_stop);
    }

    std::string script(const WorkerTools& tools, const WorkerSource& source) const {
        // The number of processes is small: libtorch's headers take a gigabyte each, and a login node is for
        // everybody.
        const std::string processes = m_request.place == BuildPlace::Job ? "${SLURM_CPUS_ON_NODE:-2}" : "2";
        std::vector<std::string> words{"bash", "-s", "--",
                                       "-DDDP_WORKER_VERSION=" + std::string(source.version)};
        if (!tools.torchRoot.empty())
            words.push_back("-DTORCH_ROOT=" + tools.torchRoot);
        if (!tools.compilerPath.empty())
            words.push_back("-DCMAKE_CXX_COMPILER=" + tools.compilerPath);
        std::string text = "#!/bin/bash\n";
        text += "cd -- " + shellQuote(m_folder.string()) + " || exit\n";
        text += "export DDPSCOPE_WORKER=" + shellQuote(builtWorkerPath(m_cluster, tools)) + "\n";
        text += "export DDPSCOPE_PROCESSES=\"" + processes + "\"\n";
        const std::string build = shellCommand(words) + " <<'DDPSCOPE_BUILD'\n" +
                                  std::string(resources::kBuildWorker) + "DDPSCOPE_BUILD\n";
        text += afterSetupLines(m_cluster, build) + "\ncode=$?\n";
        text += "[ -e rc ] || { echo $code >rc.new && mv -f rc.new rc; }\nexit $code\n";
        return text;
    }

    Result<void> start() {
        if (m_request.place == BuildPlace::Job)
            return submit();
        m_observer("building on the login node");
        auto started = shell(
            fmt::format("cd -- {} && {{ setsid nice bash ./build.sh </dev/null >build.log 2>&1 & echo $!; }}",
                        shellQuote(m_folder.string())),
            m_stop);
        if (!started)
            return forward(started);
        m_started = true;
        m_process = printable(*started);
        return {};
    }

    Result<void> submit() {
        auto version = slurm::ask(m_transport, slurm::versionQuestion(), m_stop);
        if (!version)
            return forward(version);
        m_site.version = *version;
        slurm::Submission submission{path("build.sh"), m_name, m_folder.string(), sbatchWords(m_cluster)};
        const auto minutes =
            std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::minutes>(m_request.buildLimit).count());
        for (const std::string& word :
             {std::string("--nodes=1"), std::string("--ntasks=1"), std::string("--cpus-per-task=2"),
              std::string("--no-requeue"), fmt::format("--time={}", minutes),
              std::string("--output=build.log"), std::string("--error=build.log")})
            submission.options.push_back(word);
        auto job = slurm::submitJob(m_transport, m_site, submission, m_stop);
        if (!job) {
            // It may have been submitted all the same.
            auto found = slurm::findJobByName(m_transport, m_site, m_name, std::time(nullptr) - 3600, {});
            if (!found || !*found)
                return forward(job);
            job = **found;
        }
        m_started = true;
        m_job = *job;
        m_observer(fmt::format("building in the job {}", m_job->number));
        return {};
    }

    /// Until its exit code is there.
    Result<void> watch() {
        const auto deadline = Clock::now() + m_request.buildLimit + queueing();
        const std::string look = fmt::format(
            "cd -- {} && {{ cat rc 2>/dev/null || echo; tail -n 1 build.log 2>/dev/null; }}; true",
            shellQuote(m_folder.string()));
        auto nextJobLook = Clock::now() + std::chrono::seconds(10);
        auto lostUntil = Clock::now() + std::chrono::minutes(5);
        std::string last;
        while (pause(std::chrono::seconds(1), m_stop)) {
            auto seen = shell(look, m_stop);
            if (!seen) {
                // It goes on without us; the transport connects again.
                if (seen.error().code != ErrorCode::Unreachable || Clock::now() > lostUntil)
                    return forward(seen);
                m_observer("the build goes on without a connection: " + seen.error().message);
                pause(std::chrono::seconds(4), m_stop);
                continue;
            }
            lostUntil = Clock::now() + std::chrono::minutes(5);
            const auto lineEnd = std::min(seen->find('\n'), seen->size());
            if (lineEnd > 0)
                return seen->substr(0, lineEnd) == "0" ? Result<void>() : broken();
            const std::string line =
                printable(std::string_view(*seen).substr(std::min(lineEnd + 1, seen->size())), 200);
            if (!line.empty() && line != last)
                m_observer(last = line);
            if (Clock::now() > deadline)
                return fail(
                    ErrorCode::Timeout,
                    fmt::format(
                        "The worker was not built on {} within {} min.", m_transport.host(),
                        std::chrono::duration_cast<std::chrono::minutes>(m_request.buildLimit).count()));
            if (Clock::now() >= nextJobLook) {
                if (auto lives = stillRuns(); !lives)
                    return lives;
                nextJobLook = Clock::now() + std::chrono::seconds(10);
            }
        }
        return fail(ErrorCode::Cancelled, "The build of the worker was stopped.");
    }

    /// A job may wait for its turn.
    std::chrono::seconds queueing() const {
        return m_request.place == BuildPlace::Job ? std::chrono::seconds(std::chrono::hours(24))
                                                  : std::chrono::seconds(0);
    }

    Result<void> stillRuns() {
        if (!m_job) {
            const auto there = shell(fmt::format("kill -0 {} 2>/dev/null || [ -e {} ]", shellQuote(m_process),
                                                 shellQuote(path("rc"))),
                                     m_stop);
            if (there || there.error().code != ErrorCode::Failed)
                return {};
            return fail(ErrorCode::Failed,
                        fmt::format("The build on {} was ended from outside.", m_transport.host()));
        }
        const auto row = slurm::askController(m_transport, m_site, *m_job, m_stop);
        if (!row)
            return {}; // a controller that does not answer says nothing about the job
        if (*row && !slurm::isFinal((*row)->state)) {
            if ((*row)->state == slurm::JobState::Pending)
                m_observer(fmt::format("the job {} waits ({})", m_job->number, (*row)->reason));
            return {};
        }
        // Its file may come late over a shared file system.
        if (++m_seenOver < 3)
            return {};
        return fail(
            ErrorCode::Failed,
            fmt::format("The job {} that built the worker on {} ended without a result ({}).", m_job->number,
                        m_transport.host(),
                        *row ? std::string(slurm::jobStateWord((*row)->state)) : "Slurm has forgotten it"));
    }

    tl::unexpected<Error> broken() const {
        // What a compiler says first is what counts; the end of the log is what the tools make of it.
        const auto said = shell(
            fmt::format("cd -- {} && if grep -q 'CMake Error' build.log; then grep -m 1 -A 6 'CMake Error' "
                        "build.log | tail -n +2; else grep -m 3 -iE 'error|not found|no such' build.log || "
                        "tail -n 3 build.log; fi",
                        shellQuote(m_folder.string())),
            m_stop);
        return fail(ErrorCode::Failed,
                    fmt::format("The worker can not be built on {}: {}", m_transport.host(),
                                said ? printable(*said, 400) : std::string("its log can not be read.")));
    }

    void cancel() {
        if (m_job) {
            const auto asked = slurm::runSlurm(m_transport, slurm::plainCancelCommand(m_site, *m_job), {});
            static_cast<void>(asked); // it ends by its time limit else
        } else {
            const auto killed = shell("kill -s TERM -- -" + shellQuote(m_process) + " 2>/dev/null; true", {});
            static_cast<void>(killed); // it ends by itself
        }
    }

    /// The folder goes; of a build that failed the log stays.
    Result<void> finish(Result<void> built) {
        const std::string log = m_folder.string() + ".log";
        const bool failed = !built && built.error().code != ErrorCode::Cancelled;
        const std::string keep = failed ? fmt::format("mv -f -- {} {} 2>/dev/null; ",
                                                      shellQuote(path("build.log")), shellQuote(log))
                                        : "";
        const auto cleaned = shell(keep + "rm -rf -- " + shellQuote(m_folder.string()), {});
        if (!built && m_started && cleaned && built.error().code == ErrorCode::Failed)
            built.error().message += fmt::format(" The whole log is {}.", log);
        return built;
    }

    const Cluster& m_cluster;
    Transport& m_transport;
    const SetupRequest& m_request;
    std::stop_token m_stop;
    const SetupObserver& m_observer;
    std::string m_name;
    fs::path m_folder;
    slurm::Site m_site;
    bool m_started = false;
    std::string m_process;
    std::optional<slurm::JobId> m_job;
    int m_seenOver = 0;
};

} // namespace

std::string builtWorkerPath(const Cluster& cluster, const WorkerTools& tools) {
    const WorkerSource source = workerSource();
    const std::string with = tools.system + '\n' + tools.torchRoot + '\n' + tools.torchVersion + '\n' +
                             tools.compilerPath + '\n' + tools.compiler + '\n' + tools.otf2;
    const std::string name = fmt::format("{}-{}-{:016x}", source.version, source.id, hashOf(with));
    return (cluster.folder / "worker" / name / "ddpscope-worker").string();
}

Result<void> buildWorker(const Cluster& cluster, Transport& transport, const WorkerTools& tools,
                         const SetupRequest& request, std::stop_token stop, const SetupObserver& observer) {
    return Build(cluster, transport, request, std::move(stop), observer).run(tools);
}

} // namespace ddp::remote
