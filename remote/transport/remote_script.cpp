// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/remote_script.h"

#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <cstdint>
#include <random>

namespace ddp::remote {

namespace {

constexpr std::chrono::milliseconds kKillLimit{5000};

std::string newTag() {
    std::random_device random;
    return fmt::format("ddpscope-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// In braces, which a shell reads to their end before it runs anything: half a script that a broken
/// connection leaves is no command.
std::string script(const std::string& tag, const std::string& command) {
    return fmt::format(
        "{{ LC_ALL=C; export LC_ALL\n"
        "for ddp_v in $(env | sed -n -e 's/^\\(SBATCH_[A-Za-z0-9_]*\\)=.*/\\1/p' "
        "-e 's/^\\(S[A-Z0-9_]*_FORMAT[0-9]*\\)=.*/\\1/p'); do unset \"$ddp_v\"; done; unset ddp_v\n"
        "printf '\\n%s %s\\n' {0}-begin $$\n"
        "printf '\\n%s %s\\n' {0}-begin $$ >&2\n"
        "/bin/sh -c {1}\n"
        "ddp_rc=$?\n"
        "printf '\\n%s %s\\n' {0}-end $ddp_rc\n"
        "printf '\\n%s %s\\n' {0}-end $ddp_rc >&2\n"
        "exit $ddp_rc\n}}",
        tag, shellQuote(command));
}

} // namespace

RemoteScript::RemoteScript(const Command& command, std::string host, std::string user)
    : m_command(command), m_host(std::move(host)), m_user(std::move(user)), m_out("", "", 0),
      m_err("", "", 0) {
    const std::string tag = newTag();
    m_text = script(tag, command.shell);
    // All shells read this line alike: no character in it is special to one of them within quotes.
    m_line = fmt::format("exec /bin/sh -c 'eval \"$(dd bs=1 count={} 2>/dev/null)\"'", m_text.size());
    m_out = MarkedStream(tag + "-begin", tag + "-end", command.sink ? SIZE_MAX : command.outputLimit);
    m_err = MarkedStream(tag + "-begin", tag + "-end", command.outputLimit);
}

Result<void> RemoteScript::check() const {
    if (m_command.shell.find('\0') != std::string::npos)
        return fail(ErrorCode::Usage, fmt::format("A command for {} holds a zero byte.", m_host));
    return {};
}

CommandResult RemoteScript::take() {
    CommandResult result{static_cast<int>(*m_out.end()), m_out.take(), m_err.take(),
                         m_out.truncated() || m_err.truncated()};
    result.noise = printable(m_out.noise() + m_err.noise(), 300);
    return result;
}

std::optional<Command> RemoteScript::kill() const {
    const auto pid = m_out.begin();
    if (!pid || *pid <= 1)
        return std::nullopt;
    Command kill;
    kill.shell = fmt::format("kill -s KILL -- -{0} 2>/dev/null || kill -s KILL {0}", *pid);
    kill.deadline = kKillLimit;
    return kill;
}

tl::unexpected<Error> RemoteScript::stopped() const {
    return fail(ErrorCode::Cancelled, fmt::format("The command on {} was stopped.", m_host));
}

tl::unexpected<Error> RemoteScript::late() const {
    return fail(ErrorCode::Timeout,
                fmt::format("A command on {} did not end within {} s and was stopped: {}", m_host,
                            std::chrono::duration_cast<std::chrono::seconds>(m_command.deadline).count(),
                            printable(m_command.shell, 200)));
}

tl::unexpected<Error> RemoteScript::endedEarly() const {
    if (!began())
        return fail(ErrorCode::Failed,
                    fmt::format("{} runs no commands for {}: instead of a shell there was: {}. Check that a "
                                "login without a terminal is allowed there.",
                                m_host, m_user, printable(m_out.noise() + " " + m_err.noise(), 300)));
    return fail(ErrorCode::Failed,
                fmt::format("A command on {} was ended from outside before it was done: {}", m_host,
                            printable(m_command.shell, 200)));
}

} // namespace ddp::remote
