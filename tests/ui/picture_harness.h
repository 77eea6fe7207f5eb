// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_view.h"

#include <QDockWidget>
#include <QToolTip>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// A real window with little but a large timeline, and what tests ask of its picture.
struct PictureHarness {
    const TimelineScene& scene() const { return m_canvas->scene(); }
    std::filesystem::path set(const char* name) const { return m_folder.path() / name; }
    void open(const char* name) {
        m_harness = std::make_unique<test::WindowHarness>();
        for (QDockWidget* dock : m_harness->window().findChildren<QDockWidget*>())
            dock->setVisible(dock->objectName() == u"timelineDock"_s); // a large picture
        m_harness->window().openPaths({set(name)});
        QVERIFY(m_harness->waitUntilIdle());
        m_view = m_harness->child<TimelineView>("timeline");
        m_canvas = &m_view->canvas();
        QVERIFY(scene().store);
        QTRY_VERIFY(m_canvas->width() > 1000 && m_canvas->height() > 500);
        m_canvas->foldAll(false);
    }
    QImage picture() const {
        m_canvas->replot();
        return m_canvas->grab().toImage();
    }
    QString toolTip(const QPoint& at) const {
        QHelpEvent help(QEvent::ToolTip, at, m_canvas->mapToGlobal(at));
        QCoreApplication::sendEvent(m_canvas, &help);
        return QToolTip::text();
    }
    QPoint toCanvas(QPointF inViewport) const {
        return inViewport.toPoint() + QPoint(scene().headerWidth, scene().rowsTop());
    }
    int middleOf(const TimelineRow& row) const {
        return scene().rowsTop() + row.top - scene().viewport.scroll + row.height / 2;
    }
    /// Below the header that sticks to the top, and not cut.
    bool inSight(const TimelineRow& row, int depth) const {
        const int top = TimelineLayout::depthTop(row, depth) - scene().viewport.scroll;
        return top >= TimelineLayout::kRankHeight &&
               top + TimelineLayout::kDepthHeight <= scene().viewport.height;
    }
    double pixel(Nanoseconds time) const {
        return timeToPixel(time, scene().viewport.visible, scene().viewport.width);
    }
    bool isBackground(const QColor& color) const {
        const Palette palette(ThemeMode::Light);
        const Colors& colors = palette.colors();
        return color == colors.base || color == colors.laneBand || color == colors.grid;
    }

    test::TempFolder m_folder;
    std::unique_ptr<test::WindowHarness> m_harness;
    TimelineView* m_view = nullptr;
    TimelineCanvas* m_canvas = nullptr;
};

} // namespace ddp::ui
