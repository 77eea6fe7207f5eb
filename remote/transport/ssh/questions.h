// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/secret.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::remote {

struct Prompt {
    std::string text; ///< one line, as the other side words it, without control characters
    bool secret = true;
};

/// All that is asked at once. The texts of keyboard-interactive come from the server: show them as its words.
struct PromptRound {
    enum class Kind {
        PassPhrase, ///< of a key file on this machine
        Password,
        Interactive ///< whatever the server asks: password, code, "press 1 for a call"
    };
    Kind kind = Kind::Password;
    std::string host; ///< the machine that asks, as the user's configuration calls it
    std::string user;
    std::string title;
    std::string instruction;
    std::vector<Prompt> prompts;
};

struct HostKeyQuestion {
    std::string host;        ///< as the user's configuration calls it
    std::string address;     ///< what the key is kept under: the real name or HostKeyAlias, and the port
    std::string keyType;     ///< "ssh-ed25519", …
    std::string fingerprint; ///< "SHA256:…"
    std::string picture;     ///< lines of the same fingerprint drawn as OpenSSH draws it
};

/// Who answers what a connection needs to know: a dialog, a terminal, a test, or nobody (cron). Called by the
/// thread that connects, which waits; must come back when `stop` is requested. An empty answer declines, and
/// the connection is given up without another question.
class Questions {
public:
    virtual ~Questions() = default;

    /// As many answers as prompts.
    virtual std::optional<std::vector<Secret>> answer(const PromptRound& round, std::stop_token stop) = 0;

    /// True: the key becomes known and is written to the user's known_hosts file.
    virtual bool acceptHostKey(const HostKeyQuestion& question, std::stop_token stop) = 0;
};

/// Declines everything; remembers that it was asked.
class NoQuestions final : public Questions {
public:
    std::optional<std::vector<Secret>> answer(const PromptRound&, std::stop_token) override {
        m_asked = true;
        return std::nullopt;
    }
    bool acceptHostKey(const HostKeyQuestion&, std::stop_token) override {
        m_asked = true;
        return false;
    }
    bool asked() const { return m_asked; }

private:
    bool m_asked = false;
};

} // namespace ddp::remote
