// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>

namespace ddp::ui {

/// How long to wait before the next question: short after news, longer while nothing changes, and doubled
/// after each failure. Never longer than the ceiling.
class PollInterval {
public:
    enum class Answer { News, Same, Failed };

    PollInterval(std::chrono::milliseconds shortest, std::chrono::milliseconds ceiling)
        : m_shortest(shortest), m_ceiling(ceiling), m_now(shortest) {}

    std::chrono::milliseconds after(Answer answer) {
        switch (answer) {
        case Answer::News:
            m_now = m_shortest;
            break;
        case Answer::Same:
            m_now = std::min(m_ceiling, m_now + m_now / 2);
            break;
        case Answer::Failed:
            m_now = std::min(m_ceiling, m_now * 2);
            break;
        }
        return m_now;
    }
    void reset() { m_now = m_shortest; }

private:
    std::chrono::milliseconds m_shortest;
    std::chrono::milliseconds m_ceiling;
    std::chrono::milliseconds m_now;
};

} // namespace ddp::ui
