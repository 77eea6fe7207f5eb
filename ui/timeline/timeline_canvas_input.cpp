// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keys, menu and tool tips of TimelineCanvas; the picture is in timeline_canvas.cpp.
#include "ui/timeline/timeline_canvas.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_counters.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_headers.h"
#include "ui/timeline/timeline_links.h"
#include "ui/timeline/timeline_steps.h"
#include "ui/timeline/timeline_tool_tip.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QToolTip>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPanStep = 0.15; // of the window, per key or notch of the wheel
constexpr int kNotch = 120;       // Qt's unit of the wheel

} // namespace

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        QCustomPlot::keyPressEvent(event);
        return;
    }
    constexpr int kRowStep = 3 * TimelineLayout::kDepthHeight;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_A:
    case Qt::Key_Left:
        return panBy(-kPanStep);
    case Qt::Key_D:
    case Qt::Key_Right:
        return panBy(kPanStep);
    case Qt::Key_F:
    case Qt::Key_Home:
        return m_view.fit();
    case Qt::Key_Up:
        return setScroll(scroll() - kRowStep);
    case Qt::Key_Down:
        return setScroll(scroll() + kRowStep);
    case Qt::Key_PageUp:
        return setScroll(scroll() - m_scene.viewport.height);
    case Qt::Key_PageDown:
        return setScroll(scroll() + m_scene.viewport.height);
    case Qt::Key_Comma:
        return selectNeighbour(-1);
    case Qt::Key_Period:
        return selectNeighbour(+1);
    case Qt::Key_Z:
        return m_view.range() ? zoomToRange() : zoomToSelection();
    case Qt::Key_Escape:
        m_view.select(std::nullopt);
        return m_view.setRange(std::nullopt);
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = true;
    m_dragging = false;
    m_pressedAt = event->position().toPoint();
    m_pressedVisible = m_view.visible();
    m_pressedScroll = scroll();
    const QPoint at = inRows(m_pressedAt);
    const bool marks = at.y() < 0 || event->modifiers() & Qt::ShiftModifier;
    m_rangeFrom =
        marks && at.x() >= 0 && m_scene.store ? std::optional(timeUnder(m_pressedAt)) : std::nullopt;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    const QPoint moved = position - m_pressedAt;
    if (m_pressed && !m_dragging && moved.manhattanLength() >= QApplication::startDragDistance()) {
        m_dragging = true;
        setCursor(m_rangeFrom ? Qt::SizeHorCursor : Qt::ClosedHandCursor);
    }
    const QPoint at = inRows(position);
    m_scene.cursorX = at.x() >= 0 && m_scene.store ? std::optional(at.x()) : std::nullopt;
    if (m_dragging) {
        dragTo(position);
        m_scene.hovered.reset();
    } else {
        m_scene.hovered = sliceAtPosition(position);
        const bool onRank = at.y() >= 0 && m_scene.store && TimelineHeaders::rankAt(m_scene, at.y());
        const bool onRuler = at.x() >= 0 && at.y() < 0;
        setCursor(onRank || m_scene.hovered || flagAt(position) ? Qt::PointingHandCursor
                  : onRuler                                     ? Qt::CrossCursor
                                                                : Qt::ArrowCursor);
    }
    repaintOverlay();
}

/// Marks a range, or moves the picture.
void TimelineCanvas::dragTo(const QPoint& position) {
    if (m_rangeFrom) {
        const Nanoseconds to = timeUnder(position);
        m_view.setRange(TimeRange{std::min(*m_rangeFrom, to), std::max(*m_rangeFrom, to)});
        return;
    }
    const QPoint moved = position - m_pressedAt;
    if (inRows(m_pressedAt).x() >= 0) {
        const Nanoseconds start = pixelToTime(0, m_pressedVisible, m_scene.viewport.width);
        const Nanoseconds now = pixelToTime(moved.x(), m_pressedVisible, m_scene.viewport.width);
        const Nanoseconds distance = start - now;
        m_view.setVisible({m_pressedVisible.begin + distance, m_pressedVisible.end + distance});
    }
    setScroll(m_pressedScroll - moved.y());
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    const bool click = !m_dragging;
    m_pressed = false;
    m_dragging = false;
    setCursor(Qt::ArrowCursor);
    if (!click || !m_scene.store)
        return;
    const QPoint position = event->position().toPoint();
    const QPoint at = inRows(position);
    if (const auto flag = flagAt(position))
        Q_EMIT bookmarkClicked(flag->place);
    else if (const auto rank = at.y() >= 0 ? TimelineHeaders::rankAt(m_scene, at.y()) : std::nullopt)
        toggleFold(*rank);
    else if (at.x() >= 0) {
        m_view.select(sliceAtPosition(position));
        if (m_view.range() && !m_view.range()->contains(timeUnder(position)))
            m_view.setRange(std::nullopt);
    }
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (event->button() != Qt::LeftButton || inRows(position).x() < 0)
        return;
    if (m_view.range() && m_view.range()->contains(timeUnder(position)))
        return zoomToRange();
    const auto slice = sliceAtPosition(position);
    if (!slice)
        return;
    m_view.select(slice);
    zoomToSelection();
}

void TimelineCanvas::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    m_scene.cursorX.reset();
    m_scene.hovered.reset();
    repaintOverlay();
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    repaintOverlay();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    repaintOverlay();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    QPoint delta = event->angleDelta();
    const QPoint at = inRows(event->position().toPoint());
    event->accept();
    if (event->modifiers() & Qt::ShiftModifier && delta.x() == 0)
        delta = delta.transposed();
    if (at.x() < 0 && delta.y() != 0) { // over the headers: through the rows
        setScroll(scroll() - delta.y() * 3 * TimelineLayout::kDepthHeight / kNotch);
        return;
    }
    m_scene.cursorX = std::max(0, at.x());
    if (std::abs(delta.x()) > std::abs(delta.y()))
        panBy(-kPanStep * delta.x() / kNotch);
    else if (delta.y() > 0)
        zoomIn();
    else if (delta.y() < 0)
        zoomOut();
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    takeViewport();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    takeFont();
    if (m_scene.store)
        setHeaderWidth(TimelineHeaders::widthFor(*m_scene.store, QFontMetrics(m_scene.font)));
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_scene.store)
        return;
    QMenu menu(this);
    if (const auto slice = sliceAtPosition(event->pos())) {
        m_view.select(slice);
        menu.addAction(tr("Zoom to this slice\tZ"), this, &TimelineCanvas::zoomToSelection);
        const SliceLane& lane = m_scene.store->lanes(slice->location)[slice->depth];
        const QString name = QString::fromUtf8(m_scene.store->regionName(lane.region(slice->row)));
        menu.addAction(tr("Copy its name"), this, [name] { QApplication::clipboard()->setText(name); });
        menu.addSeparator();
    }
    if (m_view.range())
        menu.addAction(tr("Zoom to the marked range\tZ"), this, &TimelineCanvas::zoomToRange);
    if (inRows(event->pos()).x() >= 0)
        Q_EMIT menuOpening(&menu, event->pos(), timeUnder(event->pos()));
    menu.addAction(tr("Show the whole trace\tF"), &m_view, &ViewState::fit);
    menu.addAction(tr("Fold all ranks"), this, [this] { foldAll(true); });
    menu.addAction(tr("Unfold all ranks"), this, [this] { foldAll(false); });
    menu.exec(event->globalPos());
}

bool TimelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QCustomPlot::event(event);
}

std::optional<BookmarkFlag> TimelineCanvas::flagAt(const QPoint& position) const {
    for (const BookmarkFlag& flag : bookmarkFlags(m_scene, QFontMetrics(m_scene.font)))
        if (flag.rect.contains(position))
            return flag;
    return std::nullopt;
}

QString TimelineCanvas::toolTipAt(const QPoint& position) const {
    if (!m_scene.store)
        return {};
    if (const auto flag = flagAt(position)) {
        const Bookmark& mark = m_scene.marks.bookmarks[flag->place];
        return u"<p><b>%1</b></p><p>%2</p>"_s.arg(mark.name.toHtmlEscaped(), pointText(mark.time));
    }
    if (const auto slice = sliceAtPosition(position))
        return sliceToolTip(*m_scene.store, *slice) + CollectiveHighlight::toolTip(m_scene, *slice);
    const QPoint at = inRows(position);
    if (at.y() < 0) {
        if (at.x() < 0)
            return {};
        return position.y() < m_scene.flagsTop() ? TimelineSteps::toolTip(m_scene, at.x())
                                                 : tr("Drag to mark a range of time.");
    }
    auto row = m_scene.layout.rowAt(at.y() + scroll());
    if (const auto rank = TimelineHeaders::rankAt(m_scene, at.y()))
        row = m_scene.layout.headerOf(*rank);
    if (!row)
        return {};
    const TimelineRow& hit = m_scene.layout.rows()[*row];
    if (hit.kind == RowKind::Summary)
        return overlapToolTip(m_scene, hit, at.x());
    if (hit.kind == RowKind::Counter && at.x() >= 0)
        return TimelineCounters::toolTip(m_scene, hit, at.x());
    if (at.x() >= 0 && hit.kind == RowKind::Lane)
        return TimelineGaps::isMissingAt(m_scene, hit.location, at.x())
                   ? TimelineGaps::toolTip(m_scene, hit.location)
                   : QString();
    return TimelineHeaders::laneToolTip(m_scene, hit);
}

} // namespace ddp::ui
