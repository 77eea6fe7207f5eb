// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/models/activity_parts.h"
#include "ui/panels/activity_legend.h"
#include "ui/timeline/step_marks.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_summary.h"
#include "ui/timeline/timeline_view.h"

#include <random>
#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What the devices do and the steps, painted in the real window: pixels against the analysis of a generated
/// run.
class OverlapWindowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        options.devices = 2;
        generateOtf2(m_folder.path() / "set", options);
    }
    void init() {
        m_harness = std::make_unique<test::WindowHarness>();
        m_harness->window().openPaths({m_folder.path() / "set"});
        QVERIFY(m_harness->waitUntilIdle());
        m_view = m_harness->child<TimelineView>("timeline");
        m_canvas = &m_view->canvas();
        QVERIFY(scene().store);
        m_canvas->foldAll(false);
        m_analysis = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        QVERIFY(m_analysis->store() == scene().store);
        m_view->setAnalysis(m_analysis);
    }
    void cleanup() { m_harness.reset(); }

    void columnsArePaintedAsTheActivitySays() {
        m_canvas->foldAll(true);
        std::set<ActivityPart> seen;
        for (int window = 0; window < 3; ++window) {
            const QImage image = picture();
            int checked = 0;
            for (const TimelineRow& row : scene().layout.rows())
                if (row.kind == RowKind::Summary && row.bottom() <= scene().viewport.height)
                    checked += comparePixels(image, row, seen);
            QVERIFY(checked > 4 * 200);
            for (int notch = 0; notch < 8; ++notch)
                m_canvas->zoomIn();
        }
        QCOMPARE(seen.size(), kStackedParts.size());
    }

    void bandsCanBeSwitchedOff() {
        for (int notch = 0; notch < 8; ++notch)
            m_canvas->zoomIn();
        const QImage with = picture();
        m_harness->trigger("overlapBands");
        const QImage without = picture();
        QVERIFY(with != without);
        int inside = 0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                inside += with.pixel(x, y) != without.pixel(x, y) && !isLaneOfADevice(y) ? 1 : 0;
        QCOMPARE(inside, 0);
        m_harness->trigger("overlapBands");
        QCOMPARE(picture(), with);
    }

    void stepsBeginAtTheirPixels() {
        for (int notch = 0; notch < 6; ++notch)
            m_canvas->zoomIn();
        const QImage image = picture();
        const auto marks = stepsInSight(scene().stepsOf(0), scene().viewport, 44).marks;
        QVERIFY(!marks.empty());
        int checked = 0;
        for (const StepMark& mark : marks) {
            const int x = scene().headerWidth + static_cast<int>(std::lround(mark.left));
            if (mark.left < 1 || x + 1 >= image.width())
                continue;
            ++checked;
            QVERIFY(image.pixel(x, 2) != image.pixel(x + 1, 2));
            const auto timeAt = [&](int at) { return pixelTime(at - scene().headerWidth); };
            QVERIFY(timeAt(x - 1) <= mark.step.range.begin && mark.step.range.begin <= timeAt(x + 1));
        }
        QVERIFY(checked > 0);
    }

    void withoutAnAnalysisThereIsNoSummary() {
        auto* legend = m_harness->child<ActivityLegend>("overlapLegend");
        QVERIFY(legend->isVisible());
        const int rows = static_cast<int>(scene().layout.rows().size());
        m_view->setAnalysis(nullptr);
        QVERIFY(!legend->isVisible());
        QCOMPARE(static_cast<int>(scene().layout.rows().size()), rows - 4); // two devices a rank
        QCOMPARE(scene().rowsTop(), TimelineScene::kRulerHeight);
        m_canvas->grab();

        const auto other = RunAnalysis::of(scene().store->inFileTime(), ClassRules::builtin(), {});
        if (other->store() != scene().store) {
            m_view->setAnalysis(other);
            QVERIFY(!scene().overlap.analysis());
        }
        m_view->setAnalysis(m_analysis);
        m_harness->window().openPaths({m_folder.path() / "set"});
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(scene().overlap.analysis());
        QVERIFY(scene().overlap.analysis() != m_analysis.get());
        QVERIFY(legend->isVisible());
    }

private:
    const TimelineScene& scene() const { return m_canvas->scene(); }
    QImage picture() const {
        m_canvas->replot();
        return m_canvas->grab().toImage();
    }
    Nanoseconds pixelTime(int x) const {
        const TimelineViewport& viewport = scene().viewport;
        return viewport.visible.begin + Nanoseconds(viewport.visible.length().count * x / viewport.width);
    }
    bool isLaneOfADevice(int y) const {
        const auto row = scene().layout.rowAt(y - scene().rowsTop() + scene().viewport.scroll);
        return row && scene().layout.rows()[*row].kind == RowKind::Lane && scene().layout.rows()[*row].device;
    }
    /// Which part the pixel shows: the one with the nearest colour, for patterns darken some pixels.
    static ActivityPart partOf(const QColor& pixel, const Palette& palette) {
        ActivityPart best = ActivityPart::Idle;
        int least = INT_MAX;
        for (const ActivityPart part : kStackedParts)
            for (const QColor& color :
                 {palette.activityColor(part), palette.activityColor(part).darker(155)}) {
                const int distance = std::abs(color.red() - pixel.red()) +
                                     std::abs(color.green() - pixel.green()) +
                                     std::abs(color.blue() - pixel.blue());
                if (distance < least) {
                    least = distance;
                    best = part;
                }
            }
        return best;
    }
    int comparePixels(const QImage& picture, const TimelineRow& row, std::set<ActivityPart>& seen) const {
        const Palette palette(ThemeMode::Light);
        const TimelineViewport& viewport = scene().viewport;
        const int height = row.height - 2 * TimelineSummary::kPadding;
        const int top = scene().rowsTop() + row.top + TimelineSummary::kPadding;
        std::mt19937 random(1);
        int checked = 0;
        for (int x = 1; x < viewport.width; x += 1 + static_cast<int>(random() % 4)) {
            // The account of the column is asked for here, from the window's own times.
            const TimeRange column = columnOf(viewport.visible, static_cast<std::size_t>(viewport.width),
                                              static_cast<std::size_t>(x));
            const ActivityParts parts = partsOf(m_analysis->activity().over(*row.device, column));
            if (isStepLine(row.rankIndex, x))
                continue;
            for (const int y : {1, height / 3, height / 2, height - 2}) {
                const double share = (y + 0.5) / height;
                double until = 0;
                double distance = 1; // to the nearest edge between two parts
                std::size_t wanted = kStackedParts.size();
                for (std::size_t i = 0; i < kStackedParts.size(); ++i) {
                    until += static_cast<double>(parts[kStackedParts[i]]) /
                             static_cast<double>(column.length().count);
                    distance = std::min(distance, std::abs(until - share));
                    if (wanted == kStackedParts.size() && share < until)
                        wanted = i;
                }
                if (wanted == kStackedParts.size() || distance * height < 1)
                    continue; // rounding decides
                const QColor pixel = picture.pixelColor(scene().headerWidth + x, top + y);
                if (partOf(pixel, palette) != kStackedParts[wanted])
                    QTest::qFail(
                        qPrintable(u"row %1, x %2, y %3: %4"_s.arg(row.top).arg(x).arg(y).arg(pixel.name())),
                        __FILE__, __LINE__);
                ++checked;
                seen.insert(kStackedParts[wanted]);
            }
        }
        return checked;
    }
    bool isStepLine(std::size_t rank, int x) const {
        for (const StepMark& mark : stepsInSight(scene().stepsOf(rank), scene().viewport, 44).marks)
            if (std::lround(mark.left) == x)
                return true;
        return false;
    }

    test::TempFolder m_folder;
    std::unique_ptr<test::WindowHarness> m_harness;
    TimelineView* m_view = nullptr;
    TimelineCanvas* m_canvas = nullptr;
    std::shared_ptr<const RunAnalysis> m_analysis;
};

} // namespace ddp::ui
