// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of OverviewStrip.
#include "ui/timeline/overview_strip.h"

#include "ui/timeline/timeline_coordinates.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace ddp::ui {

namespace {

constexpr int kReach = 4;            // pixels beside an edge that still mean it
constexpr int kWideFrame = 16;       // narrower ones keep their inside for the hand that moves them
constexpr double kPanStep = 0.15;    // of the window
constexpr int kShort = 4, kLong = 5; // one step of the zoom, as in the timeline

} // namespace

Nanoseconds OverviewStrip::timeAt(int x) const {
    const QRect room = area();
    return pixelToTime(std::clamp(x - room.left(), 0, room.width()), m_parts.view.extent(), room.width());
}

OverviewStrip::Grip OverviewStrip::gripAt(const QPoint& position) const {
    const QRect room = area();
    const QRect box = frame();
    const int x = position.x();
    if (!m_parts.session.store() || x < room.left() - kReach || x > room.right() + kReach)
        return Grip::None;
    const int within = box.width() >= kWideFrame ? kReach : 0;
    if (x >= box.left() - kReach && x < box.left() + within)
        return Grip::Left;
    if (x > box.right() - within && x <= box.right() + kReach)
        return Grip::Right;
    // The whole run can not be moved: a drag in it chooses a part of it.
    const bool whole = m_parts.view.visible() == m_parts.view.extent();
    return !whole && x >= box.left() && x <= box.right() ? Grip::Inside : Grip::Beside;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_grip = gripAt(event->position().toPoint());
    m_pressedX = event->position().toPoint().x();
    m_pressedVisible = m_parts.view.visible();
    m_dragging = false;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (m_grip == Grip::None || !(event->buttons() & Qt::LeftButton)) {
        const Grip grip = gripAt(position);
        setCursor(grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor
                  : grip == Grip::Inside                    ? Qt::OpenHandCursor
                  : grip == Grip::Beside                    ? Qt::CrossCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    if (std::abs(position.x() - m_pressedX) >= QApplication::startDragDistance())
        m_dragging = true;
    if (!m_dragging)
        return;
    if (m_grip == Grip::Inside)
        setCursor(Qt::ClosedHandCursor);
    drag(position.x());
}

void OverviewStrip::drag(int x) {
    const Nanoseconds from = timeAt(m_pressedX);
    const Nanoseconds to = timeAt(x);
    TimeRange window = m_pressedVisible;
    switch (m_grip) {
    case Grip::None:
        return;
    case Grip::Left:
        window.begin = std::min(to, window.end - ViewState::kShortest);
        break;
    case Grip::Right:
        window.end = std::max(to, window.begin + ViewState::kShortest);
        break;
    case Grip::Inside:
        window = {window.begin + (to - from), window.end + (to - from)};
        break;
    case Grip::Beside:
        window = {std::min(from, to), std::max(from, to)};
        break;
    }
    m_parts.view.setVisible(window);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const bool jump = m_grip == Grip::Beside && !m_dragging;
    m_grip = Grip::None;
    m_dragging = false;
    if (!jump || m_parts.view.visible() == m_parts.view.extent())
        return;
    const Nanoseconds half(m_parts.view.visible().length().count / 2);
    const Nanoseconds middle = timeAt(event->position().toPoint().x());
    m_parts.view.setVisible({middle - half, middle - half + m_parts.view.visible().length()});
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    m_grip = Grip::None;
    if (event->button() == Qt::LeftButton)
        m_parts.view.fit();
}

void OverviewStrip::wheelEvent(QWheelEvent* event) {
    event->accept();
    const Nanoseconds middle(m_parts.view.visible().begin.count + m_parts.view.visible().length().count / 2);
    if (event->angleDelta().y() > 0)
        m_parts.view.zoom(kShort, kLong, middle);
    else if (event->angleDelta().y() < 0)
        m_parts.view.zoom(kLong, kShort, middle);
}

void OverviewStrip::keyPressEvent(QKeyEvent* event) {
    ViewState& view = m_parts.view;
    const std::int64_t length = view.visible().length().count;
    const Nanoseconds step(std::max<std::int64_t>(1, std::llround(static_cast<double>(length) * kPanStep)));
    const Nanoseconds middle(view.visible().begin.count + length / 2);
    switch (event->key()) {
    case Qt::Key_Left:
        return view.pan(Nanoseconds(-step.count));
    case Qt::Key_Right:
        return view.pan(step);
    case Qt::Key_PageUp:
        return view.pan(Nanoseconds(-length));
    case Qt::Key_PageDown:
        return view.pan(Nanoseconds(length));
    case Qt::Key_Up:
    case Qt::Key_Plus:
        return view.zoom(kShort, kLong, middle);
    case Qt::Key_Down:
    case Qt::Key_Minus:
        return view.zoom(kLong, kShort, middle);
    case Qt::Key_Home:
        return view.fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace ddp::ui
