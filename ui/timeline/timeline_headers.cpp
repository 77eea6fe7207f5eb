// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_headers.h"

#include "ui/delegates/verdict_symbol.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_counters.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_links.h"

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kIndent = 22;
constexpr int kMargin = 8;
constexpr int kWidest = 240;
constexpr int kSymbol = 11;

QString laneName(const TraceStore& store, LocationId location) {
    return QString::fromStdString(store.location(location).name);
}

/// The first visible rank's header has been scrolled away: it is drawn at the top instead.
std::optional<std::size_t> stickyRank(const TimelineScene& scene) {
    const auto row = scene.layout.rowAt(scene.viewport.scroll);
    if (!row || scene.layout.rows()[*row].kind == RowKind::Rank)
        return std::nullopt;
    return scene.layout.rows()[*row].rankIndex;
}

/// Where the sticky header is drawn: pushed out by the next rank's, as soon as that comes near.
int stickyTop(const TimelineScene& scene) {
    const int scroll = scene.viewport.scroll;
    const auto [first, last] = scene.layout.rowsBetween(scroll, scroll + TimelineLayout::kRankHeight);
    for (std::size_t i = first; i < last; ++i)
        if (const TimelineRow& row = scene.layout.rows()[i]; row.kind == RowKind::Rank)
            return std::min(0, row.top - scroll - TimelineLayout::kRankHeight);
    return 0;
}

} // namespace

TimelineHeaders::TimelineHeaders(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"axes"_s), m_scene(scene), m_palette(palette) {}

void TimelineHeaders::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineHeaders::clipRect() const {
    return mParentPlot->viewport();
}

int TimelineHeaders::widthFor(const TraceStore& store, const QFontMetrics& metrics) {
    int width = std::max(140, kIndent + 2 * kMargin +
                                  metrics.horizontalAdvance(QObject::tr("overlap (host threads)")));
    // A run of thousands of ranks has few names of lanes; of ranks and hosts, one of each length will do.
    std::set<std::string> names;
    std::set<qsizetype> lengths;
    const auto take = [&](const QString& text, int beside) {
        width = std::max(width, kIndent + beside + metrics.horizontalAdvance(text));
    };
    for (const LocationInfo& location : store.locations())
        if (location.slices > 0 && names.insert(location.name).second && width < kWidest)
            take(QString::fromStdString(location.name), kMargin);
    for (const RankInfo& rank : store.ranks()) {
        const QString text = rankText(rank) + u"  "_s + QString::fromStdString(rank.host.value_or(""));
        if (lengths.insert(text.size()).second)
            take(text, 2 * kMargin);
    }
    return std::min(width, kWidest);
}

std::optional<std::size_t> TimelineHeaders::rankAt(const TimelineScene& scene, int y) {
    if (const auto sticky = stickyRank(scene)) {
        const int top = stickyTop(scene);
        if (y >= top && y < top + TimelineLayout::kRankHeight)
            return sticky;
    }
    const auto row = scene.layout.rowAt(y + scene.viewport.scroll);
    if (!row || scene.layout.rows()[*row].kind != RowKind::Rank)
        return std::nullopt;
    return scene.layout.rows()[*row].rankIndex;
}

QString TimelineHeaders::laneToolTip(const TimelineScene& scene, const TimelineRow& row) {
    const TraceStore& store = *scene.store;
    const RankLanes& lanes = scene.ranks[row.rankIndex];
    const RankInfo& rank = store.ranks()[row.rankIndex];
    if (row.kind == RowKind::Rank) {
        QString text = u"<p><b>%1</b>, %2</p><p>%3</p>"_s.arg(
            rankText(rank).toHtmlEscaped(),
            rank.host ? QString::fromStdString(*rank.host).toHtmlEscaped() : QObject::tr("host not known"),
            clockText(rank.clock));
        if (lanes.empty > 0)
            text +=
                u"<p>%1</p>"_s.arg(QObject::tr("Not drawn, because there is nothing to show: %1.")
                                       .arg(countText(static_cast<quint64>(lanes.empty),
                                                      QObject::tr("location"), QObject::tr("locations"))));
        if (scene.notes[row.rankIndex].dataLoss)
            text += u"<p>%1</p>"_s.arg(
                QObject::tr("Data of this rank was lost while reading; see the import issues."));
        return text + u"<p>%1</p>"_s.arg(QObject::tr("Click to fold or unfold its lanes."));
    }
    if (row.kind == RowKind::Counter)
        return TimelineCounters::toolTip(scene, row, std::nullopt);
    const LocationInfo& location = store.location(row.location);
    QString text = u"<p><b>%1</b> of %2</p><p>%3</p>"_s.arg(
                       QString::fromStdString(location.name).toHtmlEscaped(), rankText(rank).toHtmlEscaped(),
                       QObject::tr("%1 slices, nested %2 deep.").arg(location.slices).arg(row.depths)) +
                   TimelineGaps::toolTip(scene, row.location);
    if (const QString why = TimelineLinks::missingArrows(scene, row.location); !why.isEmpty())
        text += u"<p>%1</p>"_s.arg(why.toHtmlEscaped());
    return text;
}

void TimelineHeaders::draw(QCPPainter* painter) {
    const QRect rows = mParentPlot->axisRect()->rect();
    const Colors& colors = m_palette.colors();
    const int column = m_scene.headerWidth;
    painter->setFont(m_scene.font);
    // The ruler is drawn by the axis; its corner says from where its labels count.
    painter->fillRect(QRect(0, rows.top(), column, rows.height()), colors.base);
    painter->setClipRect(QRect(0, rows.top(), rows.right() + 1, rows.height()));
    const int scroll = m_scene.viewport.scroll;
    const auto [first, last] = m_scene.layout.rowsBetween(scroll, scroll + rows.height());
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_scene.layout.rows()[i];
        const int top = rows.top() + row.top - scroll;
        if (row.kind == RowKind::Rank) {
            drawRank(*painter, row.rankIndex, top, column);
        } else if (row.kind == RowKind::Summary) {
            drawSummary(*painter, row, top);
        } else {
            if (i % 2 == 0)
                painter->fillRect(QRect(0, top, column, row.height), colors.laneBand);
            if (row.kind == RowKind::Lane)
                drawLane(*painter, row, top);
            else
                drawCounter(*painter, row, top);
        }
    }
    if (const auto sticky = stickyRank(m_scene)) {
        const int top = rows.top() + stickyTop(m_scene);
        painter->fillRect(QRect(0, top, rows.right() + 1, TimelineLayout::kRankHeight), colors.header);
        drawRank(*painter, *sticky, top, column);
    }
    painter->setPen(QPen(colors.line, 1));
    painter->drawLine(QLine(column - 1, rows.top(), column - 1, rows.bottom()));
    painter->setClipping(false);
    painter->drawLine(QLine(0, rows.top() - 1, rows.right(), rows.top() - 1));
}

void TimelineHeaders::drawRank(QCPPainter& painter, std::size_t rankIndex, int top, int width) const {
    const Colors& colors = m_palette.colors();
    const RankInfo& rank = m_scene.store->ranks()[rankIndex];
    const int height = TimelineLayout::kRankHeight;
    painter.fillRect(QRect(0, top, width, height), colors.header);

    const bool folded = m_scene.folded.contains(rankIndex);
    const double middle = top + height / 2.0;
    painter.setAntialiasing(true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.muted);
    if (folded)
        painter.drawPolygon(QPolygonF{{9, middle - 4}, {14, middle}, {9, middle + 4}});
    else
        painter.drawPolygon(QPolygonF{{7, middle - 2.5}, {15, middle - 2.5}, {11, middle + 3}});
    painter.setAntialiasing(false);
    painter.setBrush(Qt::NoBrush);

    // The badges stand right of the column, where the bar of the rank is free.
    QFont bold = painter.font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colors.text);
    const QString name = rankText(rank);
    const QRect text(kIndent, top, width - kIndent - kMargin, height);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, text.width()));
    const int used = painter.fontMetrics().horizontalAdvance(name) + kMargin;
    bold.setBold(false);
    painter.setFont(bold);
    painter.setPen(colors.muted);
    if (rank.host && text.width() > used)
        painter.drawText(text.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(QString::fromStdString(*rank.host), Qt::ElideMiddle,
                                                          text.width() - used));

    int left = width + kMargin;
    if (m_scene.notes[rankIndex].clockNotAligned)
        drawBadge(painter, left, top, QObject::tr("clock not aligned"));
    if (m_scene.notes[rankIndex].dataLoss)
        drawBadge(painter, left, top, QObject::tr("data loss"));
    if (folded) {
        painter.setPen(colors.muted);
        painter.drawText(QRect(left, top, 300, height), Qt::AlignLeft | Qt::AlignVCenter,
                         QObject::tr("%1 folded")
                             .arg(countText(m_scene.ranks[rankIndex].lanes.size(), QObject::tr("lane"),
                                            QObject::tr("lanes"))));
    }
}

void TimelineHeaders::drawBadge(QCPPainter& painter, int& left, int top, const QString& text) const {
    const Colors& colors = m_palette.colors();
    const QRect box(left, top + 3, painter.fontMetrics().horizontalAdvance(text) + 30,
                    TimelineLayout::kRankHeight - 6);
    painter.setAntialiasing(true);
    painter.setPen(QPen(colors.warning, 1));
    painter.setBrush(colors.base);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    drawSymbol(painter, QRectF(box.left() + 6, box.center().y() - 5, 11, 11), Symbol::Warning, colors.warning,
               colors.base);
    painter.setAntialiasing(false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(colors.text);
    painter.drawText(box.adjusted(22, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    left = box.right() + kMargin;
}

void TimelineHeaders::drawSummary(QCPPainter& painter, const TimelineRow& row, int top) const {
    painter.setPen(m_palette.colors().muted);
    const QRect text(kIndent, top, m_scene.headerWidth - kIndent - kMargin, row.height);
    painter.drawText(
        text, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(summaryText(m_scene, row), Qt::ElideMiddle, text.width()));
}

void TimelineHeaders::drawLane(QCPPainter& painter, const TimelineRow& row, int top) const {
    const Colors& colors = m_palette.colors();
    painter.setPen(colors.text);
    // The name stays in sight while a tall lane is scrolled through, below the sticky header of its rank.
    const int ceiling = mParentPlot->axisRect()->top() + TimelineLayout::kRankHeight;
    const int lowest = top + row.height - TimelineLayout::kDepthHeight - TimelineLayout::kLanePadding;
    const int line = std::min(std::max(top + TimelineLayout::kLanePadding, ceiling), lowest);
    int room = m_scene.headerWidth - kIndent - kMargin;
    if (m_scene.lostOf(row.location)) {
        room -= kSymbol + kMargin;
        drawSymbol(painter,
                   QRectF(kIndent + room + kMargin, line + (TimelineLayout::kDepthHeight - kSymbol) / 2,
                          kSymbol, kSymbol),
                   Symbol::Warning, colors.warning, colors.base);
        painter.setPen(colors.text);
    }
    const QRect text(kIndent, line, room, TimelineLayout::kDepthHeight);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(laneName(*m_scene.store, row.location), Qt::ElideMiddle,
                                                      text.width()));
}

/// Its name, and below it what the top of its area stands for.
void TimelineHeaders::drawCounter(QCPPainter& painter, const TimelineRow& row, int top) const {
    const TraceStore& store = *m_scene.store;
    const Counter& counter = store.records().counters()[row.counter];
    const std::string_view name = store.text(counter.name);
    const QRect upper(kIndent, top + 2, m_scene.headerWidth - kIndent - kMargin, row.height / 2 - 2);
    painter.setPen(m_palette.colors().text);
    painter.drawText(
        upper, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                                         Qt::ElideMiddle, upper.width()));
    if (!m_scene.counters)
        return;
    const CounterSeries& series = m_scene.counters->series[row.counter];
    const double least = TimelineCounters::axisMinimum(series);
    painter.setPen(m_palette.colors().muted);
    painter.drawText(upper.translated(0, upper.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     QObject::tr("%1 to %2")
                         .arg(least < 0 ? valueText(least, store.text(counter.unit)) : u"0"_s,
                              valueText(TimelineCounters::axisMaximum(series), store.text(counter.unit))));
}

} // namespace ddp::ui
