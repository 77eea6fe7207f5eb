// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/session/palette.h"
#include "ui/timeline/timeline_geometry.h"

#include <QRect>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ddp::ui {

/// From the top of a row down: exposed communication hangs from the edge, where its height is seen best, and
/// with what is hidden below it the two are all of the communication.
inline constexpr std::array kStackedParts{ActivityPart::Exposed, ActivityPart::Hidden, ActivityPart::Compute,
                                          ActivityPart::Memory, ActivityPart::Idle};
/// By the order of kStackedParts.
template <class T>
using ByActivityPart = std::array<T, kStackedParts.size()>;

/// A stretch of the picture with the same kind of communication in most of its time.
struct OverlapBand {
    int left = 0;
    int right = 0; ///< behind its last pixel
    ActivityPart part = ActivityPart::Hidden;
};

/// What the devices in sight do, column by column of the picture: a column is a pixel, or a nanosecond where
/// that is longer. Keeps its answers for as long as the visible time stays the same.
class OverlapColumns {
public:
    static constexpr int kBarHeight = TimelineLayout::kSummaryHeight - 4;

    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    /// Null: there is nothing to show yet.
    const RunAnalysis* analysis() const { return m_analysis.get(); }

    /// To be called before the others after a change of the layout or the viewport; cheap when nothing did.
    void build(const TimelineLayout& layout, const TimelineViewport& viewport);
    const std::vector<WindowActivity>& of(std::size_t device) const { return m_devices[device].columns; }
    const std::vector<OverlapBand>& bands(std::size_t device) const { return m_devices[device].bands; }
    /// First pixel of a column; the width of the picture for the one behind the last.
    int left(std::size_t column) const;
    /// The time of the column at pixel `x`; nothing outside.
    std::optional<TimeRange> timeAt(int x) const;
    /// The parts that are no idle time, stacked in a row of kBarHeight whose top is at 0.
    const ByActivityPart<std::vector<QRect>>& bars(std::size_t device) const {
        return m_devices[device].bars;
    }

private:
    struct PerDevice {
        bool known = false;
        std::vector<WindowActivity> columns;
        std::vector<OverlapBand> bands;
        ByActivityPart<std::vector<QRect>> bars;
    };
    void forgetOutOfSight(std::span<const std::size_t> inSight);
    void stack(PerDevice& device) const;
    std::vector<OverlapBand> bandsOf(const std::vector<WindowActivity>& columns) const;

    std::shared_ptr<const RunAnalysis> m_analysis;
    std::vector<PerDevice> m_devices; // by RunActivity::devices()
    TimeRange m_visible;
    int m_width = 0;
    std::size_t m_count = 0;
};

} // namespace ddp::ui
