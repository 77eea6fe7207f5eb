// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// What moves with the mouse: the line at the cursor with its time, the frame around the slice under it, and
/// the frame around the selected one. On a layer of its own, so that moving the mouse repaints no slice.
class TimelineOverlay final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineOverlay(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawFrame(QCPPainter& painter, const SliceRef& slice, double width) const;
    void drawCursor(QCPPainter& painter) const;

    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
