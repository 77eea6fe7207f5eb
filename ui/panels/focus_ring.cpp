// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/focus_ring.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace ddp::ui {

namespace {

constexpr int kWidth = 2;

class Frame final : public QWidget {
public:
    explicit Frame(QWidget* window) : QWidget(window) {
        setObjectName(QStringLiteral("focusRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter(this).fillRect(rect(), palette().color(QPalette::Link));
    }
    void resizeEvent(QResizeEvent*) override {
        setMask(QRegion(rect()) - rect().adjusted(kWidth, kWidth, -kWidth, -kWidth));
    }
};

bool movesWidgets(QEvent::Type type) {
    return type == QEvent::Move || type == QEvent::Resize || type == QEvent::Show || type == QEvent::Hide;
}

} // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
    qApp->installEventFilter(this);
}

void FocusRing::follow(QWidget* focus) {
    delete m_frame;
    m_focus = focus;
    if (!focus || !m_lastWasKey || focus->isWindow() || focus->window()->windowType() == Qt::Popup)
        return;
    m_frame = new Frame(focus->window());
    place();
}

/// Of a widget that is scrolled, only what is seen is framed.
void FocusRing::place() {
    const QWidget* window = m_frame->parentWidget();
    if (m_focus->window() != window)
        return follow(m_focus); // its dock floats now, or does not any more
    QRect room(m_focus->mapTo(window, QPoint()), m_focus->size());
    for (const QWidget* at = m_focus->parentWidget(); at && at != window; at = at->parentWidget())
        room &= QRect(at->mapTo(window, QPoint()), at->size());
    m_frame->setGeometry(room);
    m_frame->setVisible(m_focus->isVisible() && !room.isEmpty());
    m_frame->raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::ShortcutOverride || type == QEvent::KeyPress) {
        m_lastWasKey = true;
    } else if (type == QEvent::MouseButtonPress) {
        m_lastWasKey = false;
        delete m_frame;
    } else if (movesWidgets(type) && m_frame && m_focus && watched->isWidgetType()) {
        const auto* widget = static_cast<QWidget*>(watched);
        if (widget == m_focus || widget->isAncestorOf(m_focus))
            place();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ddp::ui
