// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QTest>

namespace ddp::test {

/// A window with a generated run of four ranks on two hosts.
class GeneratedWindow {
public:
    GeneratedWindow() {
        GeneratorOptions options;
        options.ranks = 4;
        options.hosts = 2;
        options.events = 8'000;
        options.lateNs = {0, 0, 0, 40'000};
        generateOtf2(m_traces.path(), options);
        open();
        timeline().canvas().foldAll(false);
    }
    void startAgain() {
        m_harness.closeForGood();
        m_harness.open();
        open();
    }
    /// In the window that is open now.
    void open() {
        m_harness.window().openPaths({m_traces.path()});
        QVERIFY(m_harness.waitUntilIdle());
        QVERIFY(scene().store);
    }
    void settle() {
        QTest::qWait(150); // longer than the pause between two questions
        QVERIFY(m_harness.waitUntilIdle());
    }

    WindowHarness& harness() { return m_harness; }
    template <class T>
    T* child(const char* name) {
        return m_harness.child<T>(name);
    }
    ui::TimelineView& timeline() { return *child<ui::TimelineView>("timeline"); }
    const ui::TimelineScene& scene() { return timeline().canvas().scene(); }
    const TraceStore& store() { return *scene().store; }
    ui::ViewState& view() { return *m_harness.window().findChild<ui::ViewState*>(); }

private:
    TempFolder m_traces;
    WindowHarness m_harness;
};

} // namespace ddp::test
