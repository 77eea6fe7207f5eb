// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/coupled_views.h"

#include <algorithm>
#include <utility>

namespace ddp::ui {

namespace {

TimeRange hull(TimeRange one, TimeRange other) {
    return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
}

} // namespace

CoupledViews::CoupledViews(ViewState& a, ViewState& b, QObject* parent) : QObject(parent), m_a(a), m_b(b) {
    connect(&m_a, &ViewState::visibleChanged, this, [this] { follow(true); });
    connect(&m_b, &ViewState::visibleChanged, this, [this] { follow(false); });
}

void CoupledViews::couple(std::optional<TimeMap> map, TimeRange extentA, TimeRange extentB) {
    m_map.reset(); // neither follows while both get their room
    setRoom(m_a, map ? hull(extentA, map->toA(extentB)) : extentA);
    setRoom(m_b, map ? hull(extentB, map->toB(extentA)) : extentB);
    m_map = std::move(map);
    follow(true);
}

/// As setExtent(), but what was seen whole stays whole, and a part stays in sight.
void CoupledViews::setRoom(ViewState& view, TimeRange room) {
    const TimeRange before = view.visible();
    const bool whole = before == view.extent();
    const auto selection = view.selection();
    view.setExtent(room);
    if (!whole)
        view.setVisible(before);
    view.select(selection);
}

void CoupledViews::follow(bool fromA) {
    if (!m_map || m_following)
        return;
    m_following = true;
    if (fromA)
        m_b.setVisible(m_map->toB(m_a.visible()));
    else
        m_a.setVisible(m_map->toA(m_b.visible()));
    m_following = false;
}

} // namespace ddp::ui
