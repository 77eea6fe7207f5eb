// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_links.h"

#include "ui/timeline/timeline_coordinates.h"

#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = 4000; // lines may lead out of sight, but painters choke on huge coordinates
constexpr int kLineAlpha = 200;
constexpr int kManyAlpha = 80; // of many, which would hide what they lead through
constexpr int kLineDarker = 155;
constexpr double kMark = 4;
constexpr std::size_t kMarkRoom = 40; // pixels that each has on average

double clampedX(const TimelineScene& scene, Nanoseconds time) {
    return clampedPixel(time, scene.viewport.visible, scene.viewport.width, kMargin);
}

/// Where a slice lies; of a folded rank the row that is left of it. Nothing when none is.
std::optional<double> heightOf(const TimelineScene& scene, std::size_t rankIndex, LocationId location,
                               std::optional<int> depth) {
    const auto& rows = scene.layout.rows();
    if (const auto row = scene.layout.rowOf(location)) {
        const double top = depth ? TimelineLayout::depthTop(rows[*row], *depth) : rows[*row].top;
        const double height = depth ? TimelineLayout::kDepthHeight : rows[*row].height;
        return top + height / 2 - scene.viewport.scroll;
    }
    if (const auto header = scene.layout.headerOf(rankIndex)) {
        const bool summary = *header + 1 < rows.size() && rows[*header + 1].kind == RowKind::Summary;
        const TimelineRow& row = rows[*header + (summary ? 1 : 0)];
        return row.top + row.height / 2.0 - scene.viewport.scroll;
    }
    return std::nullopt;
}

std::optional<QPointF> endOf(const TimelineScene& scene, LocationId location, Nanoseconds time) {
    const auto y = heightOf(scene, scene.store->location(location).rankIndex, location, std::nullopt);
    return y ? std::optional(QPointF(clampedX(scene, time), *y)) : std::nullopt;
}

void drawArrow(QPainter& painter, QPointF from, QPointF to) {
    painter.drawLine(from, to);
    const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
    const auto corner = [&](double turn) {
        return to - 7 * QPointF(std::cos(angle + turn), std::sin(angle + turn));
    };
    painter.drawPolygon(QPolygonF{to, corner(0.4), corner(-0.4)});
}

} // namespace

TimelineLinks::TimelineLinks(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"main"_s), m_scene(scene), m_palette(palette) {}

void TimelineLinks::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineLinks::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

std::vector<std::size_t> TimelineLinks::linesInSight(const TimelineScene& scene) {
    std::vector<std::size_t> lines;
    if (!scene.collectives || scene.viewport.visible.empty())
        return lines;
    const auto most = static_cast<std::size_t>(std::max(0, scene.viewport.width / kRoom));
    const auto [first, last] = scene.collectives->touching(scene.viewport.visible);
    if (last - first > 4 * most) // the rest may end outside, or have one part only
        return lines;
    for (std::size_t i = first; i < last; ++i) {
        const CollectiveInstance& instance = scene.collectives->instance(i);
        const auto seen = [&](const CollectivePart& part) {
            return !part.range.clippedTo(scene.viewport.visible).empty();
        };
        if (CollectiveIndex::comparable(instance) && instance.parts.size() > 1 &&
            std::any_of(instance.parts.begin(), instance.parts.end(), seen))
            lines.push_back(i);
    }
    if (lines.size() > most)
        lines.clear();
    return lines;
}

std::vector<std::size_t> TimelineLinks::ranksInSight(const TimelineScene& scene) {
    const auto& rows = scene.layout.rows();
    const int scroll = scene.viewport.scroll;
    const auto [first, last] = scene.layout.rowsBetween(scroll, scroll + scene.viewport.height);
    std::vector<std::size_t> ranks;
    const auto add = [&](std::size_t rank) {
        if (ranks.empty() || ranks.back() != rank)
            ranks.push_back(rank);
    };
    const auto isHeader = [&](std::size_t i) { return rows[i].kind == RowKind::Rank; };
    if (first < rows.size() && first > 0) {
        std::size_t above = first; // the header of the first one, and what comes before it
        while (above > 0 && !isHeader(above))
            --above;
        if (above > 0)
            add(rows[above - 1].rankIndex);
    }
    for (std::size_t i = first; i < last; ++i)
        add(rows[i].rankIndex);
    for (std::size_t below = last; below < rows.size(); ++below)
        if (isHeader(below)) {
            add(rows[below].rankIndex);
            break;
        }
    return ranks;
}

QPolygonF TimelineLinks::endsOf(const TimelineScene& scene, const CollectiveInstance& instance,
                                const std::vector<std::size_t>& ranks) {
    QPolygonF ends;
    for (const std::size_t rank : ranks)
        if (const CollectivePart* part = CollectiveIndex::partOf(instance, rank))
            if (const auto y = heightOf(scene, rank, part->location, static_cast<int>(part->slice.lane)))
                ends.append({clampedX(scene, part->range.end), *y});
    return ends;
}

void TimelineLinks::draw(QCPPainter* painter) {
    if (!m_scene.store || m_scene.viewport.visible.empty())
        return;
    painter->save();
    painter->translate(clipRect().topLeft());
    drawLines(*painter);
    drawArrows(*painter);
    painter->restore();
}

void TimelineLinks::drawLines(QCPPainter& painter) const {
    const std::vector<std::size_t> lines = linesInSight(m_scene);
    if (lines.empty())
        return;
    const std::vector<std::size_t> ranks = ranksInSight(m_scene);
    const Colors& colors = m_palette.colors();
    QColor line = m_palette.activityColor(ActivityPart::Exposed).darker(kLineDarker);
    const bool marks = lines.size() * kMarkRoom <= static_cast<std::size_t>(m_scene.viewport.width);
    line.setAlpha(marks ? kLineAlpha : kManyAlpha);
    for (const std::size_t i : lines) {
        const CollectiveInstance& instance = m_scene.collectives->instance(i);
        painter.setPen(QPen(line, 1));
        painter.drawPolyline(endsOf(m_scene, instance, ranks));
        const CollectivePart* late =
            marks && instance.lateRank ? CollectiveIndex::partOf(instance, *instance.lateRank) : nullptr;
        if (!late)
            continue;
        const auto y = heightOf(m_scene, late->rankIndex, late->location, static_cast<int>(late->slice.lane));
        if (!y || *y < 0 || *y > m_scene.viewport.height)
            continue;
        // A mark at its begin, where the others wait for it.
        const double x = clampedX(m_scene, late->range.begin);
        painter.setPen(QPen(colors.base, 1));
        painter.setBrush(colors.warning);
        painter.drawPolygon(QPolygonF{{x, *y - kMark}, {x + kMark, *y}, {x, *y + kMark}, {x - kMark, *y}});
        painter.setBrush(Qt::NoBrush);
    }
}

void TimelineLinks::drawArrows(QCPPainter& painter) {
    if (!m_scene.messages || !m_scene.messages->inSight(m_scene.viewport.visible, kMostArrows, m_arrows))
        return;
    painter.setAntialiasing(true);
    painter.setPen(QPen(m_palette.colors().text, 1));
    painter.setBrush(m_palette.colors().text);
    for (const MessageArrow& arrow : m_arrows) {
        const auto from = endOf(m_scene, arrow.sender, arrow.sent);
        const auto to = endOf(m_scene, arrow.receiver, arrow.received);
        const double height = m_scene.viewport.height;
        const bool outside = !from || !to || (from->y() < 0 && to->y() < 0) ||
                             (from->y() > height && to->y() > height) || from->y() == to->y();
        if (!outside)
            drawArrow(painter, *from, *to);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setAntialiasing(false);
}

QString TimelineLinks::missingArrows(const TimelineScene& scene, LocationId location) {
    if (!scene.messages || !scene.messages->has(location))
        return {};
    std::vector<MessageArrow> arrows;
    if (!scene.messages->inSight(scene.viewport.visible, kMostArrows, arrows))
        return QObject::tr("Its messages are drawn as arrows where at most %1 are in sight: zoom in.")
            .arg(kMostArrows);
    return scene.messages->withheld() ? QObject::tr("Messages between ranks whose clocks can not be compared "
                                                    "are not drawn.")
                                      : QString();
}

} // namespace ddp::ui
