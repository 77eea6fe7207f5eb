// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/marked_stream.h"

#include <algorithm>
#include <charconv>

namespace ddp::remote {

namespace {
constexpr std::size_t kNoiseKept = 400;
}

MarkedStream::MarkedStream(std::string beginTag, std::string endTag, std::size_t limit)
    : m_beginTag("\n" + std::move(beginTag) + " "), m_endTag("\n" + std::move(endTag) + " "), m_limit(limit) {
}

/// `keepFrom`: what lies before it is no part of a marker, whatever comes next.
std::optional<MarkedStream::Mark> MarkedStream::find(const std::string& tag, std::size_t& keepFrom) const {
    const auto at = m_pending.find(tag);
    if (at == std::string::npos) {
        keepFrom = m_pending.size() - std::min(m_pending.size(), tag.size() - 1);
        return std::nullopt;
    }
    keepFrom = at;
    const auto lineEnd = m_pending.find('\n', at + tag.size());
    if (lineEnd == std::string::npos)
        return std::nullopt;
    Mark mark{at, lineEnd + 1, -1};
    std::from_chars(m_pending.data() + at + tag.size(), m_pending.data() + lineEnd, mark.number);
    return mark;
}

void MarkedStream::keep(std::string_view bytes) {
    const std::size_t room = m_limit - std::min(m_limit, m_content.size());
    m_content.append(bytes.substr(0, room));
    m_truncated = m_truncated || bytes.size() > room;
}

void MarkedStream::feed(std::string_view bytes) {
    if (m_end)
        return;
    m_pending.append(bytes);
    std::size_t keepFrom = 0;
    if (!m_begin) {
        const auto mark = find(m_beginTag, keepFrom);
        const std::size_t noise = mark ? mark->begin : keepFrom;
        m_noise.append(m_pending, 0, std::min(noise, kNoiseKept - std::min(kNoiseKept, m_noise.size())));
        m_pending.erase(0, mark ? mark->end : keepFrom);
        if (!mark)
            return;
        m_begin = mark->number;
    }
    const auto mark = find(m_endTag, keepFrom);
    keep(std::string_view(m_pending).substr(0, mark ? mark->begin : keepFrom));
    if (mark) {
        m_end = mark->number;
        m_pending.clear();
    } else {
        m_pending.erase(0, keepFrom);
    }
}

} // namespace ddp::remote
