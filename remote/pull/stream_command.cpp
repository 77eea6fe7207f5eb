// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/stream_command.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace ddp::remote {

namespace {

constexpr std::size_t kMostHeld = 4u << 20;

class ByteQueue {
public:
    /// Waits for room; false when nobody wants more.
    bool push(std::string_view bytes) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_held < kMostHeld || m_closed; });
        if (m_closed)
            return false;
        m_pieces.emplace_back(bytes);
        m_held += bytes.size();
        m_changed.notify_all();
        return true;
    }
    void end() {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
        m_changed.notify_all();
    }

    std::string pop() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_pieces.empty() || m_ended; });
        if (m_pieces.empty())
            return {};
        std::string piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        m_held -= piece.size();
        m_changed.notify_all();
        return piece;
    }
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_changed.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::string> m_pieces;
    std::size_t m_held = 0;
    bool m_ended = false;
    bool m_closed = false;
};

} // namespace

Result<CommandResult> streamCommand(Transport& transport, Command command, std::stop_token stop,
                                    const std::function<Result<void>(const ByteSource&)>& consume) {
    ByteQueue queue;
    Result<void> consumed;
    std::jthread consumer([&] {
        consumed = consume([&queue]() -> Result<std::string> { return queue.pop(); });
        // What comes after the end of an archive is read and forgotten.
        while (consumed && !queue.pop().empty()) {
        }
        queue.close();
    });
    command.sink = [&queue](std::string_view bytes) -> Result<void> {
        return queue.push(bytes) ? Result<void>() : fail(ErrorCode::Failed, "Nothing more is wanted.");
    };
    auto result = transport.run(command, std::move(stop));
    queue.end();
    consumer.join();
    if (!consumed && (result || result.error().code == ErrorCode::Failed))
        return forward(consumed);
    return result;
}

} // namespace ddp::remote
