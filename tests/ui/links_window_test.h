// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/picture_harness.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_links.h"

#include <algorithm>
#include <set>

namespace ddp::ui {

/// What leads from rank to rank, and what is missing, in the real window.
class LinksWindowTest final : public QObject, private PictureHarness {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        m_truth = generateOtf2(set("damaged"), options);
        options.events = 300;
        options.lateNs = {0, 120'000};
        generateOtf2(set("short"), options);
        options.oneArchive = true;
        options.ranks = 4;
        generateOtf2(set("mpi"), options);
    }
    void cleanup() { m_harness.reset(); }

    void bandsAreRememberedAsTheyWereLeft() {
        open("short");
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

    test::Truth m_truth;
};

} // namespace ddp::ui
