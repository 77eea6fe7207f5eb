// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/view_state.h"

#include <algorithm>

namespace ddp::ui {

namespace {

__extension__ typedef __int128 Wide; // products of two lengths do not fit into 64 bits

/// value · numerator / denominator, rounded to nearest; denominator > 0.
std::int64_t scaled(std::int64_t value, std::int64_t numerator, std::int64_t denominator) {
    const Wide product = static_cast<Wide>(value) * numerator;
    const Wide half = denominator / 2;
    return static_cast<std::int64_t>((product >= 0 ? product + half : product - half) / denominator);
}

} // namespace

ViewState::ViewState(QObject* parent) : QObject(parent) {}

void ViewState::setExtent(TimeRange extent) {
    m_extent = extent.empty() ? TimeRange{} : extent;
    m_visible = m_extent;
    m_selection.reset();
    m_range.reset();
    Q_EMIT extentChanged();
    Q_EMIT visibleChanged();
    Q_EMIT selectionChanged();
    Q_EMIT rangeChanged();
}

void ViewState::setVisible(TimeRange range) {
    const std::int64_t whole = m_extent.length().count;
    const std::int64_t shortest = std::min(kShortest.count, whole);
    const std::int64_t length = std::clamp(range.length().count, shortest, whole);
    // A range that had to grow or shrink keeps its middle.
    std::int64_t begin = range.begin.count + (range.length().count - length) / 2;
    begin = std::clamp(begin, m_extent.begin.count, m_extent.end.count - length);
    const TimeRange clamped{Nanoseconds(begin), Nanoseconds(begin + length)};
    if (clamped == m_visible)
        return;
    m_visible = clamped;
    Q_EMIT visibleChanged();
}

void ViewState::zoom(int numerator, int denominator, Nanoseconds anchor) {
    const std::int64_t length = m_visible.length().count;
    const std::int64_t whole = m_extent.length().count;
    if (length <= 0 || numerator <= 0 || denominator <= 0)
        return;
    std::int64_t wanted =
        std::clamp(scaled(length, numerator, denominator), std::min(kShortest.count, whole), whole);
    // Rounding must not stop the zoom at short lengths.
    if (wanted == length && numerator > denominator)
        wanted = std::min(length + 1, whole);
    const std::int64_t before = scaled(anchor.count - m_visible.begin.count, wanted, length);
    const Nanoseconds begin(anchor.count - before);
    setVisible({begin, begin + Nanoseconds(wanted)});
}

void ViewState::pan(Nanoseconds distance) {
    setVisible({m_visible.begin + distance, m_visible.end + distance});
}

void ViewState::fit() {
    setVisible(m_extent);
}

void ViewState::reveal(TimeRange range) {
    const Nanoseconds length = std::max(m_visible.length(), range.length());
    if (range.begin >= m_visible.begin && range.end <= m_visible.end)
        return;
    const Nanoseconds middle(range.begin.count + range.length().count / 2);
    const Nanoseconds begin(middle.count - length.count / 2);
    setVisible({begin, begin + length});
}

void ViewState::select(const std::optional<SliceRef>& slice) {
    if (slice == m_selection)
        return;
    m_selection = slice;
    Q_EMIT selectionChanged();
}

void ViewState::setRange(const std::optional<TimeRange>& range) {
    std::optional<TimeRange> cut = range;
    if (cut)
        cut = cut->clippedTo(m_extent);
    if (cut && cut->empty())
        cut.reset();
    if (cut == m_range)
        return;
    m_range = cut;
    Q_EMIT rangeChanged();
}

} // namespace ddp::ui
