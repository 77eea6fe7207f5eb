// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// Hatches the part of a lane of which the trace has nothing, because it could not be read.
class TimelineGaps final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineGaps(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    /// What is missing from the lane, as the import says it; empty where nothing is.
    static QString toolTip(const TimelineScene& scene, LocationId location);
    /// Whether it is missing at pixel `x` of the viewport.
    static bool isMissingAt(const TimelineScene& scene, LocationId location, int x);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
