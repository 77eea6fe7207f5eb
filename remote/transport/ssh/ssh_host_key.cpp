// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_host_key.h"

#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>

namespace ddp::remote {

namespace {

struct KeyFree {
    void operator()(ssh_key key) const { ssh_key_free(key); }
};
using Key = std::unique_ptr<ssh_key_struct, KeyFree>;

std::string knownFile(ssh_session session) {
    char* value = nullptr;
    if (ssh_options_get(session, SSH_OPTIONS_KNOWNHOSTS, &value) != SSH_OK)
        return {};
    std::string file = value;
    ssh_string_free_char(value);
    return file;
}

/// libssh looks into one file of the user and one of the machine; it is shown the others of the user in turn.
ssh_known_hosts_e lookUp(const SshSession& session, std::string& where) {
    const ssh_session handle = session.handle();
    const std::string chosen = knownFile(handle);
    where = chosen;
    auto state = ssh_session_is_known_server(handle);
    for (const std::string& file : session.target().knownHosts) {
        if (state == SSH_KNOWN_HOSTS_OK)
            break;
        ssh_options_set(handle, SSH_OPTIONS_KNOWNHOSTS, file.c_str());
        const auto here = ssh_session_is_known_server(handle);
        if (here == SSH_KNOWN_HOSTS_OK || (state <= SSH_KNOWN_HOSTS_UNKNOWN && here > SSH_KNOWN_HOSTS_OK)) {
            state = here;
            where = file;
        }
    }
    ssh_options_set(handle, SSH_OPTIONS_KNOWNHOSTS, chosen.c_str());
    return state;
}

std::string shortName(const char* keyType) {
    std::string name = keyType;
    if (const auto dash = name.find('-'); dash != std::string::npos && name.starts_with("ssh-"))
        name = name.substr(dash + 1);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name;
}

HostKeyQuestion describe(const SshSession& session, ssh_key key) {
    const SshTarget& target = session.target();
    HostKeyQuestion question;
    question.host = target.alias;
    question.address = !target.hostKeyAlias.empty() ? target.hostKeyAlias
                       : target.port == 22          ? target.name
                                                    : fmt::format("[{}]:{}", target.name, target.port);
    question.keyType = ssh_key_type_to_char(ssh_key_type(key));
    unsigned char* hash = nullptr;
    std::size_t size = 0;
    if (ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) == SSH_OK) {
        if (char* text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size)) {
            question.fingerprint = text;
            ssh_string_free_char(text);
        }
        question.picture = fingerprintPicture({hash, size}, shortName(question.keyType.c_str()), "SHA256");
        ssh_clean_pubkey_hash(&hash);
    }
    return question;
}

tl::unexpected<Error> changed(const HostKeyQuestion& key, const std::string& where) {
    return fail(
        ErrorCode::Unreachable,
        fmt::format("The identity of {} has CHANGED, so nothing was sent to it: it shows a {} key {} that is "
                    "not the one kept for {} in {}. Either somebody stands between you and the machine and "
                    "reads along, or it was set up anew. Ask its administrators for the fingerprint by "
                    "another way; if it is right, remove the old entry with: ssh-keygen -R '{}'",
                    key.host, key.keyType, key.fingerprint, key.address, where, key.address));
}

} // namespace

std::string fingerprintPicture(std::span<const unsigned char> hash, std::string_view title,
                               std::string_view foot) {
    static constexpr int kWidth = 17;
    constexpr int kHeight = 9;
    constexpr std::string_view kMarks = " .o+=*BOX@%&#/^SE";
    constexpr int kStart = 15;
    constexpr int kEnd = 16;
    std::array<std::array<int, kWidth>, kHeight> visits{};
    int x = kWidth / 2;
    int y = kHeight / 2;
    for (unsigned byte : hash) {
        for (int step = 0; step < 4; ++step, byte >>= 2) {
            x = std::clamp(x + ((byte & 1) != 0 ? 1 : -1), 0, kWidth - 1);
            y = std::clamp(y + ((byte & 2) != 0 ? 1 : -1), 0, kHeight - 1);
            int& here = visits[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
            here = std::min(here + 1, kStart - 1);
        }
    }
    visits[kHeight / 2][kWidth / 2] = kStart;
    visits[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = kEnd;

    const auto rim = [](std::string_view word) {
        return fmt::format("+{:-^{}}+\n", word.empty() ? "" : fmt::format("[{}]", word), kWidth);
    };
    std::string picture = rim(title.substr(0, kWidth - 2));
    for (const auto& row : visits) {
        picture += '|';
        for (const int count : row)
            picture += kMarks[static_cast<std::size_t>(count)];
        picture += "|\n";
    }
    return picture + rim(foot);
}

void chooseKnownHosts(SshSession& session) {
    const auto& files = session.target().knownHosts;
    for (const std::string& file : files) {
        ssh_options_set(session.handle(), SSH_OPTIONS_KNOWNHOSTS, file.c_str());
        if (ssh_session_has_known_hosts_entry(session.handle()) == SSH_KNOWN_HOSTS_OK)
            return;
    }
    if (!files.empty())
        ssh_options_set(session.handle(), SSH_OPTIONS_KNOWNHOSTS, files.front().c_str());
}

Result<void> checkHostKey(SshSession& session, Questions& questions, std::stop_token stop) {
    ssh_key raw = nullptr;
    if (ssh_get_server_publickey(session.handle(), &raw) != SSH_OK)
        return session.failure("the key of the host was read", Watchdog::Cut::None);
    const Key key(raw);
    const HostKeyQuestion question = describe(session, raw);
    std::string where;
    switch (lookUp(session, where)) {
    case SSH_KNOWN_HOSTS_OK:
        return {};
    case SSH_KNOWN_HOSTS_CHANGED:
    case SSH_KNOWN_HOSTS_OTHER:
        return changed(question, where);
    case SSH_KNOWN_HOSTS_ERROR:
        return fail(ErrorCode::Unreadable,
                    fmt::format("The key of {} can not be looked up in {}: {}. Repair the file.",
                                session.host(), where, ssh_get_error(session.handle())));
    case SSH_KNOWN_HOSTS_NOT_FOUND:
    case SSH_KNOWN_HOSTS_UNKNOWN:
        break;
    }
    if (session.target().refuseUnknown)
        return fail(ErrorCode::Unreachable,
                    fmt::format("{} is not in {}, and StrictHostKeyChecking of the SSH configuration forbids "
                                "to ask. Its key is {}.",
                                session.host(), where, question.fingerprint));
    if (!questions.acceptHostKey(question, stop))
        return fail(
            ErrorCode::Cancelled,
            fmt::format("{} was not connected to: its key {} is unknown and was not accepted. Compare "
                        "the fingerprint with what its administrators publish, then accept it.",
                        session.host(), question.fingerprint));
    if (ssh_session_update_known_hosts(session.handle()) != SSH_OK)
        return fail(ErrorCode::Unwritable,
                    fmt::format("The accepted key of {} can not be written to {}: {}.", session.host(), where,
                                ssh_get_error(session.handle())));
    return {};
}

} // namespace ddp::remote
