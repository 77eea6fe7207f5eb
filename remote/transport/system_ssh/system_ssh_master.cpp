// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/system_ssh/system_ssh_master.h"

#include "remote/transport/local/atomic_file.h"
#include "remote/transport/local/local_process.h"
#include "remote/transport/printable.h"
#include "remote/transport/remote_script.h"
#include "remote/transport/shell_quote.h"
#include "remote/transport/system_ssh/ask_pass.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <thread>

namespace ddp::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestTemporary = 50; // bytes

constexpr const char* kThisMachine = "this machine";
constexpr int kSshFailed = 255; // ssh's own exit code, whatever the command's

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

Result<std::unique_ptr<SystemSshMaster>> SystemSshMaster::open(const SshOptions& options,
                                                               Questions& questions, std::stop_token stop) {
    std::unique_ptr<SystemSshMaster> master(new SystemSshMaster(options));
    if (auto prepared = master->prepare(stop); !prepared)
        return forward(prepared);
    if (auto in = master->logIn(questions, stop); !in)
        return forward(in);
    return master;
}

SystemSshMaster::~SystemSshMaster() {
    if (m_folder.empty())
        return;
    Command end;
    end.shell = control("exit");
    end.deadline = std::chrono::seconds(5);
    const auto ended = runLocalProcess(end, kThisMachine, {});
    static_cast<void>(ended); // it ends by itself later
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

/// The folder, and what the configuration says.
Result<void> SystemSshMaster::prepare(const std::stop_token& stop) {
    // A short name: a socket's path has 108 bytes.
    std::error_code ignored;
    const std::string temporary = fs::temp_directory_path(ignored).string();
    std::string name = (temporary.empty() || temporary.size() > kLongestTemporary ? "/tmp" : temporary) +
                       "/ddpscope-ssh-XXXXXX";
    if (!::mkdtemp(name.data()))
        return unwritable(name, std::strerror(errno));
    m_folder = name;
    auto words = base();
    words.insert(words.end(), {"-G", "--", m_options.host});
    Command ask;
    ask.shell = shellCommand(words);
    ask.deadline = m_options.connectLimit; // a "Match exec" may take its time
    const auto answer = runLocalProcess(ask, kThisMachine, stop);
    if (!answer)
        return tl::unexpected<Error>(answer.error());
    if (answer->exitCode == 127)
        return fail(ErrorCode::Usage,
                    fmt::format("{} is to be reached by the program ssh, which is not installed here.",
                                m_options.host));
    if (answer->exitCode != 0)
        return fail(
            ErrorCode::Unreadable,
            fmt::format("The SSH configuration of {} can not be used; correct what ssh says of it: {}",
                        m_options.host, printable(answer->err, 400)));
    std::istringstream lines(answer->out);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("user "))
            m_user = line.substr(5);
        else if (line == "stricthostkeychecking true" || line == "stricthostkeychecking yes")
            m_refuseUnknown = true;
    }
    return {};
}

std::vector<std::string> SystemSshMaster::base() const {
    std::vector<std::string> words{"ssh"};
    if (!m_options.configFile.empty())
        words.insert(words.end(), {"-F", m_options.configFile.string()});
    // Of what the user may have set for his own sessions, nothing must run here.
    for (const char* option :
         {"ClearAllForwardings=yes", "ForwardX11=no", "ForwardAgent=no", "PermitLocalCommand=no",
          "RemoteCommand=none", "RequestTTY=no", "StdinNull=no", "ForkAfterAuthentication=no"})
        words.insert(words.end(), {"-o", option});
    words.insert(words.end(), {"-o", fmt::format("ControlPath={}", (m_folder / "s").string())});
    return words;
}

std::vector<std::string> SystemSshMaster::words(const std::string& line) const {
    auto words = base();
    // ProxyCommand: without the shared connection ssh would open one of its own, and ask.
    for (const char* option :
         {"ControlMaster=no", "BatchMode=yes", "ProxyCommand=false", "ProxyJump=none", "LogLevel=ERROR"})
        words.insert(words.end(), {"-o", option});
    words.insert(words.end(), {"-T", "--", m_options.host, line});
    return words;
}

std::string SystemSshMaster::control(const char* what) const {
    auto words = base();
    words.insert(words.end(), {"-O", what, "--", m_options.host});
    return shellCommand(words);
}

bool SystemSshMaster::alive() const {
    Command check;
    check.shell = control("check");
    check.deadline = std::chrono::seconds(5);
    const auto checked = runLocalProcess(check, kThisMachine, {});
    return checked && checked->exitCode == 0;
}

Result<void> SystemSshMaster::logIn(Questions& questions, const std::stop_token& stop) {
    auto askPass = AskPass::create(m_folder);
    if (!askPass)
        return forward(askPass);
    auto words = base();
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(m_options.connectLimit).count();
    for (const std::string& option :
         {std::string("ControlMaster=yes"), std::string("ControlPersist=300"),
          std::string("VisualHostKey=yes"),
          // "no" would take a changed key for a good one.
          std::string(m_refuseUnknown ? "StrictHostKeyChecking=yes" : "StrictHostKeyChecking=ask"),
          fmt::format("ConnectTimeout={}", seconds), std::string("ServerAliveInterval=15"),
          std::string("ServerAliveCountMax=3")})
        words.insert(words.end(), {"-o", option});
    Command nothing;
    nothing.shell = ":";
    RemoteScript script(nothing, m_options.host, m_user);
    words.insert(words.end(), {"-T", "--", m_options.host, script.line()});
    std::vector<std::string> line{"env", "LC_ALL=C"};
    for (const std::string& variable : askPass->environment())
        line.push_back(variable);
    line.insert(line.end(), words.begin(), words.end());
    Command connect;
    connect.shell = "exec " + shellCommand(line);
    connect.input = script.text();
    connect.deadline = std::chrono::minutes(15); // the user is asked meanwhile; ssh has limits of its own

    std::stop_source end;
    std::atomic<bool> over = false;
    Result<CommandResult> result;
    {
        const std::jthread runs([&] {
            result = runLocalProcess(connect, kThisMachine, end.get_token());
            over = true;
        });
        if (!askPass->serve(m_options.host, questions, stop, [&] { return over.load(); }))
            end.request_stop();
    }
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled,
                    fmt::format("The login to {} was given up: it was stopped.", m_options.host));
    if (!askPass->declinedKey().empty())
        return fail(
            ErrorCode::Cancelled,
            fmt::format("{} was not connected to: its key {} is unknown and was not accepted. Compare the "
                        "fingerprint with what its administrators publish, then accept it.",
                        m_options.host, askPass->declinedKey()));
    if (end.stop_requested())
        return fail(
            ErrorCode::Cancelled,
            fmt::format("The login to {} was given up: a question was not answered.", m_options.host));
    if (!result)
        return forward(result);
    if (result->exitCode == kSshFailed && !alive())
        return refused(result->err);
    for (const SshStage stage : {SshStage::Reached, SshStage::HostKeyKnown, SshStage::LoggedIn})
        if (m_options.reached)
            m_options.reached(stage);
    return {};
}

tl::unexpected<Error> SystemSshMaster::refused(const std::string& said) const {
    const auto told = [this](SshStage stage) {
        if (m_options.reached)
            m_options.reached(stage);
    };
    if (contains(said, "REMOTE HOST IDENTIFICATION HAS CHANGED")) {
        told(SshStage::Reached);
        const auto at = said.find("Offending");
        const std::string where = at == std::string::npos ? "" : said.substr(at, said.find('\n', at) - at);
        return fail(
            ErrorCode::Unreachable,
            fmt::format(
                "The identity of {} has CHANGED, so nothing was sent to it ({}). Either somebody stands "
                "between you and the machine and reads along, or it was set up anew. Ask its "
                "administrators for the fingerprint by another way; if it is right, remove the old "
                "entry with ssh-keygen -R.",
                m_options.host, printable(where, 200)));
    }
    if (contains(said, "Host key verification failed")) {
        told(SshStage::Reached);
        return fail(
            ErrorCode::Unreachable,
            fmt::format("{} is not known, and the SSH configuration forbids to ask.", m_options.host));
    }
    // The last line that is no part of the picture of a key.
    std::string last;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
        if (const std::string clean = printable(line, 300);
            !clean.empty() && clean[0] != '+' && clean[0] != '|')
            last = clean;
    if (contains(said, "ermission denied") || contains(said, "Too many authentication failures")) {
        told(SshStage::Reached);
        told(SshStage::HostKeyKnown);
        return fail(ErrorCode::Unreachable,
                    fmt::format("{} does not let {} in: {}", m_options.host, m_user, last));
    }
    return fail(ErrorCode::Unreachable, fmt::format("{} can not be reached: {}", m_options.host, last));
}

} // namespace ddp::remote
