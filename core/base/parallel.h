// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace ddp {

/// As many threads as the machine has cores, one at least.
inline std::size_t coreCount() {
    return std::max(1u, std::thread::hardware_concurrency());
}

/// Calls `work(0)` … `work(count - 1)`, each once, on up to as many threads as there are cores, and returns
/// when all are done; once `stop` is requested no further one begins. What one call throws is thrown on after
/// the others have ended. The first thread that is free takes the next, so large pieces belong to the front.
inline void runParallel(std::size_t count, const std::function<void(std::size_t)>& work,
                        const std::stop_token& stop = {}) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr thrown;
    std::mutex guard; // of `thrown`
    const auto run = [&] {
        try {
            for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++)
                work(i);
        } catch (...) {
            const std::scoped_lock lock(guard);
            thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers; // joined at the end of this block
        for (std::size_t i = 1; i < std::min(coreCount(), count); ++i)
            helpers.emplace_back(run);
        run();
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

} // namespace ddp
