// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_ticker.h"

namespace ddp::ui {

void TimeTicker::setRuler(Ruler ruler, TimeRange visible) {
    m_ruler = std::move(ruler);
    m_visible = visible;
}

void TimeTicker::generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                          QVector<double>* subTicks, QVector<QString>* tickLabels) {
    const auto relative = [this](std::int64_t time) {
        return static_cast<double>(time - m_visible.begin.count);
    };
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->clear();
    for (const RulerTick& tick : m_ruler.ticks) {
        ticks.append(relative(tick.time.count));
        if (tickLabels)
            tickLabels->append(tick.label);
    }
    if (!subTicks || m_ruler.ticks.empty() || m_ruler.subdivisions < 2)
        return;
    const std::int64_t part = m_ruler.step.count / m_ruler.subdivisions;
    if (part == 0)
        return;
    const std::int64_t first = m_ruler.ticks.front().time.count - m_ruler.step.count;
    for (std::int64_t t = first; t <= m_visible.end.count; t += part) {
        if (t >= m_visible.begin.count && t % m_ruler.step.count != 0)
            subTicks->append(relative(t));
    }
}

} // namespace ddp::ui
