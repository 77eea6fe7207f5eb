// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/made_run.h"
#include "ui/timeline/message_index.h"
#include "ui/timeline/row_raster.h"
#include "ui/timeline/span_index.h"
#include "ui/timeline/timeline_links.h"

#include <QTest>

#include <cmath>
#include <random>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What the picture is made of beside slices, against what its words say, computed the slow way.
class PictureDataTest final : public QObject {
    Q_OBJECT

    static TimeRange range(std::int64_t begin, std::int64_t end) {
        return {Nanoseconds(begin), Nanoseconds(end)};
    }

private Q_SLOTS:
    void noSpanThatTouchesTheWindowIsMissed() {
        std::mt19937 random(5);
        SpanIndex index;
        std::vector<TimeRange> spans;
        for (int i = 0; i < 500; ++i) {
            const std::int64_t begin = i * 10 + static_cast<std::int64_t>(random() % 40);
            spans.push_back(range(begin, begin + static_cast<std::int64_t>(random() % 100)));
            index.add(spans.back());
        }
        index.finish();
        for (int round = 0; round < 300; ++round) {
            const auto begin = static_cast<std::int64_t>(random() % 5200);
            const TimeRange window = range(begin, begin + static_cast<std::int64_t>(random() % 60));
            const auto [first, last] = index.touching(window);
            QVERIFY(last - first < 60);
            for (std::size_t i = 0; i < spans.size(); ++i)
                if (spans[i].begin <= window.end && spans[i].end >= window.begin)
                    QVERIFY(first <= i && i < last);
        }
        QCOMPARE(SpanIndex().touching(range(0, 1)).second, std::size_t(0));
    }

    void aCollectiveIsFoundByItsSlicesAndJoinsItsRanks() {
        test::MadeRun run;
        std::vector<LocationId> streams;
        for (const std::size_t rank : {0, 1, 2}) {
            streams.push_back(run.stream(rank));
            for (std::int64_t i = 0; i < 20; ++i) // rank 2 comes 40 ns later
                run.slice(streams[rank], i * 1000 + 500 + (rank == 2 ? 40 : 0), i * 1000 + 700,
                          "ncclKernel_AllReduce");
        }
        const auto analysis = RunAnalysis::of(run.freeze(), ClassRules::builtin(), {});
        const auto index = CollectiveIndex::of(analysis, {});
        for (const LocationId stream : streams)
            for (std::size_t row = 0; row < 20; ++row)
                QCOMPARE(index->of(SliceRef{stream, 0, row}), std::optional(row));
        TimelineScene scene = sceneOf(analysis, index);
        QCOMPARE(TimelineLinks::ranksInSight(scene), (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(TimelineLinks::linesInSight(scene).size(), std::size_t(20));
        QCOMPARE(index->instance(3).lateRank, std::optional<std::size_t>(2));
        const QPolygonF ends = TimelineLinks::endsOf(scene, index->instance(3), {0, 1, 2});
        QCOMPARE(ends.size(), 3);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            const auto rect =
                sliceRect(*scene.store, scene.layout, scene.viewport, SliceRef{streams[rank], 0, 3});
            QVERIFY(std::abs(ends[static_cast<qsizetype>(rank)].x() - rect->right()) < 1e-6);
            QVERIFY(rect->top() < ends[static_cast<qsizetype>(rank)].y() &&
                    ends[static_cast<qsizetype>(rank)].y() < rect->bottom());
        }
        scene.viewport.width = 200; // no room for so many
        QVERIFY(TimelineLinks::linesInSight(scene).empty());
    }

    void collectivesOfOtherClocksAreNotJoined() {
        test::MadeRun run;
        for (const std::size_t rank : {0, 1})
            for (std::int64_t i = 0; i < 2; ++i) // too few to align the clocks by
                run.slice(run.stream(rank, "CUDA[0:" + std::to_string(i) + "]"), i * 1000, i * 1000 + 500,
                          "ncclKernel_AllReduce");
        const auto store = run.freeze();
        const auto same = RunAnalysis::of(store, ClassRules::builtin(), {});
        QCOMPARE(TimelineLinks::linesInSight(sceneOf(same, CollectiveIndex::of(same, {}))).size(),
                 std::size_t(2));
        std::vector<ClockInfo> clocks(2);
        clocks[1].domain = 1;
        const auto analysis = RunAnalysis::of(store->withClocks(clocks), ClassRules::builtin(), {});
        const auto index = CollectiveIndex::of(analysis, {});
        QVERIFY(TimelineLinks::linesInSight(sceneOf(analysis, index)).empty());
    }

    void messagesAreFoundByTime() {
        for (const bool aligned : {true, false}) {
            const auto store = storeWithMessages(1000, aligned);
            QCOMPARE(store->records().messages().size(), std::size_t(1000));
            const auto index = MessageIndex::of(store, {});
            QVERIFY(index->has(LocationId(0)) && index->has(LocationId(1)) && !index->has(LocationId(2)));
            QCOMPARE(index->withheld(), !aligned);
            std::vector<MessageArrow> arrows;
            QVERIFY(!index->inSight(range(0, 100'000), 400, arrows));
            QVERIFY(arrows.empty());
            TimelineScene scene;
            scene.store = store;
            scene.messages = index;
            scene.viewport = {range(0, 100'000), 1000, 100, 0};
            const auto said = [&](std::size_t location) {
                return TimelineLinks::missingArrows(scene, LocationId(location));
            };
            QVERIFY(said(0).contains(u"zoom in"_s) && said(2).isEmpty());
            scene.viewport.visible = range(5000, 6000);
            QCOMPARE(said(1).isEmpty(), aligned);
            QVERIFY(index->inSight(range(5000, 6000), 400, arrows));
            // Message i goes from 100 i to 100 i + 250.
            QCOMPARE(arrows.size(), aligned ? std::size_t(13) : std::size_t(0));
            if (aligned) {
                QCOMPARE(arrows.front().sent, Nanoseconds(4800));
                QCOMPARE(arrows.back().received, Nanoseconds(6250));
            }
        }
    }

    void whatCouldNotBeReadIsMissingFromTheLastSliceOn() {
        TraceBuilder builder("otf2");
        RankInfo rank;
        rank.rank = 4;
        builder.addRank(rank);
        const RegionId region = builder.addRegion({"work", "", "", "", RegionRole::Other, 0});
        for (const char* name : {"whole", "cut", "gone"}) {
            LocationInfo info;
            info.name = name;
            info.kind = LocationKind::Thread;
            const LocationId id = builder.addLocation(info);
            if (info.name == "gone")
                continue;
            builder.location(id).enter(0, region);
            builder.location(id).leave(info.name == "cut" ? 300 : 1000, region);
        }
        builder.addIssue(
            {"damaged_events_file", IssueSeverity::DataLoss, 1, 4, "cut", "The rest is damaged."});
        builder.addIssue({"missing_events_file", IssueSeverity::DataLoss, 1, 4, "gone", "It is missing."});
        builder.addIssue({"events_outside_time_range", IssueSeverity::DataLoss, 1, 4, "whole", "Some are."});
        const auto store = builder.freeze(std::vector<std::int64_t>{0});
        const LostTimes lost = lostTimes(*store);
        QVERIFY(!lost[0]);
        QCOMPARE(lost[1]->range, range(300, 1000));
        QCOMPARE(lost[2]->range, range(0, 1000));
        QCOMPARE(lost[2]->issue->sentence, std::string("It is missing."));
        QCOMPARE(rankLanes(*store)[0].lanes.size(), std::size_t(2));
        const auto ranks = rankLanes(*store, lost);
        QCOMPARE(ranks[0].lanes.size(), std::size_t(3));
        TimelineLayout layout;
        layout.build(ranks, {}, false);
        TimelineGeometry geometry;
        const TimelineViewport viewport{store->extent(), 100, layout.height(), 0};
        geometry.build(*store, layout, viewport);
        QCOMPARE(geometry.slices().size(), std::size_t(2));
        QCOMPARE(sliceUnder(*store, layout, viewport, 10, layout.height() - 8), std::nullopt);
    }

    void aRowOfPixelsIsWhatAPainterWouldPaint() {
        for (const int ratio : {1, 2}) {
            QImage picture(100 * ratio, 40 * ratio, QImage::Format_ARGB32_Premultiplied);
            picture.setDevicePixelRatio(ratio);
            picture.fill(Qt::white);
            QPainter painter(&picture);
            painter.translate(10, 5);
            RowRaster row;
            row.begin(painter, 80, 10);
            row.fill(-20, 20, qRgb(255, 0, 0));
            row.fill(30.2, 31.2, qRgb(0, 255, 0));
            row.fill(60, 200, qPremultiply(qRgba(0, 0, 255, 128)));
            row.draw(painter, 0, 10, 10);
            row.begin(painter, 80, 8);
            row.fill(QRect(0, 2, 80, 4), BrushPixels(QBrush(Qt::black)));
            row.draw(painter, 0, 0, 8);
            painter.end();
            const auto at = [&](int x, int y) {
                return picture.pixelColor((x + 10) * ratio, (y + 5) * ratio);
            };
            QCOMPARE(at(0, 10), QColor(Qt::red));
            QCOMPARE(at(19, 19), QColor(Qt::red));
            QCOMPARE(at(-1, 12), QColor(Qt::white));
            QCOMPARE(at(20, 12), QColor(Qt::white));
            QCOMPARE(at(5, 20), QColor(Qt::white));
            QCOMPARE(at(30, 12), QColor(0, 255, 0));
            QCOMPARE(at(31, 12), QColor(Qt::white));
            QCOMPARE(at(79, 15), QColor(127, 127, 255));
            QCOMPARE(at(80, 15), QColor(Qt::white));
            QCOMPARE(at(40, 1), QColor(Qt::white));
            QCOMPARE(at(40, 2), QColor(Qt::black));
            QCOMPARE(at(40, 6), QColor(Qt::white));
        }
    }

private:
    static TimelineScene sceneOf(const std::shared_ptr<const RunAnalysis>& analysis,
                                 std::shared_ptr<const CollectiveIndex> index) {
        TimelineScene scene;
        scene.store = analysis->store();
        scene.ranks = rankLanes(*scene.store);
        scene.layout.build(scene.ranks, {}, false);
        scene.viewport = {scene.store->extent(), 1000, scene.layout.height(), 0};
        scene.collectives = std::move(index);
        return scene;
    }
    static std::shared_ptr<const TraceStore> storeWithMessages(std::int64_t count, bool aligned) {
        TraceBuilder builder("otf2");
        for (const int rank : {0, 1, 2}) {
            RankInfo info;
            info.rank = rank;
            info.clock.domain = aligned ? 0 : static_cast<std::size_t>(rank);
            LocationInfo location;
            location.rankIndex = builder.addRank(info);
            location.kind = LocationKind::Thread;
            builder.addLocation(location);
        }
        const std::vector<std::uint32_t> members{0, 1, 2};
        const CommunicatorId world = builder.addCommunicator("world", members);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto order = static_cast<std::uint64_t>(i);
            const std::int64_t sent = builder.location(LocationId(0)).other(100 * i);
            const std::int64_t received = builder.location(LocationId(1)).other(100 * i + 250);
            builder.location(LocationId(0)).records().addSend({sent, sent, order, 8, world, 1, 7});
            builder.location(LocationId(1)).records().addReceive({received, received, order, 8, world, 0, 7});
        }
        return builder.freeze(std::vector<std::int64_t>(3, 0));
    }
};

} // namespace ddp::ui
