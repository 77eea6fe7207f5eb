// SPDX-License-Identifier: GPL-3.0-or-later
// What the overview shows; mouse and keys are in overview_strip_input.cpp.
#include "ui/timeline/overview_strip.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_coordinates.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 3; // above and below the run
constexpr int kMargin = 8;
constexpr int kLeastFrame = 3; // pixels: a short window is never invisible
constexpr int kGripHeight = 14;
constexpr int kHitHeight = 4;
constexpr int kDimAlpha = 165;

} // namespace

OverviewStrip::OverviewStrip(const Parts& parts, QWidget* parent) : QWidget(parent), m_parts(parts) {
    setObjectName(u"overviewStrip"_s);
    setAccessibleName(tr("Overview of the whole run"));
    setAccessibleDescription(tr(
        "The visible window is framed. Left and Right move it, Up and Down zoom, Home shows the whole run."));
    setToolTip(tr("The whole run, with the visible window framed. Drag its edges or its inside, drag beside "
                  "it to choose another window, double click for the whole run."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_parts.session, &TraceSession::changed, this, &OverviewStrip::refresh);
    connect(&m_parts.analysis, &AnalysisSession::changed, this, &OverviewStrip::refresh);
    // With another width of the rows, too; the rows have theirs after this one's resize.
    connect(&m_parts.canvas, &TimelineCanvas::scrollChanged, this, [this] {
        refresh();
        update();
    });
    connect(&m_parts.palette, &Palette::changed, this, [this] {
        m_run = {};
        update();
    });
    refresh();
}

QSize OverviewStrip::sizeHint() const {
    return {400, std::max(40, 2 * fontMetrics().height() + 2 * kPadding)};
}

QRect OverviewStrip::area() const {
    const TimelineScene& scene = m_parts.canvas.scene();
    const int left = mapFromGlobal(m_parts.canvas.mapToGlobal(QPoint(scene.headerWidth, 0))).x();
    return {left, kPadding, scene.viewport.width, height() - 2 * kPadding};
}

QRect OverviewStrip::frame() const {
    const QRect room = area();
    const TimeRange visible = m_parts.view.visible();
    const TimeRange run = m_parts.view.extent();
    auto left = static_cast<int>(std::lround(clampedPixel(visible.begin, run, room.width(), 0)));
    auto right = static_cast<int>(std::lround(clampedPixel(visible.end, run, room.width(), 0)));
    const int missing = kLeastFrame - (right - left);
    if (missing > 0) {
        left = std::clamp(left - missing / 2, 0, std::max(0, room.width() - kLeastFrame));
        right = left + kLeastFrame;
    }
    return {room.left() + left, room.top(), right - left, room.height()};
}

/// Asks when the run, what is known of it, or the width is another one.
void OverviewStrip::refresh() {
    const auto& store = m_parts.session.store();
    const auto& analysis = m_parts.analysis.run();
    const int width = area().width();
    if (store == m_store && analysis == m_analysis && width == m_width)
        return;
    if (store != m_store) {
        m_parts.runner.drop(m_slot);
        m_columns = {};
        m_search.reset();
        m_run = {};
        update();
    }
    m_store = store;
    m_analysis = analysis;
    m_width = width;
    if (m_store && m_width > 0)
        ask();
}

void OverviewStrip::ask() {
    m_parts.runner.start(
        m_slot, tr("Drawing the overview"),
        [store = m_store, columns = m_width,
         run = m_analysis](TaskContext& context) -> Result<OverviewColumns> {
            OverviewColumns found = overviewOf(*store, run.get(), columns, context.stop);
            if (context.stop.stop_requested())
                return fail(ErrorCode::Cancelled, "The question is not asked any more.");
            return found;
        },
        this,
        [this](Result<OverviewColumns> answer) {
            if (answer)
                m_columns = std::move(*answer);
            m_run = {};
            update();
        });
}

void OverviewStrip::setSearch(std::shared_ptr<const SliceSearch> search) {
    m_search = std::move(search);
    update();
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
    m_run = {};
}

void OverviewStrip::paintRun() {
    const QSize size = area().size();
    const qreal ratio = devicePixelRatioF();
    m_run = QPixmap(size * ratio);
    m_run.setDevicePixelRatio(ratio);
    m_run.fill(m_parts.palette.activityColor(ActivityPart::Idle));
    QPainter painter(&m_run);
    drawColumns(painter, size);
}

void OverviewStrip::drawColumns(QPainter& painter, const QSize& size) const {
    const std::size_t count = std::max(m_columns.parts.size(), m_columns.density.size());
    const auto edge = [&](std::size_t column) {
        return static_cast<int>(column * static_cast<std::size_t>(size.width()) / count);
    };
    for (std::size_t column = 0; column < count; ++column) {
        const QRect cell(edge(column), 0, edge(column + 1) - edge(column), size.height());
        if (!m_columns.density.empty()) {
            const int filled = static_cast<int>(std::lround(m_columns.density[column] * cell.height()));
            painter.fillRect(QRect(cell.left(), cell.height() - filled, cell.width(), filled),
                             m_parts.palette.activityColor(ActivityPart::Compute));
            continue;
        }
        double until = 0;
        for (std::size_t part = 0; part + 1 < kStackedParts.size(); ++part) { // the rest is idle
            const int top = static_cast<int>(std::lround(until * cell.height()));
            until += m_columns.parts[column][part];
            const int bottom = static_cast<int>(std::lround(until * cell.height()));
            painter.fillRect(QRect(cell.left(), top, cell.width(), bottom - top),
                             m_parts.palette.activityBrush(kStackedParts[part]));
        }
    }
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    const Colors& colors = m_parts.palette.colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.base);
    const QRect room = area();
    if (!m_parts.session.store() || room.isEmpty())
        return;
    if (m_run.isNull())
        paintRun();
    painter.drawPixmap(room.topLeft(), m_run);
    drawHits(painter);
    drawFrame(painter);
    drawTimes(painter);
}

void OverviewStrip::drawFrame(QPainter& painter) const {
    const Colors& colors = m_parts.palette.colors();
    const QRect room = area();
    const QRect box = frame();
    QColor dim = colors.base;
    dim.setAlpha(kDimAlpha);
    painter.fillRect(QRect(room.topLeft(), QPoint(box.left() - 1, room.bottom())), dim);
    painter.fillRect(QRect(QPoint(box.right() + 1, room.top()), room.bottomRight()), dim);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.muted, hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    if (box.width() < 4 * kLeastFrame)
        return;
    for (const int x : {box.left(), box.right() - 3}) { // what the hand takes
        const QRect grip(x, box.center().y() - kGripHeight / 2, 4, kGripHeight);
        painter.fillRect(grip, colors.accent);
    }
}

void OverviewStrip::drawHits(QPainter& painter) const {
    if (!m_search || m_search->store() != m_parts.session.store())
        return;
    const QRect room = area();
    for (std::size_t place = 0; place < SliceSearch::kPlaces; ++place) {
        if (!m_search->places()[place])
            continue;
        const int x = room.left() +
                      static_cast<int>(place * static_cast<std::size_t>(room.width()) / SliceSearch::kPlaces);
        painter.fillRect(QRect(x, room.bottom() - kHitHeight + 1, 2, kHitHeight),
                         m_parts.palette.colors().selection);
    }
}

void OverviewStrip::drawTimes(QPainter& painter) const {
    const int width = area().left() - 2 * kMargin;
    const TimeRange visible = m_parts.view.visible();
    const QRect upper(kMargin, 0, width, height() / 2);
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(m_parts.palette.colors().muted);
    const auto draw = [&](const QRect& room, const QString& text) {
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideLeft, room.width()));
    };
    draw(upper, tr("from %1").arg(pointText(visible.begin)));
    draw(upper.translated(0, height() / 2), tr("to %1").arg(pointText(visible.end)));
}

} // namespace ddp::ui
