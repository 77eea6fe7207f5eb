// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/sftp_fetch.h"

#include "remote/transport/ssh/sftp_reader.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <fcntl.h>
#include <libssh/sftp.h>
#include <memory>
#include <optional>
#include <span>

namespace ddp::remote {

namespace {

struct FileClose {
    void operator()(sftp_file file) const { sftp_close(file); }
};

/// A file whose bytes are on their way.
struct Flight {
    std::size_t index;
    const FilePart* part;
    SftpFiles* channel;
    std::unique_ptr<sftp_file_struct, FileClose> file;
    std::unique_ptr<SftpReader> reader;
};

class Fetch {
public:
    explicit Fetch(SftpFiles& first) : m_session(first.session()), m_first(first) {}
    ~Fetch();
    Fetch(const Fetch&) = delete;
    Fetch& operator=(const Fetch&) = delete;

    Result<void> run(const std::vector<FilePart>& parts, FileSink& sink, const std::stop_token& stop);

private:
    /// False: no channel is free.
    Result<bool> start(std::size_t index, const FilePart& part, FileSink& sink, const std::stop_token& stop);
    Result<void> land(FileSink& sink, const std::stop_token& stop);
    void dropFront();
    void abandonAll();
    SftpFiles* freeChannel();

    SshSession& m_session;
    SftpFiles& m_first;
    std::array<std::unique_ptr<SftpFiles>, 2> m_others;
    bool m_moreAllowed = true; ///< some servers allow fewer channels
    std::deque<Flight> m_flights;
};

Fetch::~Fetch() {
    abandonAll();
}

void Fetch::abandonAll() {
    while (!m_flights.empty())
        dropFront();
}

void Fetch::dropFront() {
    SftpFiles* const channel = m_flights.front().channel;
    {
        const auto limited = m_session.watch(std::chrono::seconds(2), {});
        channel->abandon(); // else closing the file waits for all that was asked
        m_flights.pop_front();
    }
    channel->close();
}

SftpFiles* Fetch::freeChannel() {
    const auto busy = [this](const SftpFiles* channel) {
        return std::any_of(m_flights.begin(), m_flights.end(),
                           [&](const Flight& flight) { return flight.channel == channel; });
    };
    if (!busy(&m_first))
        return &m_first;
    if (!m_moreAllowed)
        return nullptr;
    for (auto& other : m_others) {
        if (!other)
            other = std::make_unique<SftpFiles>(m_session);
        if (!busy(other.get()))
            return other.get();
    }
    return nullptr;
}

Result<bool> Fetch::start(std::size_t index, const FilePart& part, FileSink& sink,
                          const std::stop_token& stop) {
    SftpFiles* const found = freeChannel();
    if (!found)
        return false;
    SftpFiles& channel = *found;
    const auto handle = channel.channel(stop);
    if (!handle) {
        if (m_flights.empty() || !m_session.connected() || stop.stop_requested())
            return tl::unexpected<Error>(handle.error());
        m_moreAllowed = false;
        return false;
    }
    if (!sink.begin(index))
        return true;
    if (part.size == 0) {
        if (auto ended = sink.end(index, {}); !ended)
            return forward(ended);
        return true;
    }
    auto limited = m_session.watch(stop);
    Flight flight{index, &part, &channel, nullptr, nullptr};
    flight.file.reset(sftp_open(*handle, part.file.c_str(), O_RDONLY, 0));
    limited.extend();
    if (flight.file) {
        flight.reader = std::make_unique<SftpReader>(*flight.file, part.offset, part.offset + part.size);
        if (flight.reader->ask()) {
            m_flights.push_back(std::move(flight));
            return true;
        }
    }
    auto why = channel.failure(part.file, limited.cut());
    if (!m_session.connected() || limited.cut() != Watchdog::Cut::None)
        return why;
    if (auto ended = sink.end(index, std::move(why)); !ended)
        return forward(ended);
    return true;
}

/// The next bytes of the file at the front.
Result<void> Fetch::land(FileSink& sink, const std::stop_token& stop) {
    Flight& flight = m_flights.front();
    const std::size_t index = flight.index;
    std::optional<std::span<const char>> piece;
    Watchdog::Cut cut{};
    {
        const auto limited = m_session.watch(stop);
        piece = flight.reader->next();
        cut = limited.cut();
        if (piece && piece->empty())
            m_flights.pop_front(); // closes the file, for which it waits
    }
    if (!piece) {
        auto why = flight.channel->failure(flight.part->file, cut);
        if (!m_session.connected() || cut != Watchdog::Cut::None)
            return why;
        dropFront(); // answers that are still to come must not meet the next file
        return sink.end(index, std::move(why));
    }
    if (piece->empty())
        return sink.end(index, {});
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, fmt::format("Reading {} on {} was stopped.",
                                                      flight.part->file.string(), m_session.host()));
    return sink.take(index, {piece->data(), piece->size()});
}

Result<void> Fetch::run(const std::vector<FilePart>& parts, FileSink& sink, const std::stop_token& stop) {
    std::size_t next = 0;
    while (next < parts.size() || !m_flights.empty()) {
        while (next < parts.size() && (m_flights.empty() || m_flights.back().reader->allAsked())) {
            const auto started = start(next, parts[next], sink, stop);
            if (!started) {
                abandonAll();
                return tl::unexpected<Error>(started.error());
            }
            if (!*started)
                break;
            ++next;
        }
        if (m_flights.empty())
            continue;
        if (auto landed = land(sink, stop); !landed) {
            abandonAll();
            return landed;
        }
    }
    return {};
}

} // namespace

Result<void> sftpFetch(SftpFiles& first, const std::vector<FilePart>& parts, FileSink& sink,
                       const std::stop_token& stop) {
    return Fetch(first).run(parts, sink, stop);
}

} // namespace ddp::remote
