// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>

#include <memory>

namespace ddp::test {

/// A generated run of four ranks in a real window that has the focus of the display.
struct OpenedRun {
    TempFolder traces;
    Truth truth;
    std::unique_ptr<WindowHarness> harness;
    std::shared_ptr<const RunAnalysis> run;
    ui::TimelineCanvas* canvas = nullptr;
    ui::ViewState* view = nullptr;

    OpenedRun() {
        GeneratorOptions options;
        options.ranks = 4;
        options.events = 8'000;
        options.lateNs = {0, 0, 0, 40'000};
        truth = generateOtf2(traces.path(), options);
        harness = std::make_unique<WindowHarness>();
        open();
        canvas->foldAll(false);
        settle();
    }

    void open() {
        harness->window().openPaths({traces.path()});
        QVERIFY(harness->waitUntilIdle());
        canvas = harness->child<ui::TimelineCanvas>("timelineCanvas");
        view = harness->window().findChild<ui::ViewState*>();
        QVERIFY(canvas->scene().store);
        run = RunAnalysis::of(canvas->scene().store, ClassRules::builtin(), {});
        QCOMPARE(run->store(), canvas->scene().store);
        harness->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&harness->window()));
        canvas->setFocus();
        settle();
    }
    void openAgain() {
        harness->closeForGood();
        harness->open();
        open();
    }

    /// Longer than the pauses between two questions, and until all is answered.
    void settle() {
        QTest::qWait(160);
        QVERIFY(harness->waitUntilIdle());
    }
    TimeRange visible() const { return view->visible(); }
    TimeRange part(int from, int to) const { ///< in percent of the run
        const TimeRange all = view->extent();
        const std::int64_t one = all.length().count / 100;
        return {all.begin + Nanoseconds(from * one), all.begin + Nanoseconds(to * one)};
    }
    /// In the canvas: `percent` of the width of the rows, `y` below the top of the rows; negative: the ruler.
    QPoint at(int percent, int y) const {
        const auto& scene = canvas->scene();
        return {scene.headerWidth + scene.viewport.width * percent / 100, scene.rowsTop() + y};
    }
    static void drag(QWidget& widget, QPoint from, QPoint to,
                     Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 4; ++step)
            move(widget, from + (to - from) * step / 4);
        QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
    }
    /// QTest's own moves know no button.
    static void move(QWidget& widget, QPoint to) {
        QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&widget, &event);
    }
    static void wheel(QWidget& widget, QPoint at, int notches, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&widget, &event);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    /// A single slice that is wide enough to be hit, and its middle in the canvas.
    std::pair<ui::SliceRef, QPoint> largeSlice() const {
        canvas->replot();
        const ui::SliceRect* best = nullptr;
        for (const ui::SliceRect& slice : canvas->scene().geometry.slices())
            if (slice.count == 1 && slice.rect.top() > 30 &&
                (!best || slice.rect.width() > best->rect.width()))
                best = &slice;
        if (!best)
            return {};
        const QRectF seen = best->rect.intersected(QRectF(0, 0, canvas->scene().viewport.width, 1e6));
        return {best->slice,
                seen.center().toPoint() + QPoint(canvas->scene().headerWidth, canvas->scene().rowsTop())};
    }
};

/// What a test class that looks at one OpenedRun has in common with others.
class UsesOpenedRun {
protected:
    ui::TimelineCanvas& canvas() const { return *m_run->canvas; }
    ui::ViewState& view() const { return *m_run->view; }
    template <class T>
    T* child(const char* name) const {
        return m_run->harness->child<T>(name);
    }
    Nanoseconds percent(int of) const { return m_run->part(of, of).begin; }

    std::unique_ptr<OpenedRun> m_run;
};

} // namespace ddp::test
