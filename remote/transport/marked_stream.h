// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ddp::remote {

/// One output stream of a command, of which only what lies between two lines with a nonce counts:
///     \n BEGIN-TAG NUMBER \n content \n END-TAG NUMBER \n
/// Login messages and the output of rc files come before the first, and whatever a left-behind process prints
/// comes after the second.
class MarkedStream {
public:
    MarkedStream(std::string beginTag, std::string endTag, std::size_t limit);

    void feed(std::string_view bytes);

    std::optional<long> begin() const { return m_begin; } ///< the number, once the line was seen
    std::optional<long> end() const { return m_end; }
    bool truncated() const { return m_truncated; }
    /// What came since it was called last; the limit counts anew.
    std::string take() { return std::exchange(m_content, {}); }
    /// The beginning of what came before the first line: why there is none, if there is none.
    std::string noise() const { return m_begin ? m_noise : m_noise + m_pending; }

private:
    struct Mark {
        std::size_t begin, end;
        long number;
    };
    std::optional<Mark> find(const std::string& tag, std::size_t& keepFrom) const;
    void keep(std::string_view bytes);

    std::string m_beginTag;
    std::string m_endTag;
    std::size_t m_limit;
    std::string m_pending; ///< may still become a marker
    std::string m_content;
    std::string m_noise;
    bool m_truncated = false;
    std::optional<long> m_begin;
    std::optional<long> m_end;
};

} // namespace ddp::remote
