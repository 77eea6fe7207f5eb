// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/picture_harness.h"
#include "ui/timeline/timeline_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace ddp::ui {

/// Pixels of slices and counters in the real window against the run that was generated.
class PictureWindowTest final : public QObject, private PictureHarness {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        options.overlappingKernels = true;
        generateOtf2(set("run"), options);
        options.events = 60'000;
        generateOtf2(set("dense"), options);
    }
    void cleanup() { m_harness.reset(); }

    void slicesLieAtTheirPixels() {
        open("run");
        m_view->setAnalysis(nullptr); // no lines of steps, nothing between the lanes
        int slices = 0;
        int gaps = 0;
        for (int zoom = 0; zoom < 4; ++zoom) {
            for (const int scroll : {0, 130, m_canvas->scrollRange()}) {
                m_canvas->setScroll(scroll);
                const QImage image = picture();
                for (const TimelineRow& row : scene().layout.rows())
                    if (row.kind == RowKind::Lane)
                        for (int depth = 0; depth < row.depths; ++depth)
                            checkLane(image, row, depth, slices, gaps);
            }
            for (int notch = 0; notch < 8; ++notch)
                m_canvas->zoomIn();
        }
        QVERIFY2(slices > 500, qPrintable(QString::number(slices)));
        QVERIFY2(gaps > 500, qPrintable(QString::number(gaps)));
    }

    void fromAfarAColumnHasTheColourOfWhatFillsIt() {
        open("dense");
        m_view->setAnalysis(nullptr);
        const QImage image = picture();
        int checked = 0;
        double paleness = 0; // sum of what is seen less what is to be seen
        for (const TimelineRow& row : scene().layout.rows())
            if (row.kind == RowKind::Lane && inSight(row, 0))
                for (int x = 1; x + 1 < scene().viewport.width; ++x)
                    if (const auto difference = checkColumn(image, row, x)) {
                        ++checked;
                        paleness += *difference;
                    }
        QVERIFY2(checked > 100, qPrintable(QString::number(checked)));
        // A bin of the mipmap may be as wide as a column and spread what is in it over two.
        QVERIFY2(std::abs(paleness) < 0.2 * checked, qPrintable(QString::number(paleness / checked)));
    }

    void nothingIsPaintedOutsideTheRows() {
        open("run");
        m_view->setAnalysis(nullptr);
        std::set<QRgb> colors;
        for (const LocationKind kind : {LocationKind::Stream, LocationKind::Thread})
            for (std::size_t region = 0; region < scene().store->regionCount(); ++region)
                colors.insert(scene().colors.of(RegionId(region), kind).rgb());
        const auto count = [&](const QImage& image, const QRect& in) {
            int found = 0;
            for (int y = in.top(); y <= in.bottom(); ++y)
                for (int x = in.left(); x <= in.right(); ++x)
                    found += colors.contains(image.pixel(x, y)) ? 1 : 0;
            return found;
        };
        for (const int scroll : {0, 57, m_canvas->scrollRange()}) {
            m_canvas->setScroll(scroll);
            const QImage image = picture();
            const int top = scene().rowsTop();
            QVERIFY(count(image, QRect(scene().headerWidth, top, image.width() - scene().headerWidth,
                                       image.height() - top)) > 1000);
            QCOMPARE(count(image, QRect(0, 0, image.width(), top - 1)), 0);
            QCOMPARE(count(image, QRect(0, top, scene().headerWidth - 1, image.height() - top)), 0);
            for (const SliceRect& slice : scene().geometry.slices())
                QVERIFY(slice.rect.bottom() > 0 && slice.rect.top() < scene().viewport.height);
        }
        m_canvas->foldAll(true);
        QCOMPARE(count(picture(), m_canvas->rect()), 0);
        QVERIFY(scene().geometry.slices().empty());
    }

    void theAreaOfACounterIsAsHighAsItsValue() {
        open("run");
        m_view->setAnalysis(nullptr);
        QVERIFY(scene().counters);
        int rows = 0;
        int checked = 0;
        for (int zoom = 0; zoom < 3; ++zoom) {
            for (const TimelineRow& row : scene().layout.rows()) {
                if (row.kind != RowKind::Counter)
                    continue;
                ++rows;
                m_canvas->setScroll(std::min(row.top - 40, m_canvas->scrollRange()));
                checked += checkCounter(picture(), row);
            }
            for (int notch = 0; notch < 8; ++notch)
                m_canvas->zoomIn();
        }
        QCOMPARE(rows, 2 * 3);
        QVERIFY2(checked > 60, qPrintable(QString::number(checked)));
        const TimelineRow& row =
            *std::ranges::find(scene().layout.rows(), RowKind::Counter, &TimelineRow::kind);
        m_canvas->setScroll(row.top - 40);
        const QString tip = toolTip(QPoint(scene().headerWidth + 300, middleOf(row)));
        QVERIFY2(tip.contains(u"MiB"_s), qPrintable(tip));
    }

private:
    /// Whose rules have tests of their own.
    QColor colorOf(const TimelineRow& row, RegionId region) const {
        return scene().colors.of(region, scene().store->location(row.location).kind);
    }
    /// All slices of the lane one by one: where they are long, and where there is room between them.
    void checkLane(const QImage& image, const TimelineRow& row, int depth, int& slices, int& gaps) const {
        if (!inSight(row, depth))
            return;
        const SliceLane& lane = scene().store->lanes(row.location)[static_cast<std::size_t>(depth)];
        const int y = scene().rowsTop() + TimelineLayout::depthTop(row, depth) - scene().viewport.scroll + 8;
        double before = -1e9;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const double left = pixel(lane.begin(i));
            const double right = pixel(lane.end(i));
            const double gap = (std::max(before, 0.0) + std::min<double>(left, scene().viewport.width)) / 2;
            if (before > 0 && left - before > 6 && gap > before + 2 && gap < left - 2) {
                QVERIFY(isBackground(image.pixelColor(scene().headerWidth + static_cast<int>(gap), y)));
                ++gaps;
            }
            before = right;
            const double from = std::max(left, 0.0);
            if (right - from < 8 || from > scene().viewport.width - 8)
                continue;
            // Before the letters of its label begin.
            const QColor color = image.pixelColor(scene().headerWidth + static_cast<int>(from) + 2, y);
            QCOMPARE(color, colorOf(row, lane.region(i)));
            ++slices;
        }
    }
    /// A column that has little but one region has its colour, as pale as its time is free. Gives by how much
    /// it is not; nothing for a column that says nothing.
    std::optional<double> checkColumn(const QImage& image, const TimelineRow& row, int x) const {
        const SliceLane& lane = scene().store->lanes(row.location)[0];
        const auto& viewport = scene().viewport;
        const TimeRange wide{pixelToTime(x - 1, viewport.visible, viewport.width),
                             pixelToTime(x + 2, viewport.visible, viewport.width)};
        std::map<std::uint32_t, std::int64_t> times;
        const TimeRange column{pixelToTime(x, viewport.visible, viewport.width),
                               pixelToTime(x + 1, viewport.visible, viewport.width)};
        std::int64_t covered = 0;
        std::int64_t inColumn = 0;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const TimeRange in = TimeRange{lane.begin(i), lane.end(i)}.clippedTo(wide);
            if (in.empty())
                continue;
            if (pixel(lane.end(i)) - pixel(lane.begin(i)) > 2)
                return std::nullopt;
            times[lane.region(i).value] += in.length().count;
            covered += in.length().count;
            inColumn += std::max<std::int64_t>(0, in.clippedTo(column).length().count);
        }
        if (covered == 0 || inColumn == 0)
            return std::nullopt;
        const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
        if (static_cast<double>(most->second) < 0.95 * static_cast<double>(covered))
            return std::nullopt;
        const QColor full = colorOf(row, RegionId(most->first));
        const QPoint at(scene().headerWidth + x,
                        scene().rowsTop() + TimelineLayout::depthTop(row, 0) - viewport.scroll + 8);
        const QColor seen = image.pixelColor(at);
        const QColor behind = image.pixelColor(at - QPoint(0, 11)); // above the slices
        const std::array<int, 3> to{full.red() - behind.red(), full.green() - behind.green(),
                                    full.blue() - behind.blue()};
        const std::array<int, 3> is{seen.red() - behind.red(), seen.green() - behind.green(),
                                    seen.blue() - behind.blue()};
        double along = 0;
        double length = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            along += to[i] * is[i];
            length += to[i] * to[i];
        }
        const double alpha = along / length;
        for (std::size_t i = 0; i < 3; ++i)
            if (std::abs(is[i] - alpha * to[i]) > 12)
                QTest::qFail(qPrintable(u"x %1: %2, not of %3"_s.arg(x).arg(seen.name(), full.name())),
                             __FILE__, __LINE__);
        return alpha -
               (0.35 + 0.65 * static_cast<double>(inColumn) / static_cast<double>(column.length().count));
    }
    /// Where one sample holds for the whole column, the area ends at its value.
    int checkCounter(const QImage& image, const TimelineRow& row) const {
        const TraceRecords& records = scene().store->records();
        const Counter& counter = records.counters()[row.counter];
        const auto samples = records.samples(counter);
        const auto value = [&](std::size_t i) { return samples[i].value.asDouble(counter.type); };
        double most = 0;
        for (std::size_t i = 0; i < samples.size(); ++i)
            most = std::max(most, value(i));
        const int height = row.height - TimelineCounters::kPadding - 1;
        const int top = scene().rowsTop() + row.top - scene().viewport.scroll + TimelineCounters::kPadding;
        int checked = 0;
        for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
            const double left = pixel(scene().store->time(counter.location, samples[i].ns));
            const double right = pixel(scene().store->time(counter.location, samples[i + 1].ns));
            const int x = scene().headerWidth + static_cast<int>((left + right) / 2);
            if (right - left < 4 || x < scene().headerWidth || x >= image.width())
                continue;
            const int edge = top + static_cast<int>(std::lround(height * (1 - value(i) / most)));
            const auto isArea = [&](int y) { return !isBackground(image.pixelColor(x, y)); };
            if (edge - 2 >= top)
                count(!isArea(edge - 2), checked);
            if (edge + 1 < top + height)
                count(isArea(edge + 1), checked);
        }
        return checked;
    }
    static void count(bool fine, int& checked) {
        ++checked;
        if (!fine)
            QTest::qFail("the area of a counter ends elsewhere", __FILE__, __LINE__);
    }
};

} // namespace ddp::ui
