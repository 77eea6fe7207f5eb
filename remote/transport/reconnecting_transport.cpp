// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/reconnecting_transport.h"

#include <fmt/format.h>

#include <algorithm>

namespace ddp::remote {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

ReconnectingTransport::ReconnectingTransport(std::string host, Connect connect, BackOff backOff)
    : m_host(std::move(host)), m_connect(std::move(connect)), m_backOff(backOff) {}

Result<void> ReconnectingTransport::connect(Questions& questions, std::stop_token stop) {
    m_transport.reset();
    auto made = m_connect(questions, std::move(stop));
    if (made) {
        m_transport = std::move(*made);
        m_pause = {};
        m_nextTry = {};
        m_needsUser = false;
        return {};
    }
    m_lastFailure = made.error().message;
    m_pause = std::clamp(m_pause * 2, m_backOff.first, m_backOff.ceiling);
    m_nextTry = Clock::now() + m_pause;
    return forward(made);
}

Result<void> ReconnectingTransport::ready(const std::stop_token& stop) {
    if (m_transport)
        return {};
    if (m_needsUser)
        return fail(ErrorCode::Unreachable,
                    fmt::format("The connection to {} is gone, and connecting again needs an answer of yours "
                                "(password, code or host key). Connect again by hand.",
                                m_host));
    const auto now = Clock::now();
    if (now < m_nextTry) {
        const auto left = std::chrono::ceil<std::chrono::seconds>(m_nextTry - now).count();
        return fail(ErrorCode::Unreachable,
                    fmt::format("{} is not connected; the next try is in {} s. The last one: {}", m_host,
                                left, m_lastFailure));
    }
    NoQuestions nobody;
    auto again = connect(nobody, stop);
    m_needsUser = !again && nobody.asked();
    return again;
}

template <class Call>
auto ReconnectingTransport::use(const std::stop_token& stop, Call call)
    -> decltype(call(std::declval<Transport&>())) {
    if (auto is = ready(stop); !is)
        return forward(is);
    auto result = call(*m_transport);
    if (!result && result.error().code == ErrorCode::Unreachable) {
        m_lastFailure = result.error().message;
        m_transport.reset();
    }
    return result;
}

Result<CommandResult> ReconnectingTransport::run(const Command& command, std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.run(command, stop); });
}

Result<std::string> ReconnectingTransport::read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                                                std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.read(file, offset, limit, stop); });
}

Result<void> ReconnectingTransport::write(const fs::path& file, const std::string& content, bool executable,
                                          std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.write(file, content, executable, stop); });
}

Result<std::vector<FolderEntry>> ReconnectingTransport::list(const fs::path& folder, std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.list(folder, stop); });
}

Result<void> ReconnectingTransport::makeFolders(const fs::path& folder, std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.makeFolders(folder, stop); });
}

Result<std::vector<CopyItem>> ReconnectingTransport::tree(const fs::path& folder, std::uint64_t mostEntries,
                                                          std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.tree(folder, mostEntries, stop); });
}

Result<void> ReconnectingTransport::fetch(const std::vector<FilePart>& parts, FileSink& sink,
                                          std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.fetch(parts, sink, stop); });
}

Result<void> ReconnectingTransport::upload(const fs::path& from, const fs::path& to, std::stop_token stop,
                                           Progress& progress, const CopyLimits& limits) {
    return use(stop, [&](Transport& t) { return t.upload(from, to, stop, progress, limits); });
}

Result<void> ReconnectingTransport::keepAlive(std::stop_token stop) {
    return use(stop, [&](Transport& t) { return t.keepAlive(stop); });
}

} // namespace ddp::remote
