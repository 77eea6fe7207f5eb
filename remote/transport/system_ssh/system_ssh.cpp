// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/system_ssh/system_ssh.h"

#include "remote/transport/command_files.h"
#include "remote/transport/command_input.h"
#include "remote/transport/command_transport.h"
#include "remote/transport/local/local_process.h"
#include "remote/transport/printable.h"
#include "remote/transport/remote_script.h"
#include "remote/transport/shell_quote.h"
#include "remote/transport/system_ssh/system_ssh_master.h"

#include <fmt/format.h>

#include <tuple>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// One command in one `ssh` over the shared connection.
class Running {
public:
    Running(const SystemSshMaster& master, const Command& command, std::stop_token stop)
        : m_master(master), m_command(command), m_stop(std::move(stop)),
          m_script(command, master.host(), master.user()), m_input(command),
          m_deadline(Clock::now() + command.deadline) {}

    Result<CommandResult> run() {
        if (auto good = m_script.check(); !good)
            return forward(good);
        Command ssh;
        ssh.shell = "exec env LC_ALL=C " + shellCommand(m_master.words(m_script.line()));
        ssh.source = [this] { return nextInput(); };
        ssh.sink = [this](std::string_view bytes) { return take(bytes); };
        ssh.deadline = std::chrono::hours(24 * 365); // done() looks at the clock
        ProcessHooks hooks;
        hooks.err = [&](std::string_view bytes) { m_script.err().feed(bytes); };
        hooks.done = [this] { return done(); };
        const auto ran = runLocalProcess(ssh, m_master.host(), {}, hooks);
        if (m_script.ended())
            return m_script.take();
        if (m_cut || !ran)
            kill();
        if (m_cut)
            return m_stop.stop_requested() ? m_script.stopped() : m_script.late();
        if (!ran)
            return tl::unexpected<Error>(ran.error());
        if (!m_master.alive())
            return fail(
                ErrorCode::Unreachable,
                fmt::format("The connection to {} broke while a command ran, and it may go on running ({}). "
                            "Check the network, then connect again.",
                            m_master.host(), printable(m_command.shell, 80)));
        return m_script.endedEarly();
    }

private:
    Result<std::string> nextInput() {
        if (!m_scriptSent) {
            m_scriptSent = true;
            return m_script.text();
        }
        const auto piece = m_input.next();
        if (!piece)
            return tl::unexpected<Error>(piece.error());
        std::string bytes(piece->substr(0, 1u << 18));
        m_input.sent(bytes.size());
        if (m_command.source && !bytes.empty())
            goOn();
        return bytes;
    }

    Result<void> take(std::string_view bytes) {
        m_script.out().feed(bytes);
        if (!m_command.sink)
            return {};
        const std::string content = m_script.out().take();
        if (content.empty())
            return {};
        auto taken = m_command.sink(content);
        goOn();
        return taken;
    }

    /// With a sink or a source the deadline is one of each piece.
    void goOn() {
        if (!m_cut)
            m_deadline = Clock::now() + m_command.deadline;
    }

    /// A process that the command left behind may hold the channel open: what it did is known by then.
    bool done() {
        if (m_script.ended())
            return true;
        if (!m_cut && (m_stop.stop_requested() || Clock::now() > m_deadline)) {
            m_cut = true;
            // A script that was sent runs also when its first line did not come yet.
            m_deadline = Clock::now() + std::chrono::seconds(5);
        }
        return m_cut && (!m_kill || m_script.began() || Clock::now() > m_deadline);
    }

    void kill() {
        const auto command = m_script.kill();
        if (!m_kill || !command)
            return;
        Running killing(m_master, *command, {});
        killing.m_kill = false;
        std::ignore = killing.run();
    }

    const SystemSshMaster& m_master;
    const Command& m_command;
    std::stop_token m_stop;
    RemoteScript m_script;
    CommandInput m_input;
    Clock::time_point m_deadline;
    bool m_scriptSent = false;
    bool m_cut = false;
    bool m_kill = true;
};

class SystemSsh final : public CommandTransport {
public:
    explicit SystemSsh(std::unique_ptr<SystemSshMaster> master) : m_master(std::move(master)) {}

    std::string host() const override { return m_master->host(); }
    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        return Running(*m_master, command, std::move(stop)).run();
    }
    Result<std::string> read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop) override {
        return readByCommand(*this, file, offset, limit, std::move(stop));
    }
    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token stop) override {
        return listByCommand(*this, folder, std::move(stop));
    }
    Result<std::vector<CopyItem>> tree(const fs::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override {
        return treeByCommand(*this, folder, mostEntries, std::move(stop));
    }
    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        return fetchByCommand(*this, parts, sink, std::move(stop));
    }
    Result<void> keepAlive(std::stop_token stop) override {
        Command sign;
        sign.shell = ":";
        sign.deadline = std::chrono::seconds(15);
        const auto seen = run(sign, stop);
        if (!seen && seen.error().code == ErrorCode::Timeout)
            return fail(
                ErrorCode::Unreachable,
                fmt::format("{} does not answer any more. Check the network, then connect again.", host()));
        if (!seen)
            return tl::unexpected<Error>(seen.error());
        return {};
    }

private:
    std::unique_ptr<SystemSshMaster> m_master;
};

} // namespace

Result<std::unique_ptr<Transport>> connectSystemSsh(const SshOptions& options, Questions& questions,
                                                    std::stop_token stop) {
    auto master = SystemSshMaster::open(options, questions, std::move(stop));
    if (!master)
        return forward(master);
    return std::make_unique<SystemSsh>(std::move(*master));
}

} // namespace ddp::remote
