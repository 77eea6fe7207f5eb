// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// The column at the left: rank with host and warnings, lane names. It stays while the time moves, and the
/// rank of the topmost lane stays in sight while the rows move.
class TimelineHeaders final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineHeaders(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    /// A width at which the names are not cut, within reason.
    static int widthFor(const TraceStore& store, const QFontMetrics& metrics);
    /// The rank whose header is drawn at `y` of the rows' area, the one that sticks to the top included.
    static std::optional<std::size_t> rankAt(const TimelineScene& scene, int y);
    static QString laneToolTip(const TimelineScene& scene, const TimelineRow& row);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawRank(QCPPainter& painter, std::size_t rankIndex, int top, int width) const;
    void drawSummary(QCPPainter& painter, const TimelineRow& row, int top) const;
    void drawLane(QCPPainter& painter, const TimelineRow& row, int top) const;
    void drawCounter(QCPPainter& painter, const TimelineRow& row, int top) const;
    void drawBadge(QCPPainter& painter, int& right, int top, const QString& text) const;

    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
