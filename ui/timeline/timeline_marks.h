// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/bookmarks.h"
#include "ui/session/palette.h"
#include "ui/session/slice_search.h"

#include <qcustomplot.h>

#include <memory>
#include <optional>
#include <vector>

namespace ddp::ui {

struct TimelineScene;

/// What the user has marked in the timeline.
struct TimelineMarks {
    std::optional<TimeRange> range;
    std::vector<Bookmark> bookmarks;
    std::optional<std::size_t> bookmark; ///< the one that was gone to last
    std::shared_ptr<const SliceSearch> search;
};

/// Where the flags of the bookmarks in sight are, in the picture: a flag ends where the next one begins.
struct BookmarkFlag {
    std::size_t place; ///< in TimelineMarks::bookmarks
    QRect rect;        ///< of the flag; its pole goes down from the left edge
};
std::vector<BookmarkFlag> bookmarkFlags(const TimelineScene& scene, const QFontMetrics& metrics);

/// The range with its length, and the bookmarks, above the slices: on the layer that moves with the mouse.
class TimelineMarkPainter final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineMarkPainter(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawRange(QCPPainter& painter) const;
    void drawBookmarks(QCPPainter& painter) const;

    const TimelineScene& m_scene;
    const Palette& m_palette;
};

/// Frames around the slices that a search has found, a line below what is too narrow for a frame.
class TimelineHits final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineHits(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
