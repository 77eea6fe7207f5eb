// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/questions.h"
#include "remote/transport/ssh/ssh_options.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::remote {

/// A connection of the program ssh that others share, with its socket in a folder of its own.
class SystemSshMaster {
public:
    /// Connects and logs in. The host key is checked by ssh: unknown asks, changed is refused whatever the
    /// configuration says.
    static Result<std::unique_ptr<SystemSshMaster>> open(const SshOptions& options, Questions& questions,
                                                         std::stop_token stop);
    ~SystemSshMaster(); ///< ends the connection
    SystemSshMaster(const SystemSshMaster&) = delete;
    SystemSshMaster& operator=(const SystemSshMaster&) = delete;

    const std::string& host() const { return m_options.host; }
    const std::string& user() const { return m_user; }

    /// The words of a call of ssh that runs this line over the connection, and never over one of its own.
    std::vector<std::string> words(const std::string& line) const;
    /// Asks the one that is there; says nothing about whether the other side still answers.
    bool alive() const;

private:
    explicit SystemSshMaster(SshOptions options) : m_options(std::move(options)) {}
    Result<void> prepare(const std::stop_token& stop);
    Result<void> logIn(Questions& questions, const std::stop_token& stop);
    tl::unexpected<Error> refused(const std::string& said) const;
    std::vector<std::string> base() const;
    std::string control(const char* what) const;

    SshOptions m_options;
    std::filesystem::path m_folder;
    std::string m_user;
    bool m_refuseUnknown = false;
};

} // namespace ddp::remote
