// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_runner.h"

#include "core/base/pause.h"
#include "remote/job/job_script.h"
#include "remote/pull/pull.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPoll{100};
constexpr std::chrono::milliseconds kStopGrace{1500};
constexpr std::size_t kReadChunk = 1u << 20;

std::optional<long> number(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(first);
    long value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc())
        return std::nullopt;
    return value;
}

std::string runJson(const JobSpec& spec) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const nlohmann::ordered_json run{
        {"id", spec.id},
        {"node", spec.node},
        {"simulate", simulationName(spec.simulation)},
        {"hardware", spec.hardware},
        {"ranks", spec.ranks},
        {"stage_deadline_s", spec.stageDeadline.count()},
        {"started", std::chrono::duration_cast<std::chrono::seconds>(now).count()}};
    // A node name comes from a cluster: bytes that are no text must not throw.
    return run.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// One job on the other side, from its script to its files.
class LocalJob {
public:
    LocalJob(Transport& transport, const JobSpec& spec, fs::path folder, const JobObserver& observer)
        : m_transport(transport), m_spec(spec), m_folder(std::move(folder)), m_observer(observer) {}

    Result<void> start(std::stop_token stop) {
        enter(JobPhase::Preparing);
        const auto script = localJobScript(m_spec, m_folder);
        if (!script)
            return tl::unexpected<Error>(script.error());
        if (auto free = checkUnused(stop); !free)
            return free;
        if (auto made = m_transport.makeFolders(m_folder); !made)
            return made;
        if (auto wrote = m_transport.write(m_folder / kScriptFile, *script, true); !wrote)
            return wrote;
        if (auto wrote = m_transport.write(m_folder / kRunFile, runJson(m_spec), false); !wrote)
            return wrote;

        enter(JobPhase::Starting);
        // A session of its own, so that the whole job can be told to end by one signal to its group.
        Command command;
        command.shell = fmt::format("cd {} && {{ setsid sh ./{} >{} 2>{} </dev/null & echo $!; }}",
                                    shellQuote(m_folder.string()), kScriptFile, kOutFile, kErrFile);
        const auto started = m_transport.run(command, {});
        if (!started)
            return tl::unexpected<Error>(started.error());
        const auto group = number(started->out);
        if (started->exitCode != 0 || !group || *group <= 1)
            return fail(ErrorCode::Failed, fmt::format("The job {} could not be started on {}: {}", m_spec.id,
                                                       m_transport.host(), started->err));
        m_group = *group;
        return {};
    }

    /// Until the job has ended by itself, the stop is requested, or the deadline of the whole job passes.
    Result<void> watch(std::stop_token stop) {
        enter(JobPhase::Running);
        // Every stage of the worker has its own deadline; this one only catches a worker that breaks that
        // promise.
        const auto deadline = Clock::now() + m_spec.stageDeadline * 12 + std::chrono::minutes(1);
        auto nextLifeSign = Clock::now();
        while (!stop.stop_requested()) {
            forwardOutput();
            if (readExitCode())
                return {};
            if (Clock::now() >= nextLifeSign) {
                nextLifeSign = Clock::now() + std::chrono::seconds(1);
                if (!alive() && !readExitCode())
                    return {}; // killed from outside, before it could write its exit code
            }
            if (Clock::now() > deadline)
                return end();
            pause(stop, kPoll);
        }
        m_stopped = true;
        return end();
    }

    Result<JobOutcome> pull(const fs::path& runsFolder) {
        enter(JobPhase::Pulling);
        forwardOutput();
        readExitCode();
        JobOutcome outcome{runsFolder / m_spec.id, m_exitCode, m_stopped};
        Progress progress;
        const auto pulled = pullFolder(m_transport, m_folder, outcome.runFolder, {}, {}, progress);
        if (!pulled)
            return tl::unexpected<Error>(pulled.error());
        if (!pulled->failed.empty())
            return fail(ErrorCode::Failed, pulled->failed.front().why);
        enter(JobPhase::Done);
        return outcome;
    }

    /// SIGTERM to the group, SIGKILL after the grace.
    Result<void> end() {
        enter(JobPhase::Stopping);
        signalGroup("TERM");
        const auto grace = Clock::now() + kStopGrace;
        while (alive() && Clock::now() < grace)
            pause({}, std::chrono::milliseconds(50));
        if (!alive())
            return {};
        signalGroup("KILL");
        const auto deadline = Clock::now() + kStopGrace;
        while (alive() && Clock::now() < deadline)
            pause({}, std::chrono::milliseconds(50));
        if (!alive())
            return {};
        return fail(
            ErrorCode::Timeout,
            fmt::format(
                "The processes of job {} on {} (group {}) do not end, not even by SIGKILL: they hang in "
                "the driver. Look with: ps -o pid,stat,wchan,cmd -g {}",
                m_spec.id, m_transport.host(), m_group, m_group));
    }

private:
    void enter(JobPhase phase) const {
        if (m_observer.phase)
            m_observer.phase(phase);
    }

    Result<void> checkUnused(std::stop_token stop) {
        Command command;
        command.shell = "test -e " + shellQuote(m_folder.string());
        const auto found = m_transport.run(command, stop);
        if (!found)
            return tl::unexpected<Error>(found.error());
        if (found->exitCode == 0)
            return fail(ErrorCode::Usage,
                        fmt::format("{} exists already on {}: a run is never written over. Start it "
                                    "under another id.",
                                    m_folder.string(), m_transport.host()));
        return {};
    }

    void forwardOutput() {
        forwardFile(m_folder / kOutFile, m_outSeen);
        forwardFile(m_folder / kErrFile, m_errSeen);
    }

    void forwardFile(const fs::path& file, std::uint64_t& seen) {
        for (;;) {
            const auto text = m_transport.read(file, seen, kReadChunk);
            if (!text || text->empty())
                return;
            seen += text->size();
            if (m_observer.output)
                m_observer.output(*text);
        }
    }

    bool readExitCode() {
        if (const auto text = m_transport.read(m_folder / kExitFile, 0, 64))
            if (const auto code = number(*text))
                m_exitCode = static_cast<int>(*code);
        return m_exitCode.has_value();
    }

    void signalGroup(const char* name) {
        Command command;
        command.shell = fmt::format("kill -s {} -- -{}", name, m_group);
        std::ignore = m_transport.run(command, {}); // a group that is gone is what is wanted
    }

    /// A zombie has ended: on this machine nobody else collects a child of the start command at once.
    bool alive() {
        Command command;
        command.shell =
            fmt::format("command -v ps >/dev/null || exit 0; ps -o stat= -g {} | grep -qv '^Z'", m_group);
        const auto found = m_transport.run(command, {});
        return !found || found->exitCode == 0; // no answer is no proof of the end
    }

    Transport& m_transport;
    const JobSpec& m_spec;
    fs::path m_folder;
    const JobObserver& m_observer;
    long m_group = 0;
    std::uint64_t m_outSeen = 0;
    std::uint64_t m_errSeen = 0;
    std::optional<int> m_exitCode;
    bool m_stopped = false;
};

} // namespace

Result<JobOutcome> runJob(Transport& transport, const JobSpec& spec, const fs::path& workFolder,
                          const fs::path& runsFolder, const JobObserver& observer, std::stop_token stop) {
    std::error_code error;
    const fs::path folder = fs::absolute(workFolder, error) / spec.id;
    LocalJob job(transport, spec, folder, observer);
    if (auto started = job.start(stop); !started)
        return tl::unexpected<Error>(started.error());
    const auto watched = job.watch(stop);
    // What is there is pulled also when the job could not be ended in order.
    auto outcome = job.pull(runsFolder);
    if (!watched)
        return tl::unexpected<Error>(watched.error());
    return outcome;
}

} // namespace ddp::remote
