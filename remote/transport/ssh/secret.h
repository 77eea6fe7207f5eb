// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace ddp::remote {

/// A password, a pass phrase, a code: can be moved, not copied, and is wiped when it goes.
class Secret {
public:
    Secret() : m_bytes(1, '\0') {}
    /// Wipes what it is made of. Its capacity may have been copied about before: read it into one buffer.
    explicit Secret(std::string&& from) : m_bytes(from.c_str(), from.c_str() + from.size() + 1) {
        ::explicit_bzero(from.data(), from.size());
        from.clear();
    }
    ~Secret() { wipe(); }
    Secret(Secret&& other) noexcept : m_bytes(std::exchange(other.m_bytes, {})) {}
    Secret& operator=(Secret&& other) noexcept {
        wipe();
        m_bytes = std::exchange(other.m_bytes, {});
        return *this;
    }
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;

    /// Ends with '\0'; valid while this lives.
    const char* text() const { return m_bytes.empty() ? "" : m_bytes.data(); }
    std::size_t size() const { return m_bytes.empty() ? 0 : m_bytes.size() - 1; }

private:
    void wipe() {
        if (!m_bytes.empty())
            ::explicit_bzero(m_bytes.data(), m_bytes.size());
    }
    std::vector<char> m_bytes;
};

} // namespace ddp::remote
