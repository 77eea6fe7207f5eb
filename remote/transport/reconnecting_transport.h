// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"
#include "remote/transport/transport.h"

#include <chrono>
#include <functional>
#include <memory>

namespace ddp::remote {

struct BackOff {
    std::chrono::milliseconds first = std::chrono::seconds(2);
    std::chrono::milliseconds ceiling = std::chrono::minutes(2);
};

/// A transport that connects again when its connection broke: at the next call, at most once per back-off,
/// which doubles up to the ceiling. What was asked when it broke is not repeated here (it may have been
/// done); the caller finds out. Nobody is asked for a password or a code by that: when connecting needs an
/// answer, every call fails until the user connects by hand.
class ReconnectingTransport final : public Transport {
public:
    using Connect = std::function<Result<std::unique_ptr<Transport>>(Questions&, std::stop_token)>;
    ReconnectingTransport(std::string host, Connect connect, BackOff backOff = {});

    /// By hand: now, and with questions.
    Result<void> connect(Questions& questions, std::stop_token stop);
    bool connected() const { return m_transport != nullptr; }
    bool needsUser() const { return m_needsUser; }
    /// Why there is no connection; empty before the first try.
    const std::string& lastFailure() const { return m_lastFailure; }
    /// Before it no call tries to connect.
    std::chrono::steady_clock::time_point nextTry() const { return m_nextTry; }

    std::string host() const override { return m_host; }
    Result<CommandResult> run(const Command& command, std::stop_token stop) override;
    Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop) override;
    Result<void> write(const std::filesystem::path& file, const std::string& content, bool executable,
                       std::stop_token stop) override;
    Result<std::vector<FolderEntry>> list(const std::filesystem::path& folder, std::stop_token stop) override;
    Result<void> makeFolders(const std::filesystem::path& folder, std::stop_token stop) override;
    Result<std::vector<CopyItem>> tree(const std::filesystem::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override;
    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override;
    Result<void> upload(const std::filesystem::path& from, const std::filesystem::path& to,
                        std::stop_token stop, Progress& progress, const CopyLimits& limits) override;
    Result<void> keepAlive(std::stop_token stop) override;

private:
    Result<void> ready(const std::stop_token& stop);
    template <class Call>
    auto use(const std::stop_token& stop, Call call) -> decltype(call(std::declval<Transport&>()));

    std::string m_host;
    Connect m_connect;
    BackOff m_backOff;
    std::unique_ptr<Transport> m_transport;
    std::chrono::milliseconds m_pause{0};
    std::chrono::steady_clock::time_point m_nextTry{};
    std::string m_lastFailure;
    bool m_needsUser = false;
};

} // namespace ddp::remote
