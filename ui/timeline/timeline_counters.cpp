// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_counters.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"

#include <algorithm>
#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kFullAlpha = 150;
constexpr int kPalerAlpha = 70;

QString paragraph(const QString& text) {
    return u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

QString modeText(const Counter& counter) {
    switch (counter.mode) {
    case CounterMode::Accumulated:
        return QObject::tr("It adds up from the start of the measurement.");
    case CounterMode::Relative:
        return QObject::tr("Each value is the change since the one before.");
    case CounterMode::Absolute:
        break;
    }
    return {};
}

/// Where a value stands, in pixels below the top of an area.
double levelOf(double value, double bottom, double top, int height) {
    return top > bottom ? height * (top - value) / (top - bottom) : height;
}

/// Between two heights, at least a pixel, so that a value of 0 is seen to be one.
QRect barOf(int left, int right, double from, double to, int height) {
    const int high = std::min(static_cast<int>(std::lround(std::min(from, to))), height - 1);
    const int low = std::max(static_cast<int>(std::lround(std::max(from, to))), high + 1);
    return {left, high, right - left, low - high};
}

} // namespace

TimelineCounters::TimelineCounters(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"main"_s), m_scene(scene), m_palette(palette) {}

void TimelineCounters::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineCounters::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

double TimelineCounters::axisMaximum(const CounterSeries& series) {
    return std::max(0.0, series.all().most);
}

double TimelineCounters::axisMinimum(const CounterSeries& series) {
    return std::min(0.0, series.all().least);
}

QString TimelineCounters::toolTip(const TimelineScene& scene, const TimelineRow& row, std::optional<int> x) {
    const TraceStore& store = *scene.store;
    const Counter& counter = store.records().counters()[row.counter];
    const auto text = [&store](StringId id) {
        const std::string_view in = store.text(id);
        return QString::fromUtf8(in.data(), static_cast<qsizetype>(in.size()));
    };
    QString tip = u"<p><b>%1</b> of %2</p>"_s.arg(text(counter.name).toHtmlEscaped(),
                                                  rankText(store.ranks()[row.rankIndex]).toHtmlEscaped());
    if (!scene.counters)
        return tip + paragraph(QObject::tr("Its values are being read."));
    const CounterSeries& series = scene.counters->series[row.counter];
    const auto value = [&](double number) { return valueText(number, store.text(counter.unit)); };
    if (x) {
        const Nanoseconds time = pixelToTime(*x, scene.viewport.visible, scene.viewport.width);
        const auto sample = series.at(time, store.clock(store.location(counter.location).rankIndex));
        tip += paragraph(sample ? QObject::tr("%1 at %2.").arg(value(series.value(*sample)), pointText(time))
                                : QObject::tr("It has no value at %1.").arg(pointText(time)));
    }
    tip += paragraph(QObject::tr("In the whole run from %1 to %2, in %3.")
                         .arg(value(series.all().least), value(series.all().most),
                              countText(series.size(), QObject::tr("sample"), QObject::tr("samples"))));
    for (const QString& more : {text(counter.description), modeText(counter)})
        if (!more.isEmpty())
            tip += paragraph(more);
    return tip;
}

void TimelineCounters::draw(QCPPainter* painter) {
    if (!m_scene.counters)
        return;
    const QRect area = clipRect();
    const int scroll = m_scene.viewport.scroll;
    const auto [first, last] = m_scene.layout.rowsBetween(scroll, scroll + m_scene.viewport.height);
    painter->save();
    painter->translate(area.topLeft());
    painter->setPen(Qt::NoPen);
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_scene.layout.rows()[i];
        if (row.kind == RowKind::Counter)
            drawArea(*painter, row.counter,
                     QRect(0, row.top - scroll + kPadding, area.width(), row.height - kPadding - 1));
    }
    painter->restore();
}

const TimelineCounters::Columns& TimelineCounters::columnsOf(std::size_t counter) {
    const TimelineViewport& viewport = m_scene.viewport;
    if (m_of != m_scene.counters || m_visible != viewport.visible || m_width != viewport.width) {
        m_columns.clear();
        m_of = m_scene.counters;
        m_visible = viewport.visible;
        m_width = viewport.width;
    }
    const auto [entry, isNew] = m_columns.try_emplace(counter);
    if (isNew) {
        const Counter& info = m_scene.store->records().counters()[counter];
        const std::int64_t most = std::min<std::int64_t>(m_width, m_visible.length().count);
        m_of->series[counter].columns(m_visible, static_cast<std::size_t>(std::max<std::int64_t>(0, most)),
                                      m_scene.store->clock(m_scene.store->location(info.location).rankIndex),
                                      entry->second);
    }
    return entry->second;
}

void TimelineCounters::addBars(const Columns& columns, const CounterSeries& series, QSize size,
                               std::vector<Bar>& out) {
    const double top = axisMaximum(series);
    const double bottom = axisMinimum(series);
    const auto level = [&](double value) { return levelOf(value, bottom, top, size.height()); };
    const auto left = [&](std::size_t column) {
        return static_cast<int>(column * static_cast<std::size_t>(size.width()) / columns.size());
    };
    for (std::size_t i = 0; i < columns.size();) {
        const auto& here = columns[i];
        const int from = left(i);
        while (++i < columns.size() && columns[i] == here) {
        }
        if (!here)
            continue;
        const ValueRange value = *here;
        if (value.most > value.least)
            out.push_back(
                {barOf(from, left(i), level(value.least), level(value.most), size.height()), false});
        // What all of the column has.
        const double nearest = value.least >= 0 ? value.least : std::min(0.0, value.most);
        out.push_back({barOf(from, left(i), level(0), level(nearest), size.height()), true});
    }
}

void TimelineCounters::drawArea(QCPPainter& painter, std::size_t counter, const QRect& area) {
    m_bars.clear();
    const Columns& columns = columnsOf(counter);
    addBars(columns, m_of->series[counter], area.size(), m_bars);
    QColor full = m_palette.colors().muted;
    QColor paler = full;
    full.setAlpha(kFullAlpha);
    paler.setAlpha(kPalerAlpha);
    if (!RowRaster::suits(painter)) {
        for (const Bar& bar : m_bars)
            painter.fillRect(bar.rect.translated(area.topLeft()), bar.full ? full : paler);
        return;
    }
    const BrushPixels fullPixels{QBrush(full)};
    const BrushPixels palerPixels{QBrush(paler)};
    m_row.begin(painter, area.width(), area.height());
    for (const Bar& bar : m_bars)
        m_row.fill(bar.rect, bar.full ? fullPixels : palerPixels);
    m_row.draw(painter, area.left(), area.top(), area.height());
}

} // namespace ddp::ui
