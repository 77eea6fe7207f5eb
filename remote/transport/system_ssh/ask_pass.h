// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/questions.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace ddp::remote {

/// Answers what the program ssh asks, by a script that it runs (SSH_ASKPASS) and two named pipes.
class AskPass {
public:
    /// In a folder that nobody else can read; what it makes there goes with the folder.
    static Result<AskPass> create(const std::filesystem::path& folder);
    ~AskPass();
    AskPass(AskPass&& other) noexcept;
    AskPass& operator=(AskPass&&) = delete;

    /// For the environment of ssh: NAME=VALUE.
    std::vector<std::string> environment() const;

    /// Hands questions on until `done` is true. False: one was declined, or the stop came; ssh waits for its
    /// answer then, and has to be ended.
    bool serve(const std::string& host, Questions& questions, const std::stop_token& stop,
               const std::function<bool()>& done);

    /// Of the host key that was asked for and not accepted; empty: there was none.
    const std::string& declinedKey() const { return m_declinedKey; }

private:
    AskPass(std::filesystem::path folder, int question) : m_folder(std::move(folder)), m_question(question) {}
    bool handle(const std::string& host, const std::string& text, Questions& questions,
                const std::stop_token& stop);
    bool give(const Secret& answer, const std::stop_token& stop) const;

    std::filesystem::path m_folder;
    int m_question; ///< open for reading and writing, so that it has no end
    std::string m_received;
    std::string m_declinedKey;
};

/// What OpenSSH writes when it asks about an unknown host, in parts.
HostKeyQuestion parseHostKeyText(const std::string& host, const std::string& text);

} // namespace ddp::remote
