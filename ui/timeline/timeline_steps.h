// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/step_marks.h"
#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// The steps: their numbers in a strip above the ruler, of the topmost rank that has any, and where they
/// begin as thin lines, in the rows of each rank its own.
class TimelineSteps final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineSteps(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    /// The rank whose steps the strip numbers; nothing when no rank in sight has steps.
    static std::optional<std::size_t> numberedRank(const TimelineScene& scene);
    /// What the strip says at pixel `x` of the viewport.
    static QString toolTip(const TimelineScene& scene, int x);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawStrip(QCPPainter& painter, std::size_t rankIndex) const;
    void drawNumber(QCPPainter& painter, const StepMark& mark, int width) const;
    void drawLines(QCPPainter& painter) const;

    const TimelineScene& m_scene;
    const Palette& m_palette;
};

} // namespace ddp::ui
