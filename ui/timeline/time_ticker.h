// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_ruler.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// Puts a Ruler on an axis whose coordinates are nanoseconds since the visible begin.
class TimeTicker final : public QCPAxisTicker {
public:
    void setRuler(Ruler ruler, TimeRange visible);
    const Ruler& ruler() const { return m_ruler; }

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
                  QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    Ruler m_ruler;
    TimeRange m_visible;
};

} // namespace ddp::ui
