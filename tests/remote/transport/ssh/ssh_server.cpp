// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/transport/shell_quote.h"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <netinet/in.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace ddp::test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

/// crypt() of "right one".
constexpr const char* kPasswordHash =
    "$6$ddpscopetest$iFCpypAciIU6b9JEIpDNHfkDu0KpWFGmylnkVWKfkPcUcYbafg/29fgmbyhzZe5z24SXTc4fM9tPoano7pdUW1";

int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket, any, size) != 0 || ::getsockname(socket, any, &size) != 0)
        throw std::runtime_error("no free port");
    ::close(socket);
    return ntohs(address.sin_port);
}

bool accepts(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool connected = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return connected;
}

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

std::string shellOutput(const std::string& shell) {
    auto result = remote::makeLocalTransport()->run(command(shell), {});
    if (!result || result->exitCode != 0)
        throw std::runtime_error(shell + ": " + (result ? result->err : result.error().message));
    return result->out;
}

remote::Command command(std::string shell) {
    remote::Command made;
    made.shell = std::move(shell);
    return made;
}

bool SshServer::canHaveOwnUsers() {
    const auto result = remote::makeLocalTransport()->run(command("unshare -m mount --bind /tmp /mnt"), {});
    return ::geteuid() == 0 && result && result->exitCode == 0;
}

SshServer::SshServer(const Setup& setup) : m_setup(setup), m_port(freePort()) {
    m_user = shellOutput("printf %s \"$(id -un)\"");
    ::chmod(m_folder.path().c_str(), 0711);
    std::error_code asUser; // who is not root needs it not
    fs::create_directories("/run/sshd", asUser);
    shellOutput(fmt::format("ssh-keygen -q -N '' -t ed25519 -f {}", path("id").string()));
    fs::copy_file(path("id.pub"), path("authorized_keys"));
    if (setup.ownUsers)
        prepareUsers(setup);
    // The first value of a keyword counts.
    m_folder.write("sshd_config",
                   fmt::format("{}\nPort {}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\n"
                               "StrictModes no\nUsePAM {}\nPasswordAuthentication no\nPidFile none\n"
                               "KbdInteractiveAuthentication {}\nPermitRootLogin yes\nMaxStartups 100\n"
                               "Subsystem sftp internal-sftp\n",
                               setup.extra, m_port, path("host_key").string(),
                               path("authorized_keys").string(), setup.pamAuth.empty() ? "no" : "yes",
                               setup.pamAuth.empty() ? "no" : "yes"));
    newHostKey();
}

SshServer::~SshServer() {
    stop();
}

void SshServer::prepareUsers(const Setup& setup) {
    std::string passwd = contentOf("/etc/passwd");
    std::string shadow = contentOf("/etc/shadow");
    int id = 54320;
    for (const std::string shell : kShells) {
        const std::string home = "home-" + shell;
        passwd +=
            fmt::format("{0}:x:{1}:{1}::{2}:/bin/{3}\n", userWith(shell), ++id, path(home).string(), shell);
        shadow += fmt::format("{}:{}:19000:0:99999:7:::\n", userWith(shell), kPasswordHash);
        const std::string noise = "echo out of an rc file\necho err of an rc file ";
        m_folder.write(home + "/.bashrc", noise + ">&2\n");
        m_folder.write(home + "/.config/fish/config.fish", noise + ">&2\n");
        m_folder.write(home + "/.cshrc", "echo out of an rc file\nsh -c 'echo err of an rc file >&2'\n");
        shellOutput(fmt::format("chown -R {0}:{0} {1}", id, path(home).string()));
    }
    m_folder.write("passwd", passwd);
    m_folder.write("shadow", shadow);
    ::chmod(path("shadow").c_str(), 0600);
    m_folder.write("pam.d/sshd", setup.pamAuth + "account required pam_permit.so\n"
                                                 "session required pam_permit.so\n");
}

void SshServer::newHostKey() {
    stop();
    fs::remove(path("host_key"));
    shellOutput(fmt::format("ssh-keygen -q -N '' -t {} -f {}", m_setup.keyType, path("host_key").string()));
    start();
}

void SshServer::start() {
    std::string run =
        fmt::format("exec /usr/sbin/sshd -D -f {0}/sshd_config -E {0}/log", m_folder.path().string());
    if (m_setup.ownUsers)
        run = fmt::format("for f in passwd shadow pam.d; do mount --bind {}/$f /etc/$f || exit 1; done; ",
                          m_folder.path().string()) +
              run;
    std::vector<std::string> words{"setpriv", "--pdeathsig", "KILL"};
    if (m_setup.ownUsers)
        words.insert(words.end(), {"unshare", "-m"});
    words.insert(words.end(), {"sh", "-c", run});
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    if (::posix_spawnp(&m_pid, "setpriv", nullptr, nullptr, argv.data(), environ) != 0)
        throw std::runtime_error("sshd can not be started");
    for (int i = 0; i < 500 && !accepts(m_port); ++i)
        std::this_thread::sleep_for(10ms);
    if (!accepts(m_port))
        throw std::runtime_error("sshd does not listen: " + contentOf(path("log")));
}

void SshServer::stop() {
    if (m_pid <= 0)
        return;
    killSessions();
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
    m_pid = -1;
}

void SshServer::killSessions() const {
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::string text;
        std::getline(stat, text);
        const auto nameEnd = text.rfind(')');
        if (nameEnd == std::string::npos)
            continue;
        char state = 0;
        pid_t parent = 0;
        std::istringstream(text.substr(nameEnd + 1)) >> state >> parent;
        if (parent == m_pid)
            ::kill(std::stoi(text), SIGKILL);
    }
}

std::string SshServer::fingerprint() const {
    std::istringstream words(shellOutput("ssh-keygen -lf " + path("host_key.pub").string()));
    std::string bits;
    std::string fingerprint;
    words >> bits >> fingerprint;
    return fingerprint;
}

std::string SshServer::hostBlock(const std::string& name, const std::string& lines) const {
    return fmt::format("Host {}\n  HostName 127.0.0.1\n  Port {}\n{}  User {}\n  IdentityFile {}\n"
                       "  IdentitiesOnly yes\n  UserKnownHostsFile {}\n",
                       name, m_port, lines, m_user, path("id").string(), knownHosts().string());
}

remote::SshOptions SshServer::options(const std::string& config) const {
    remote::SshOptions options;
    options.host = "box";
    options.configFile = m_folder.write("config", config.empty() ? hostBlock("box") : config);
    options.keyFolder = path("no-keys");
    options.connectLimit = 10s;
    return options;
}

void SshServer::trust() const {
    std::istringstream words(contentOf(path("host_key.pub")));
    std::string type;
    std::string key;
    words >> type >> key;
    m_folder.write("known_hosts", fmt::format("[127.0.0.1]:{} {} {}\n", m_port, type, key));
}

std::optional<std::vector<remote::Secret>> ScriptedQuestions::answer(const remote::PromptRound& round,
                                                                     std::stop_token) {
    rounds.push_back(round);
    if (answers.size() < round.prompts.size())
        return std::nullopt;
    std::vector<remote::Secret> given;
    for (std::size_t i = 0; i < round.prompts.size(); ++i) {
        given.emplace_back(std::string(answers.front()));
        answers.erase(answers.begin());
    }
    return given;
}

bool ScriptedQuestions::acceptHostKey(const remote::HostKeyQuestion& question, std::stop_token) {
    keys.push_back(question);
    return acceptKeys;
}

} // namespace ddp::test
