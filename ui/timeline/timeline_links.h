// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// What leads from one rank to another: collectives as thin lines through the ends of their parts, messages
/// as arrows. Both only where they have room, and only between clocks that may be compared.
class TimelineLinks final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineLinks(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    static constexpr std::size_t kMostArrows = 400;
    static constexpr int kRoom = 12; ///< pixels that each line has on average

    /// The collectives whose lines are drawn, as places in the index; none when there are too many.
    static std::vector<std::size_t> linesInSight(const TimelineScene& scene);
    /// The ranks of the rows in sight, from top to bottom, and one above and below.
    static std::vector<std::size_t> ranksInSight(const TimelineScene& scene);
    /// Where each of the ranks ends its part, in the viewport; of a folded rank on what is left of it.
    static QPolygonF endsOf(const TimelineScene& scene, const CollectiveInstance& instance,
                            const std::vector<std::size_t>& ranks);
    /// Says at a lane why its messages are not drawn; empty when they are, or there are none.
    static QString missingArrows(const TimelineScene& scene, LocationId location);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawLines(QCPPainter& painter) const;
    void drawArrows(QCPPainter& painter);

    const TimelineScene& m_scene;
    const Palette& m_palette;
    std::vector<MessageArrow> m_arrows;
};

/// Around a collective that the mouse is on or that is selected: frames around its parts on all ranks, the
/// line through their ends, and which rank is late. Moves with the mouse, so it is on the overlay.
class CollectiveHighlight final : public QCPLayerable {
    Q_OBJECT

public:
    CollectiveHighlight(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    /// What is highlighted: of the slice under the mouse, else of the selected one.
    static std::optional<std::size_t> shown(const TimelineScene& scene);
    /// Rich text for the slice's tool tip; empty for one that is no part of a collective.
    static QString toolTip(const TimelineScene& scene, const SliceRef& slice);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawLate(QCPPainter& painter, const CollectiveInstance& instance, const QRectF& part) const;

    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
