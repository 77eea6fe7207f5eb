// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_config.h"

#include "remote/transport/local/local_process.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

namespace ddp::remote {

namespace {

struct HopName {
    std::string user;
    std::string name;
    std::optional<int> port;
};

std::optional<int> portNumber(std::string_view text) {
    int port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
        return std::nullopt;
    return port;
}

/// [ssh://][user@]name[:port]; a name with colons of its own stands in brackets.
std::optional<HopName> parseHop(std::string_view text) {
    HopName hop;
    if (text.starts_with("ssh://"))
        text.remove_prefix(6);
    if (const auto at = text.rfind('@'); at != std::string_view::npos) {
        hop.user = text.substr(0, at);
        text.remove_prefix(at + 1);
    }
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos)
            return std::nullopt;
        port = text.substr(end + 1);
        text = text.substr(1, end - 1);
    } else if (std::count(text.begin(), text.end(), ':') == 1) {
        port = text.substr(text.find(':'));
        text = text.substr(0, text.find(':'));
    }
    if (!port.empty()) {
        hop.port = portNumber(port.substr(1));
        if (port.front() != ':' || !hop.port)
            return std::nullopt;
    }
    hop.name = text;
    // Names go into the calls of other programs: nothing that these could read as an option.
    if (hop.name.empty() || hop.name.front() == '-' || hop.user.starts_with('-'))
        return std::nullopt;
    return hop;
}

std::string option(ssh_session session, ssh_options_e which) {
    char* value = nullptr;
    if (ssh_options_get(session, which, &value) != SSH_OK)
        return {};
    std::string text = value;
    ssh_string_free_char(value);
    return text;
}

using Lines = std::map<std::string, std::string, std::less<>>;

/// What OpenSSH makes of the same files; empty where there is no such program.
Result<Lines> askOpenSsh(const SshOptions& options, const HopName& hop, std::stop_token stop) {
    std::vector<std::string> words{"ssh", "-G"};
    if (!options.configFile.empty())
        words.insert(words.end(), {"-F", options.configFile.string()});
    if (!hop.user.empty())
        words.insert(words.end(), {"-l", hop.user});
    words.insert(words.end(), {"--", hop.name});
    Command command;
    command.shell = shellCommand(words);
    command.deadline = options.connectLimit; // a "Match exec" may take its time
    const auto answer = runLocalProcess(command, "this machine", stop);
    if (!answer)
        return tl::unexpected<Error>(answer.error());
    if (answer->exitCode == 127)
        return Lines{};
    if (answer->exitCode != 0)
        return fail(
            ErrorCode::Unreadable,
            fmt::format("The SSH configuration of {} can not be used; correct what ssh says of it: {}",
                        options.host, answer->err.substr(0, 400)));
    Lines lines;
    std::istringstream text(answer->out);
    for (std::string line; std::getline(text, line);)
        if (const auto blank = line.find(' '); blank != std::string::npos)
            lines.emplace(line.substr(0, blank), line.substr(blank + 1));
    return lines;
}

/// The files are absolute and written one after the other; a blank may also be part of a name.
std::vector<std::string> splitFiles(const std::string& text) {
    std::vector<std::string> files;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(" /", begin), text.size());
        files.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return files;
}

std::vector<std::string> splitJumps(const std::string& text) {
    std::vector<std::string> jumps;
    std::istringstream list(text);
    for (std::string jump; std::getline(list, jump, ',');)
        jumps.push_back(jump);
    return jumps;
}

/// A proxy command is shell text: what is put into it must be no more than a name.
bool harmless(std::string_view name) {
    return !name.empty() && name.front() != '-' &&
           name.find_first_of(" \t\r\n\"'`$\\;&|<>(){}*?!~#") == std::string_view::npos;
}

Result<std::string> expandProxyCommand(const std::string& command, const SshTarget& target) {
    if (!harmless(target.name) || !harmless(target.user) || !harmless(target.alias))
        return fail(ErrorCode::Usage,
                    fmt::format("The ProxyCommand of {} is not run: its name or user holds characters that a "
                                "shell would read. Correct the SSH configuration.",
                                target.alias));
    std::string line = "exec ";
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char next = command[i] == '%' && i + 1 < command.size() ? command[i + 1] : '\0';
        switch (next) {
        case 'h':
            line += target.name;
            break;
        case 'n':
            line += target.alias;
            break;
        case 'p':
            line += std::to_string(target.port);
            break;
        case 'r':
            line += target.user;
            break;
        case '%':
            line += '%';
            break;
        default:
            line += command[i];
            continue;
        }
        ++i;
    }
    return line;
}

Result<void> readByLibssh(ssh_session session, const SshOptions& options, const HopName& hop) {
    std::error_code error;
    if (!options.configFile.empty() && !std::filesystem::is_regular_file(options.configFile, error))
        return fail(ErrorCode::Unreadable,
                    fmt::format("The SSH configuration {} is no file.", options.configFile.string()));
    bool good = ssh_options_set(session, SSH_OPTIONS_HOST, hop.name.c_str()) == SSH_OK;
    if (good && !options.keyFolder.empty())
        good = ssh_options_set(session, SSH_OPTIONS_SSH_DIR, options.keyFolder.c_str()) == SSH_OK;
    if (good && !hop.user.empty())
        good = ssh_options_set(session, SSH_OPTIONS_USER, hop.user.c_str()) == SSH_OK;
    const char* file = options.configFile.empty() ? nullptr : options.configFile.c_str();
    good = good && ssh_options_parse_config(session, file) == SSH_OK;
    if (good && option(session, SSH_OPTIONS_USER).empty())
        good = ssh_options_set(session, SSH_OPTIONS_USER, nullptr) == SSH_OK;
    if (!good)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is no host that can be connected to, or its SSH configuration has a line "
                                "that is no good: {}",
                                options.host, ssh_get_error(session)));
    // The first port that is named counts; libssh takes that of the file over the one set before.
    if (hop.port) {
        const auto port = static_cast<unsigned>(*hop.port);
        ssh_options_set(session, SSH_OPTIONS_PORT, &port);
    }
    // A LogLevel of the user is for ssh; libssh would write to our stderr.
    ssh_set_log_level(SSH_LOG_NONE);
    return {};
}

} // namespace

Result<SshTarget> readSshConfig(ssh_session session, const SshOptions& options, std::stop_token stop) {
    const auto hop = parseHop(options.host);
    if (!hop)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no host name.", options.host));
    if (auto read = readByLibssh(session, options, *hop); !read)
        return tl::unexpected<Error>(read.error());
    auto asked = askOpenSsh(options, *hop, stop);
    if (!asked)
        return forward(asked);
    const Lines& lines = *asked;
    const auto line = [&lines](std::string_view key) {
        const auto at = lines.find(key);
        return at == lines.end() || at->second == "none" ? std::string() : at->second;
    };

    SshTarget target;
    target.alias = hop->name;
    target.name = option(session, SSH_OPTIONS_HOST);
    unsigned port = 22;
    ssh_options_get_port(session, &port);
    target.port = static_cast<int>(port);
    target.user = option(session, SSH_OPTIONS_USER);
    target.hostKeyAlias = line("hostkeyalias");
    target.identitiesOnly = line("identitiesonly") == "yes";
    const std::string strict = line("stricthostkeychecking");
    target.refuseUnknown = strict == "true" || strict == "yes";
    target.knownHosts = splitFiles(line("userknownhostsfile"));
    target.jumps = splitJumps(line("proxyjump"));
    const std::string proxy = option(session, SSH_OPTIONS_PROXYCOMMAND);
    if (target.jumps.empty() && !proxy.empty()) {
        auto expanded = expandProxyCommand(proxy, target);
        if (!expanded)
            return forward(expanded);
        target.proxyCommand = std::move(*expanded);
    }
    // From here on the way to the host is ours.
    ssh_options_set(session, SSH_OPTIONS_PROXYCOMMAND, "none");
    return target;
}

} // namespace ddp::remote
