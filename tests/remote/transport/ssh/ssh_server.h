// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/local/local_transport.h"
#include "remote/transport/ssh/ssh_transport.h"
#include "remote/transport/system_ssh/system_ssh.h"
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ddp::test {

/// A real sshd on a free port of 127.0.0.1, with host key, user key and client configuration in a folder of
/// its own; ends with the object, and with the test program whatever happens to it.
class SshServer {
public:
    struct Setup {
        std::string extra = {}; ///< lines of sshd_config, before the usual ones
        bool ownUsers = false; ///< in a mount namespace with users of its own, see kUsers; needs the right to
        std::string pamAuth = {}; ///< with ownUsers: auth lines for PAM; empty: sshd does without
        std::string keyType = "ed25519";
    };
    SshServer() : SshServer(Setup{}) {}
    explicit SshServer(const Setup& setup);
    ~SshServer();
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    /// Whether namespaces with mounts of their own are allowed here.
    static bool canHaveOwnUsers();
    /// Users of ownUsers, each with that login shell and an rc file that prints to both streams; all with the
    /// password "right one".
    static constexpr const char* kShells[] = {"bash", "fish", "csh", "sh"};
    static std::string userWith(const std::string& shell) { return "ddp" + shell; }

    const std::string& user() const { return m_user; } ///< who runs the tests
    int port() const { return m_port; }
    std::filesystem::path path(const std::string& name) const { return m_folder.path() / name; }
    std::filesystem::path knownHosts() const { return path("known_hosts"); }
    std::string fingerprint() const;

    /// "Host NAME" with address, user, key and known_hosts of this server, and further lines.
    std::string hostBlock(const std::string& name, const std::string& lines = "") const;
    /// Options for host "box"; `config` empty: hostBlock("box").
    remote::SshOptions options(const std::string& config = "") const;
    void trust() const; ///< writes the host key to known_hosts
    void killSessions() const;
    void newHostKey();
    void stop();

private:
    void prepareUsers(const Setup& setup);
    void start();

    TempFolder m_folder;
    Setup m_setup;
    std::string m_user;
    int m_port = 0;
    pid_t m_pid = -1;
};

/// A way to be connected; for tests with a parameter.
struct SshWay {
    const char* name;
    Result<std::unique_ptr<remote::Transport>> (*connect)(const remote::SshOptions&, remote::Questions&,
                                                          std::stop_token);
};
inline constexpr SshWay kSshWays[] = {{"Libssh", remote::connectSsh}, {"Ssh", remote::connectSystemSsh}};
inline constexpr auto nameOfWay = [](const auto& info) { return std::string(info.param.name); };

/// Answers from a list, and remembers what was asked.
class ScriptedQuestions final : public remote::Questions {
public:
    std::optional<std::vector<remote::Secret>> answer(const remote::PromptRound& round,
                                                      std::stop_token) override;
    bool acceptHostKey(const remote::HostKeyQuestion& question, std::stop_token) override;

    std::vector<std::string> answers; ///< one for each prompt, in order; declines when there is none left
    bool acceptKeys = false;
    std::vector<remote::PromptRound> rounds;
    std::vector<remote::HostKeyQuestion> keys;
};

/// The output of a command on this machine; throws when it fails.
std::string shellOutput(const std::string& command);

remote::Command command(std::string shell);

} // namespace ddp::test
