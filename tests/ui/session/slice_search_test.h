// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/store_factory.h"
#include "ui/session/slice_search.h"

#include <QTest>

#include <random>
#include <tuple>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Against a plain walk through all slices of a run with random names.
class SliceSearchTest final : public QObject {
    Q_OBJECT

    struct Hit {
        std::int64_t begin;
        std::size_t lane;
        SliceRef slice;
    };
    std::shared_ptr<const TraceStore> m_store;

    static std::shared_ptr<const TraceStore> randomStore() {
        std::mt19937 random(7);
        std::vector<test::MadeRank> ranks;
        for (int rank = 0; rank < 3; ++rank) {
            test::MadeRank made{rank, {}};
            for (int lane = 0; lane < 3; ++lane) {
                test::MadeLane filled{"lane", {}};
                std::int64_t time = 0;
                const int slices = lane == 2 ? 5 : 1'000;
                for (int i = 0; i < slices; ++i) {
                    // Hits come in clusters, with long gaps between them, and many begin at the same time.
                    const bool hit = i % 300 < 20 ? random() % 2 == 0 : random() % 400 == 0;
                    const std::int64_t length = 10 * static_cast<std::int64_t>(1 + random() % 4);
                    filled.slices.push_back(
                        {time, time + length, hit ? "ncclDevKernel_AllReduce" : "gemm",
                         i % 50 == 0 ? std::vector<test::MadeSlice>{{time, time + 5, "AllReduce copy", {}}}
                                     : std::vector<test::MadeSlice>{}});
                    time += length;
                }
                made.lanes.push_back(filled);
            }
            ranks.push_back(made);
        }
        return test::makeStore(ranks);
    }
    std::vector<Hit> walk(const char* word) const {
        std::vector<Hit> hits;
        std::size_t number = 0;
        for (const RankInfo& rank : m_store->ranks())
            for (const LocationId location : rank.locations) {
                const auto lanes = m_store->lanes(location);
                for (std::size_t depth = 0; depth < lanes.size(); ++depth, ++number)
                    for (std::size_t row = 0; row < lanes[depth].size(); ++row)
                        if (m_store->regionName(lanes[depth].region(row)).find(word) !=
                            std::string_view::npos)
                            hits.push_back(
                                {lanes[depth].begin(row).count, number, SliceRef{location, depth, row}});
            }
        std::ranges::sort(hits, {},
                          [](const Hit& hit) { return std::tuple(hit.begin, hit.lane, hit.slice.row); });
        return hits;
    }
    std::shared_ptr<const SliceSearch> search(const QString& text) const {
        Progress progress;
        return SliceSearch::of(m_store, text, {}, progress);
    }

private Q_SLOTS:
    void initTestCase() { m_store = randomStore(); }

    void everyHitComesInItsOrder() {
        const auto hits = walk("AllReduce");
        const auto found = search(u"allREDUCE"_s);
        QVERIFY(hits.size() > 100);
        QCOMPARE(found->count(), hits.size());
        auto at = found->next(m_store->extent().begin, std::nullopt);
        for (std::size_t i = 0; i < hits.size(); ++i) {
            QVERIFY(at == hits[i].slice);
            QCOMPARE(*found->placeOf(*at), i + 1);
            at = found->next({}, at);
        }
        QVERIFY(!at);
        at = found->previous(m_store->extent().end + Nanoseconds(1), std::nullopt);
        for (std::size_t i = hits.size(); i-- > 0; at = found->previous({}, at))
            QVERIFY(at == hits[i].slice);
        QVERIFY(!at);
    }

    void fromAnyPlace() {
        const auto hits = walk("AllReduce");
        const auto found = search(u"AllReduce"_s);
        std::mt19937 random(3);
        const std::int64_t length = m_store->extent().length().count;
        for (int i = 0; i < 300; ++i) {
            const auto time = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length));
            const auto next =
                std::ranges::find_if(hits, [time](const Hit& hit) { return hit.begin >= time; });
            const auto got = found->next(Nanoseconds(time), std::nullopt);
            QCOMPARE(got.has_value(), next != hits.end());
            QVERIFY(!got || got == next->slice);
            const auto before = found->previous(Nanoseconds(time), std::nullopt);
            QCOMPARE(before.has_value(), next != hits.begin());
            QVERIFY(!before || before == std::prev(next)->slice);
        }
        // From a slice that is no hit, in a lane without any.
        const auto copies = search(u"copy"_s);
        const SliceRef gemm{m_store->ranks()[1].locations[0], 0, 500};
        QVERIFY(!copies->placeOf(gemm));
        const auto next = copies->next({}, gemm);
        QVERIFY(next && next->depth == 1);
    }

    void rowsThatHoldAHit() {
        const auto found = search(u"AllReduce"_s);
        std::mt19937 random(5);
        for (const LocationId location : m_store->ranks()[0].locations)
            for (std::size_t depth = 0; depth < m_store->lanes(location).size(); ++depth) {
                const SliceLane& lane = m_store->lanes(location)[depth];
                for (int i = 0; i < 400; ++i) {
                    const std::size_t first = random() % lane.size();
                    const std::size_t last = std::min(lane.size(), first + random() % 200);
                    bool any = false;
                    for (std::size_t row = first; row < last; ++row)
                        any = any || found->hits(lane.region(row));
                    QCOMPARE(found->hitsAny(location, depth, first, last), any);
                }
            }
    }

    void placesAreWhereHitsBegin() {
        const auto found = search(u"AllReduce"_s);
        SliceSearch::Places wanted;
        for (const Hit& hit : walk("AllReduce"))
            wanted.set(static_cast<std::size_t>(hit.begin * static_cast<std::int64_t>(SliceSearch::kPlaces) /
                                                m_store->extent().length().count));
        QVERIFY(wanted.any());
        QCOMPARE(found->places().count(), wanted.count());
    }

    void nothingIsFoundInWords() {
        QCOMPARE(search(u"no such region"_s)->count(), std::uint64_t(0));
        QVERIFY(!search(u"no such region"_s)->next({}, std::nullopt));
        QCOMPARE(search(QString())->count(), std::uint64_t(0));
        std::stop_source stop;
        stop.request_stop();
        Progress progress;
        QVERIFY(!SliceSearch::of(m_store, u"gemm"_s, stop.get_token(), progress));
    }
};

} // namespace ddp::ui
