// SPDX-License-Identifier: GPL-3.0-or-later
// CollectiveHighlight of timeline_links.h.
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_links.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

CollectiveHighlight::CollectiveHighlight(QCustomPlot* plot, const TimelineScene& scene,
                                         const Palette& palette)
    : QCPLayerable(plot, u"overlay"_s), m_scene(scene), m_palette(palette) {}

void CollectiveHighlight::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect CollectiveHighlight::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

std::optional<std::size_t> CollectiveHighlight::shown(const TimelineScene& scene) {
    if (!scene.collectives)
        return std::nullopt;
    for (const auto& slice : {scene.hovered, scene.selected})
        if (slice)
            if (const auto found = scene.collectives->of(*slice))
                return found;
    return std::nullopt;
}

void CollectiveHighlight::draw(QCPPainter* painter) {
    const auto shownOne = shown(m_scene);
    if (!shownOne)
        return;
    const CollectiveInstance& instance = m_scene.collectives->instance(*shownOne);
    if (instance.parts.size() < 2)
        return;
    const std::vector<std::size_t> ranks = TimelineLinks::ranksInSight(m_scene);
    const Colors& colors = m_palette.colors();
    painter->save();
    painter->translate(clipRect().topLeft());
    painter->setBrush(Qt::NoBrush);
    if (CollectiveIndex::comparable(instance)) {
        painter->setPen(QPen(colors.accent, 2));
        painter->drawPolyline(TimelineLinks::endsOf(m_scene, instance, ranks));
    }
    for (const std::size_t rank : ranks) {
        const CollectivePart* part = CollectiveIndex::partOf(instance, rank);
        if (!part)
            continue;
        const auto rect = sliceRect(*m_scene.store, m_scene.layout, m_scene.viewport,
                                    {part->location, part->slice.lane, part->slice.row});
        if (!rect)
            continue;
        const bool late = instance.lateRank == rank;
        painter->setPen(QPen(late ? colors.warning : colors.accent, 2));
        painter->drawRect(rect->adjusted(-1, 0, 1, 0));
        if (late)
            drawLate(*painter, instance, *rect);
    }
    painter->restore();
}

/// A flag before its begin, or inside where there is no room.
void CollectiveHighlight::drawLate(QCPPainter& painter, const CollectiveInstance& instance,
                                   const QRectF& part) const {
    const Colors& colors = m_palette.colors();
    const QString text = QObject::tr("late by %1").arg(durationText(*instance.skew));
    const int width = painter.fontMetrics().horizontalAdvance(text) + 10;
    const int left = std::max(0, static_cast<int>(part.left()) - width - 4);
    const QRect flag(left, static_cast<int>(part.top()), width, static_cast<int>(part.height()));
    painter.fillRect(flag, colors.base);
    painter.setPen(QPen(colors.warning, 1));
    painter.drawRect(flag.adjusted(0, 0, -1, -1));
    painter.setPen(colors.text);
    painter.drawText(flag, Qt::AlignCenter, text);
}

QString CollectiveHighlight::toolTip(const TimelineScene& scene, const SliceRef& slice) {
    const auto found = scene.collectives ? scene.collectives->of(slice) : std::nullopt;
    if (!found)
        return {};
    const CollectiveInstance& instance = scene.collectives->instance(*found);
    if (instance.parts.size() < 2)
        return u"<p>%1</p>"_s.arg(
            QObject::tr("A collective that no other rank of this run takes part in.").toHtmlEscaped());
    const auto ranks = countText(instance.parts.size(), QObject::tr("rank"), QObject::tr("ranks"));
    QString text = instance.confident && instance.transfer
                       ? QObject::tr("A collective of %1; its transfer takes %2.")
                             .arg(ranks, durationText(*instance.transfer))
                       : QObject::tr("A collective of %1, as far as its order says.").arg(ranks);
    const std::size_t rank = scene.store->location(slice.location).rankIndex;
    const CollectivePart* part = CollectiveIndex::partOf(instance, rank);
    if (part && part->wait)
        text += u' ' + QObject::tr("%1 of this slice are waiting.").arg(durationText(*part->wait));
    if (instance.lateRank)
        text +=
            u' ' + QObject::tr("%1 is late by %2.")
                       .arg(rankText(scene.store->ranks()[*instance.lateRank]), durationText(*instance.skew));
    else if (!CollectiveIndex::comparable(instance))
        text += u' ' + QObject::tr("Who is late is not said, because clocks or durations do not allow it.");
    return u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

} // namespace ddp::ui
