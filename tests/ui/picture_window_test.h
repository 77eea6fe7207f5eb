// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_counters.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_links.h"
#include "ui/timeline/timeline_view.h"

#include <QDockWidget>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Pixels of the real window against the run that was generated.
class PictureWindowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        options.overlappingKernels = true;
        m_truth = generateOtf2(set("run"), options);
        generateOtf2(set("damaged"), options);
        options.events = 60'000;
        generateOtf2(set("dense"), options);
        options.events = 300;
        options.overlappingKernels = false;
        options.lateNs = {0, 120'000};
        generateOtf2(set("short"), options);
        options.oneArchive = true;
        options.ranks = 4;
        generateOtf2(set("mpi"), options);
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
        QVERIFY2(std::abs(paleness) < 0.08 * checked, qPrintable(QString::number(paleness / checked)));
    }

    void nothingIsPaintedOutsideTheRows() {
        open("run");
        m_view->setAnalysis(nullptr);
        std::set<QRgb> colors;
        for (const QColor& color : scene().regionColors)
            colors.insert(color.rgb());
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

    void bandsAreRememberedAsTheyWereLeft() {
        open("run");
        QVERIFY(scene().showBands);
        m_harness->trigger("overlapBands");
        m_harness->open();
        QVERIFY(!m_harness->child<QAction>("overlapBands")->isChecked());
        QVERIFY(!m_harness->child<TimelineView>("timeline")->canvas().scene().showBands);
    }

    void aSelectedCollectiveIsShownOnAllRanks() {
        open("short");
        QTRY_VERIFY(scene().collectives);
        const auto& instances = scene().overlap.analysis()->collectives().instances;
        const auto found = std::ranges::find_if(instances, [](const CollectiveInstance& instance) {
            return instance.parts.size() == 2 && instance.lateRank.has_value();
        });
        QVERIFY(found != instances.end());
        QCOMPARE(found->lateRank, std::optional<std::size_t>(1));
        const auto rectOf = [&](std::size_t rank) {
            const CollectivePart& part = found->parts[rank];
            return *sliceRect(*scene().store, scene().layout, scene().viewport,
                              {part.location, part.slice.lane, part.slice.row});
        };
        m_canvas->setScroll(static_cast<int>(rectOf(0).top()) - 60);
        const QImage before = picture();
        QTest::mouseClick(m_canvas, Qt::LeftButton, Qt::NoModifier, toCanvas(rectOf(0).center()));
        QTest::mouseMove(m_canvas, QPoint(3, 3));
        QCOMPARE(CollectiveHighlight::shown(scene()),
                 std::optional(static_cast<std::size_t>(found - instances.begin())));
        const QImage after = picture();
        const Palette palette(ThemeMode::Light);
        const QPoint other = toCanvas(rectOf(1).bottomLeft());
        QVERIFY(other.y() < after.height());
        QCOMPARE(after.pixelColor(other.x() + 6, other.y()), palette.colors().warning);
        QVERIFY(after.pixelColor(other.x() + 6, other.y()) != before.pixelColor(other.x() + 6, other.y()));
        const QString tip = toolTip(toCanvas(rectOf(1).center()));
        QVERIFY2(tip.contains(u"rank 1 is late by 120 µs"_s), qPrintable(tip));
    }

    void messagesAreArrowsFromSenderToReceiver() {
        open("mpi");
        QTRY_VERIFY(scene().messages);
        std::vector<MessageArrow> arrows;
        QVERIFY(scene().messages->inSight(scene().viewport.visible, TimelineLinks::kMostArrows, arrows));
        QVERIFY(!arrows.empty());
        const QImage with = picture();
        m_canvas->setRecords(scene().counters, nullptr);
        const QImage without = picture();
        int seen = 0;
        for (const MessageArrow& arrow : arrows) {
            const auto middle = middleOfArrow(arrow);
            if (!middle)
                continue;
            ++seen;
            bool differs = false;
            for (int dx = -2; dx <= 2; ++dx)
                differs =
                    differs || with.pixel(*middle + QPoint(dx, 0)) != without.pixel(*middle + QPoint(dx, 0));
            QVERIFY(differs);
        }
        QVERIFY(seen > 0);
    }

    void whatIsMissingIsHatched() {
        // One file gone, one cut in the middle.
        std::vector<std::string> names;
        for (const test::TruthLocation& location : m_truth.locations) {
            const auto file = set("damaged") / m_truth.archives[location.archive].folder / "traces" /
                              (std::to_string(location.id) + ".evt");
            if (location.rank != 1 || !std::filesystem::exists(file) || names.size() == 2)
                continue;
            if (names.empty())
                std::filesystem::remove(file);
            else
                std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
            names.push_back(location.name);
        }
        open("damaged");
        m_view->setAnalysis(nullptr);
        int hatched = 0;
        for (const TimelineRow& row : scene().layout.rows()) {
            if (row.kind != RowKind::Lane || !scene().lostOf(row.location))
                continue;
            ++hatched;
            QVERIFY(std::ranges::count(names, scene().store->location(row.location).name) == 1);
            m_canvas->setScroll(row.top - 60);
            const QImage image = picture();
            const int left = scene().headerWidth +
                             static_cast<int>(timeToPixel(scene().lostOf(row.location)->range.begin,
                                                          scene().viewport.visible, scene().viewport.width));
            std::set<QRgb> colors;
            for (int x = left + 4; x < left + 20; ++x)
                colors.insert(image.pixel(x, scene().rowsTop() + row.top - scene().viewport.scroll + 4));
            QVERIFY(colors.size() > 1);
            const QString tip = toolTip(QPoint(left + 30, middleOf(row)));
            QVERIFY2(tip.contains(u"Nothing is known"_s), qPrintable(tip));
        }
        QCOMPARE(hatched, 2);
    }

private:
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
    }
    QImage picture() const {
        m_canvas->replot();
        return m_canvas->grab().toImage();
    }
    QPoint toCanvas(QPointF inViewport) const {
        return inViewport.toPoint() + QPoint(scene().headerWidth, scene().rowsTop());
    }
    int middleOf(const TimelineRow& row) const {
        return scene().rowsTop() + row.top - scene().viewport.scroll + row.height / 2;
    }
    QString toolTip(const QPoint& at) const {
        QHelpEvent help(QEvent::ToolTip, at, m_canvas->mapToGlobal(at));
        QCoreApplication::sendEvent(m_canvas, &help);
        return QToolTip::text();
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

    /// All slices of the lane one by one: where they are long, and where there is room between them.
    void checkLane(const QImage& image, const TimelineRow& row, int depth, int& slices, int& gaps) const {
        if (!inSight(row, depth))
            return;
        const Palette palette(ThemeMode::Light);
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
            QCOMPARE(color, palette.slice(scene().store->regionName(lane.region(i))));
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
        const Palette palette(ThemeMode::Light);
        const QColor full = palette.slice(scene().store->regionName(RegionId(most->first)));
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
    std::optional<QPoint> middleOfArrow(const MessageArrow& arrow) const {
        const auto from = scene().layout.rowOf(arrow.sender);
        const auto to = scene().layout.rowOf(arrow.receiver);
        if (!from || !to || from == to)
            return std::nullopt;
        const QPointF a(pixel(arrow.sent), middleOf(scene().layout.rows()[*from]));
        const QPointF b(pixel(arrow.received), middleOf(scene().layout.rows()[*to]));
        const QPoint middle = ((a + b) / 2).toPoint() + QPoint(scene().headerWidth, 0);
        const int lowest = scene().rowsTop() + TimelineLayout::kRankHeight;
        return middle.y() > lowest && middle.y() < m_canvas->height() - 3 &&
                       middle.x() < m_canvas->width() - 4
                   ? std::optional(middle)
                   : std::nullopt;
    }

    test::TempFolder m_folder;
    test::Truth m_truth;
    std::unique_ptr<test::WindowHarness> m_harness;
    TimelineView* m_view = nullptr;
    TimelineCanvas* m_canvas = nullptr;
};

} // namespace ddp::ui
