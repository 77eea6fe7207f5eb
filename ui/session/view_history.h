// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view_state.h"

#include <QTimer>

#include <vector>

namespace ddp::ui {

/// The windows that were visible before, for going back and forward. Steps of the wheel or of a key that
/// follow each other quickly are one entry; another trace begins anew.
class ViewHistory final : public QObject {
    Q_OBJECT

public:
    explicit ViewHistory(ViewState& view, QObject* parent = nullptr);

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void back() { go(m_back, m_forward); }
    void forward() { go(m_forward, m_back); }

    static constexpr int kBurstMs = 500; ///< a longer pause ends what counts as one entry

Q_SIGNALS:
    void changed(); ///< canGoBack() or canGoForward()

private:
    void takeExtent();
    void takeVisible();
    void go(std::vector<TimeRange>& from, std::vector<TimeRange>& to);

    ViewState& m_view;
    QTimer m_burst;
    TimeRange m_current;
    std::vector<TimeRange> m_back;
    std::vector<TimeRange> m_forward;
};

} // namespace ddp::ui
