// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QWidget>

namespace ddp::ui {

/// "exposed communication", or only "exposed".
QString activityText(ActivityPart part, bool full);

/// What the colours and patterns of the overlap rows mean, in one line.
class OverlapLegend final : public QWidget {
    Q_OBJECT

public:
    explicit OverlapLegend(const Palette& palette, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthOf(bool fullWords) const;

    const Palette& m_palette;
};

} // namespace ddp::ui
