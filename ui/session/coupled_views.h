// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/time_map.h"
#include "ui/session/view_state.h"

#include <QObject>

#include <optional>

namespace ddp::ui {

/// Keeps the visible times of two runs below each other: whichever moves, the other follows.
class CoupledViews final : public QObject {
    Q_OBJECT

public:
    CoupledViews(ViewState& a, ViewState& b, QObject* parent = nullptr);

    /// Both views get room for what the other one has beside it. Without a map each goes its own way.
    void couple(std::optional<TimeMap> map, TimeRange extentA, TimeRange extentB);

private:
    void follow(bool fromA);
    void setRoom(ViewState& view, TimeRange room);

    ViewState& m_a;
    ViewState& m_b;
    std::optional<TimeMap> m_map;
    bool m_following = false;
};

} // namespace ddp::ui
