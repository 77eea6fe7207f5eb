// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/store_factory.h"
#include "ui/timeline/timeline_geometry.h"

#include <QTest>

namespace ddp::ui {

class TimelineLayoutTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_store = test::smallStore();
        m_layout.build(rankLanes(*m_store), {}, false);
    }

    void everyRankHasAHeaderAndItsFilledLanes() {
        const auto ranks = rankLanes(*m_store);
        QCOMPARE(ranks.size(), std::size_t(2));
        QCOMPARE(ranks[0].lanes.size(), std::size_t(2));
        QCOMPARE(ranks[0].empty, 1);
        QCOMPARE(ranks[0].lanes[0].depths, 2);
        QCOMPARE(m_layout.rows().size(), std::size_t(5)); // two headers, three lanes
    }

    void rowsFollowEachOtherWithoutGaps() {
        int y = 0;
        for (std::size_t i = 0; i < m_layout.rows().size(); ++i) {
            QCOMPARE(m_layout.rows()[i].top, y);
            y += m_layout.rows()[i].height;
            QCOMPARE(m_layout.rowAt(y - 1), std::optional(i));
        }
        QCOMPARE(m_layout.height(), y);
        QCOMPARE(m_layout.rowAt(y), std::nullopt);
        QCOMPARE(m_layout.rowAt(-1), std::nullopt);
    }

    void aFoldedRankKeepsOnlyItsHeader() {
        m_layout.build(rankLanes(*m_store), {0}, false);
        QCOMPARE(m_layout.rows().size(), std::size_t(3));
        QVERIFY(m_layout.rows()[1].kind == RowKind::Rank);
        QCOMPARE(m_layout.rowOf(m_store->ranks()[0].locations[0]), std::nullopt);
    }

    void depthsAreFoundByHeight() {
        const TimelineRow& lane = m_layout.rows()[1];
        QCOMPARE(TimelineLayout::depthAt(lane, lane.top), std::nullopt); // padding
        QCOMPARE(TimelineLayout::depthAt(lane, TimelineLayout::depthTop(lane, 0)), std::optional(0));
        QCOMPARE(TimelineLayout::depthAt(lane, TimelineLayout::depthTop(lane, 1) + 3), std::optional(1));
        QCOMPARE(TimelineLayout::depthAt(lane, lane.bottom() - 1), std::nullopt);
    }

    void onlyVisibleRowsBecomeRectangles() {
        TimelineGeometry geometry;
        TimelineViewport viewport{m_store->extent(), 1000, m_layout.height(), 0};
        geometry.build(*m_store, m_layout, viewport);
        QCOMPARE(geometry.slices().size(), std::size_t(5));
        viewport.height = m_layout.rows()[1].bottom(); // rank 0 and its first lane
        geometry.build(*m_store, m_layout, viewport);
        QCOMPARE(geometry.slices().size(), std::size_t(3));
        for (const SliceRect& slice : geometry.slices())
            QVERIFY(slice.rect.top() >= 0 && slice.rect.bottom() <= viewport.height);
    }

    void rectanglesLieWhereTheTimesAre() {
        const TimelineViewport viewport{m_store->extent(), 1000, m_layout.height(), 0};
        const SliceRef backward{m_store->ranks()[0].locations[0], 1, 1};
        const auto rect = sliceRect(*m_store, m_layout, viewport, backward);
        QVERIFY(rect);
        QCOMPARE(rect->left(), 400.0);
        QCOMPARE(rect->right(), 900.0);
        QCOMPARE(sliceUnder(*m_store, m_layout, viewport, rect->center().x(),
                            static_cast<int>(rect->center().y())),
                 std::optional(backward));
        QCOMPARE(sliceUnder(*m_store, m_layout, viewport, 500, 3), std::nullopt); // the header of rank 0
    }

private:
    std::shared_ptr<const TraceStore> m_store;
    TimelineLayout m_layout;
};

} // namespace ddp::ui
