// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/base/time.h"

#include <QObject>

#include <optional>

namespace ddp::ui {

/// One slice of the current trace: its lane and its row in the lane.
struct SliceRef {
    LocationId location;
    std::size_t depth = 0;
    std::size_t row = 0;
    friend bool operator==(const SliceRef&, const SliceRef&) = default;
};

/// Which part of the trace is visible and what is selected in it: the one place that knows. All views read it
/// and change it; none keeps a copy. All arithmetic is in integer nanoseconds.
class ViewState final : public QObject {
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    /// The whole trace; shows all of it and clears the selection and the range.
    void setExtent(TimeRange extent);
    TimeRange extent() const { return m_extent; }

    TimeRange visible() const { return m_visible; }
    /// Clamped: never outside the trace, never shorter than kShortest (or the trace, if that is shorter).
    void setVisible(TimeRange range);
    /// New length = length · numerator / denominator; `anchor` keeps its place in the window.
    void zoom(int numerator, int denominator, Nanoseconds anchor);
    void pan(Nanoseconds distance);
    void fit();
    /// Moves the window, without zooming, so that `range` is seen; zooms out when it is longer than the
    /// window.
    void reveal(TimeRange range);

    const std::optional<SliceRef>& selection() const { return m_selection; }
    void select(const std::optional<SliceRef>& slice);
    /// Asks for a slice to be selected and brought into sight.
    void showSlice(const SliceRef& slice) { Q_EMIT sliceWanted(slice); }
    /// Asks for the rows of a rank to be brought into sight.
    void showRank(std::size_t rankIndex) { Q_EMIT rankWanted(rankIndex); }

    /// A stretch of time that the user has marked, to read its numbers or to zoom to it.
    const std::optional<TimeRange>& range() const { return m_range; }
    /// Cut to the trace; what is empty then is none.
    void setRange(const std::optional<TimeRange>& range);

    static constexpr Nanoseconds kShortest{20};

Q_SIGNALS:
    void extentChanged();
    void visibleChanged();
    void selectionChanged();
    void rankWanted(std::size_t rankIndex);
    void sliceWanted(const ddp::ui::SliceRef& slice);
    void rangeChanged();

private:
    TimeRange m_extent;
    TimeRange m_visible;
    std::optional<SliceRef> m_selection;
    std::optional<TimeRange> m_range;
};

} // namespace ddp::ui
