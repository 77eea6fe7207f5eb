// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/models/rows_model.h"
#include "ui/models/slice_links.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_canvas.h"

#include <QLabel>
#include <QTableView>
#include <QTextEdit>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The details dock in the real window, on a generated run: what it says is what the analysis says, and its
/// links lead where they say.
class SliceDetailsTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::TempFolder> m_traces;
    std::unique_ptr<test::WindowHarness> m_harness;
    std::shared_ptr<const RunAnalysis> m_run;
    ViewState* m_view = nullptr;

    template <class T>
    T* child(const char* name) {
        return m_harness->child<T>(name);
    }
    QString said(const char* name) { return child<QLabel>(name)->text(); }
    void select(const SliceRef& slice) {
        m_view->select(slice);
        QVERIFY(m_harness->waitUntilIdle());
    }
    TimeRange rangeOf(const SliceRef& slice) const {
        const SliceLane& lane = m_run->store()->lanes(slice.location)[slice.depth];
        return {lane.begin(slice.row), lane.end(slice.row)};
    }
    void follow(const char* label) {
        Q_EMIT child<QLabel>(label)->linkActivated(u"slice"_s);
        QVERIFY(m_harness->waitUntilIdle());
    }

private Q_SLOTS:
    void init() {
        m_traces = std::make_unique<test::TempFolder>();
        test::GeneratorOptions options;
        options.ranks = 3;
        options.events = 6'000;
        options.lateNs = {0, 0, 40'000};
        test::generateOtf2(m_traces->path(), options);
        m_harness = std::make_unique<test::WindowHarness>();
        m_harness->window().openPaths({m_traces->path()});
        QVERIFY(m_harness->waitUntilIdle());
        const auto store = child<TimelineCanvas>("timelineCanvas")->scene().store;
        m_run = RunAnalysis::of(store, ClassRules::builtin(), {});
        m_view = m_harness->window().findChild<ViewState*>();
    }
    void cleanup() { m_harness.reset(); }

    void aCollectiveShowsAllRanksAndARowLeadsToItsRank() {
        const auto& instances = m_run->collectives().instances;
        const auto found = std::ranges::find_if(instances, [](const CollectiveInstance& instance) {
            return instance.parts.size() == 3 && instance.confident && instance.lateRank;
        });
        QVERIFY(found != instances.end());
        const CollectivePart& first = found->parts[0];
        select({first.location, first.slice.lane, first.slice.row});
        QCOMPARE(said("sliceClass"), u"communication"_s);
        const QTableView& parts = *child<QTableView>("sliceParts");
        QVERIFY(parts.isVisibleTo(child<QWidget>("sliceDetails")));
        QCOMPARE(parts.model()->rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            const CollectivePart& part = found->parts[static_cast<std::size_t>(row)];
            QCOMPARE(parts.model()->index(row, 1).data(KeyRole).toLongLong(), part.range.length().count);
            QCOMPARE(parts.model()->index(row, 2).data(KeyRole).toLongLong(), part.wait->count);
            QCOMPARE(parts.model()->index(row, 0).data().toString().contains(u"late"_s),
                     *found->lateRank == part.rankIndex);
        }
        const CollectivePart& last = found->parts[2];
        Q_EMIT child<QTableView>("sliceParts")->clicked(parts.model()->index(2, 0));
        QVERIFY(m_view->selection() == (SliceRef{last.location, last.slice.lane, last.slice.row}));
        QVERIFY(m_view->visible().begin <= last.range.begin && last.range.end <= m_view->visible().end);
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(said("sliceRank").startsWith(u"rank 2"_s));
    }

    void aKernelLeadsToItsLaunchAndBack() {
        const LaunchedKernels launches = launchedKernels(*m_run->store(), m_run->activity(), 1);
        QVERIFY(launches.kernels.size() > 10);
        const LaunchedKernel& kernel = launches.kernels[7];
        const auto lanes = m_run->store()->lanes(kernel.stream);
        SliceRef slice{kernel.stream, 0, 0};
        for (std::size_t depth = 0; depth < lanes.size(); ++depth)
            for (std::size_t row = 0; row < lanes[depth].size(); ++row)
                if (lanes[depth].begin(row) == kernel.range.begin &&
                    lanes[depth].end(row) == kernel.range.end)
                    slice = {kernel.stream, depth, row};
        QCOMPARE(rangeOf(slice), kernel.range);
        select(slice);
        QVERIFY2(said("sliceLaunch").contains(u"on the host"_s), qPrintable(said("sliceLaunch")));
        follow("sliceLaunch");
        QVERIFY(m_view->selection()->location == kernel.thread);
        QCOMPARE(rangeOf(*m_view->selection()).begin, kernel.launch);
        follow("sliceLaunch");
        QVERIFY(m_view->selection() == slice);
        QVERIFY(child<QTableView>("sliceAttributes")->model()->rowCount() > 0);
    }

    void theParentIsALink() {
        const LocationId thread = threadOfRank(0);
        const SliceLane& lane = m_run->store()->lanes(thread)[1];
        select({thread, 1, lane.size() / 2});
        const auto parent = lane.parent(lane.size() / 2);
        QVERIFY(parent);
        follow("sliceParent");
        QVERIFY(m_view->selection() == (SliceRef{thread, 0, *parent}));
        QVERIFY(said("sliceParent").startsWith(u"nothing"_s));
    }

    void previousNextAndZoom() {
        const LocationId thread = threadOfRank(0);
        const SliceRef slice{thread, 1, m_run->store()->lanes(thread)[1].size() / 2};
        const SliceLinks links = sliceLinks(*m_run->store(), m_run.get(), slice, nullptr, {});
        QVERIFY(links.next && links.previous);
        select(slice);
        QCOMPARE(said("sliceSelf"), durationText(links.self));
        const QString name = child<QTextEdit>("sliceName")->toPlainText();
        child<QToolButton>("sliceNext")->click();
        QVERIFY(m_view->selection() == links.next);
        QCOMPARE(child<QTextEdit>("sliceName")->toPlainText(), name);
        QVERIFY(m_harness->waitUntilIdle());
        child<QToolButton>("slicePrevious")->click();
        QVERIFY(m_view->selection() == slice);
        QVERIFY(m_harness->waitUntilIdle());
        child<QToolButton>("sliceZoom")->click();
        const TimeRange range = rangeOf(slice);
        QVERIFY(m_view->visible().begin <= range.begin && range.end <= m_view->visible().end);
        QVERIFY(m_view->visible().length().count <= 2 * range.length().count + 20);
    }

    void whatTheTraceDoesNotSayIsNotShown() {
        const LocationId thread = threadOfRank(0);
        select({thread, 0, 0});
        const auto shown = [this](const char* name) {
            return child<QLabel>(name)->isVisibleTo(child<QWidget>("sliceDetails"));
        };
        QVERIFY(!shown("sliceDevice"));
        QVERIFY(!shown("sliceStream"));
        QVERIFY(!shown("sliceLaunch"));
        QVERIFY(!child<QTableView>("sliceParts")->isVisibleTo(child<QWidget>("sliceDetails")));
        QVERIFY(shown("sliceLane"));
    }

private:
    LocationId threadOfRank(std::size_t rank) const {
        for (const LocationId location : m_run->store()->ranks()[rank].locations)
            if (m_run->store()->location(location).kind == LocationKind::Thread &&
                m_run->store()->lanes(location).size() > 1)
                return location;
        return {};
    }
};

} // namespace ddp::ui
