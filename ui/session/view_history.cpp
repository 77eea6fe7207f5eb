// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/view_history.h"

namespace ddp::ui {

namespace {

constexpr std::size_t kMost = 200;

} // namespace

ViewHistory::ViewHistory(ViewState& view, QObject* parent)
    : QObject(parent), m_view(view), m_current(view.visible()) {
    m_burst.setSingleShot(true);
    m_burst.setInterval(kBurstMs);
    connect(&m_view, &ViewState::extentChanged, this, &ViewHistory::takeExtent);
    connect(&m_view, &ViewState::visibleChanged, this, &ViewHistory::takeVisible);
}

void ViewHistory::takeExtent() {
    m_burst.stop();
    m_back.clear();
    m_forward.clear();
    m_current = m_view.visible();
    Q_EMIT changed();
}

void ViewHistory::takeVisible() {
    if (m_view.visible() == m_current)
        return;
    const bool begins = !m_burst.isActive();
    if (begins) {
        if (m_back.size() == kMost)
            m_back.erase(m_back.begin());
        m_back.push_back(m_current);
        m_forward.clear();
    }
    m_current = m_view.visible();
    m_burst.start();
    if (begins)
        Q_EMIT changed();
}

void ViewHistory::go(std::vector<TimeRange>& from, std::vector<TimeRange>& to) {
    if (from.empty())
        return;
    m_burst.stop();
    to.push_back(m_current);
    m_current = from.back();
    from.pop_back();
    m_view.setVisible(m_current);
    Q_EMIT changed();
}

} // namespace ddp::ui
