// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared_data.h"
#include "tests/ui/window_harness.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/message_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QDockWidget>
#include <QLabel>
#include <QTabWidget>
#include <QTextEdit>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Real traces in the real window; mouse and keys.
class TimelineWindowTest final : public QObject {
    Q_OBJECT

    static constexpr const char* kTrace = "data/traces/scorep-ddp/two-ranks-user-regions";

    static bool openTrace(test::WindowHarness& harness, const std::filesystem::path& path) {
        harness.window().openPaths({path});
        return harness.waitUntilIdle() && canvas(harness)->scene().store != nullptr;
    }
    static TimelineCanvas* canvas(test::WindowHarness& harness) {
        return harness.child<TimelineCanvas>("timelineCanvas");
    }
    /// Paints now and gives the middle of the largest slice, in the canvas.
    static QPoint middleOfALargeSlice(TimelineCanvas& picture) {
        picture.grab();
        const SliceRect* best = nullptr;
        for (const SliceRect& slice : picture.scene().geometry.slices()) {
            if (slice.count == 1 && (!best || slice.rect.width() > best->rect.width()))
                best = &slice;
        }
        if (!best)
            return {};
        return best->rect.center().toPoint() + QPoint(picture.scene().headerWidth, picture.scene().rowsTop());
    }

private Q_SLOTS:
    void twoArchivesAreOneRun() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        test::WindowHarness harness;
        QVERIFY(openTrace(harness, path));
        const TimelineScene& scene = canvas(harness)->scene();
        QCOMPARE(scene.store->ranks().size(), std::size_t(2));
        canvas(harness)->grab();
        QVERIFY(scene.geometry.slices().size() > 20);
        QCOMPARE(harness.window().message(), QString());
        QVERIFY(harness.window().windowTitle().contains(u"two-ranks-user-regions"_s));
    }

    void tracesAreKeptUnlessSwitchedOff() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        const test::TempFolder cache;
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
        const auto kept = [&cache] {
            std::error_code error;
            int files = 0;
            for (const auto& entry : std::filesystem::directory_iterator(cache.path() / "ddpscope", error))
                files += entry.path().extension() == ".ddpstore" ? 1 : 0;
            return files;
        };
        test::WindowHarness harness;
        harness.trigger("keepTraces");
        QVERIFY(openTrace(harness, path));
        QCOMPARE(kept(), 0);
        harness.trigger("keepTraces");
        QVERIFY(openTrace(harness, path));
        QCOMPARE(kept(), 1);
        harness.trigger("keepTraces");
        harness.open(); // a later start remembers the switch
        QVERIFY(!harness.child<QAction>("keepTraces")->isChecked());
    }

    void keysAndMouseMoveTheWindow() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        test::WindowHarness harness;
        QVERIFY(openTrace(harness, path));
        TimelineCanvas* picture = canvas(harness);
        picture->setFocus();
        const TimeRange whole = picture->scene().viewport.visible;
        QTest::keyClick(picture, Qt::Key_W);
        QTest::keyClick(picture, Qt::Key_W);
        const TimeRange zoomed = picture->scene().viewport.visible;
        QVERIFY(zoomed.length() < whole.length());
        QTest::keyClick(picture, Qt::Key_D);
        QVERIFY(picture->scene().viewport.visible.begin > zoomed.begin);
        QTest::keyClick(picture, Qt::Key_A);
        QCOMPARE(picture->scene().viewport.visible.begin, zoomed.begin);
        QTest::keyClick(picture, Qt::Key_F);
        QVERIFY(picture->scene().viewport.visible == whole);

        // The wheel keeps the time under the mouse in place.
        const QPoint at(picture->scene().headerWidth + 100, 60);
        QWheelEvent wheel(at, picture->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        const auto timeAt = [picture] { return pixelToTimeAt(*picture, 100); };
        const Nanoseconds before = timeAt();
        QCoreApplication::sendEvent(picture, &wheel);
        QVERIFY(picture->scene().viewport.visible.length() < whole.length());
        const std::int64_t tolerance = whole.length().count / picture->scene().viewport.width + 1;
        QVERIFY(std::abs((timeAt() - before).count) <= tolerance);
    }

    void aClickSelectsASliceAndShowsItsFacts() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        test::WindowHarness harness;
        QVERIFY(openTrace(harness, path));
        TimelineCanvas* picture = canvas(harness);
        QTest::mouseClick(picture, Qt::LeftButton, Qt::NoModifier, middleOfALargeSlice(*picture));
        QVERIFY(picture->scene().selected);
        const auto selected = *picture->scene().selected;
        const SliceLane& lane = picture->scene().store->lanes(selected.location)[selected.depth];
        const QString name = QString::fromUtf8(picture->scene().store->regionName(lane.region(selected.row)));
        QCOMPARE(harness.child<QTextEdit>("sliceName")->toPlainText(), name);
        QCOMPARE(harness.child<QTabWidget>("detailTabs")->currentIndex(), 1);
        QTest::keyClick(picture, Qt::Key_Escape);
        QVERIFY(!picture->scene().selected);
    }

    void aClickOnARankFoldsIt() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        test::WindowHarness harness;
        QVERIFY(openTrace(harness, path));
        TimelineCanvas* picture = canvas(harness);
        const std::size_t rows = picture->scene().layout.rows().size();
        const QPoint header(40, picture->scene().rowsTop() + 10);
        QTest::mouseClick(picture, Qt::LeftButton, Qt::NoModifier, header);
        QVERIFY(picture->scene().layout.rows().size() < rows);
        QTest::mouseClick(picture, Qt::LeftButton, Qt::NoModifier, header);
        QCOMPARE(picture->scene().layout.rows().size(), rows);
    }

    void whatCanNotBeOpenedIsOneSentence_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("said");
        QTest::newRow("missing") << u"nothing-here"_s << u"does not exist"_s;
        QTest::newRow("Nsight") << u"report.nsys-rep"_s << u"nsys export --type sqlite"_s;
        QTest::newRow("no trace") << u"notes.txt"_s << u"notes.txt"_s;
    }
    void whatCanNotBeOpenedIsOneSentence() {
        QFETCH(QString, name);
        QFETCH(QString, said);
        test::WindowHarness harness;
        std::ofstream(harness.folder() / "report.nsys-rep") << "x";
        std::ofstream(harness.folder() / "notes.txt") << "just words\n";
        harness.window().openPaths({harness.folder() / name.toStdString()});
        QVERIFY(harness.waitUntilIdle());
        QVERIFY2(harness.window().message().contains(said), qPrintable(harness.window().message()));
    }

    void anOpenTraceStaysWhenTheNextCanNotBeRead() {
        const auto path = test::sharedPath(kTrace);
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        test::WindowHarness harness;
        QVERIFY(openTrace(harness, path));
        std::ofstream(harness.folder() / "notes.txt") << "just words\n";
        QVERIFY(openTrace(harness, harness.folder() / "notes.txt"));
        QVERIFY(!harness.window().message().isEmpty());
    }

    void aLargerWindowGivesItsRoomToTheTimeline() {
        test::WindowHarness harness;
        const auto width = [&harness](const char* dock) { return harness.child<QDockWidget>(dock)->width(); };
        QTRY_VERIFY(width("timelineDock") > width("nodesDock"));
        const int nodes = width("nodesDock");
        const int details = width("detailsDock");
        const int timeline = width("timelineDock");
        const int before = harness.window().width();
        harness.window().resize(before + 600, harness.window().height());
        QTRY_VERIFY(width("timelineDock") >= timeline + 560);
        QVERIFY(std::abs(width("nodesDock") - nodes) <= 20);
        QVERIFY(std::abs(width("detailsDock") - details) <= 20);
    }

    void theHelpShowsAndHides() {
        test::WindowHarness harness;
        auto* help = harness.child<HelpOverlay>("helpOverlay");
        harness.trigger("showKeys");
        QVERIFY(help->isVisible());
        QTest::keyClick(help, Qt::Key_Escape);
        QVERIFY(!help->isVisible());
    }

private:
    static Nanoseconds pixelToTimeAt(const TimelineCanvas& picture, int x) {
        const TimelineViewport& viewport = picture.scene().viewport;
        return viewport.visible.begin + Nanoseconds(viewport.visible.length().count * x / viewport.width);
    }
};

} // namespace ddp::ui
