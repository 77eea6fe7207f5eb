// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared_data.h"
#include "tests/ui/docks_and_cli.h"
#include "tests/ui/opened_run.h"
#include "ui/models/import_issues_model.h"
#include "ui/timeline/timeline_canvas.h"

#include <map>
#include <optional>
#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Runs that others have recorded, in the real window.
class RealRunsTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::WindowHarness> m_harness;
    std::filesystem::path m_path;

    TimelineCanvas& canvas() { return *m_harness->child<TimelineCanvas>("timelineCanvas"); }
    const TraceStore& store() { return *canvas().scene().store; }
    QString path() const { return QString::fromStdString(m_path.string()); }
    /// False: the data is not on this machine, and the test is to be skipped.
    bool open() {
        QFETCH_GLOBAL(QString, run);
        m_path = test::sharedPath("data/traces") / run.toStdString();
        if (!std::filesystem::exists(m_path))
            return false;
        openAt(m_path);
        return true;
    }
    void openAt(const std::filesystem::path& path) {
        m_harness = std::make_unique<test::WindowHarness>();
        m_harness->window().openPaths({path});
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(canvas().scene().store);
        canvas().foldAll(false);
    }

private Q_SLOTS:
    void initTestCase_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<bool>("hasGaps"); // that are wider than a few pixels
        QTest::newRow("MI300") << u"fastotf2/simple-mi300-example-run"_s << true;
        QTest::newRow("user regions") << u"scorep-ddp/two-ranks-user-regions"_s << false;
        QTest::newRow("all calls") << u"scorep-ddp/two-of-four-ranks-all-calls"_s << true;
    }
    void cleanup() { m_harness.reset(); }

    void itOpensWithoutAProblem() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        QCOMPARE(m_harness->window().message(), QString());
        QVERIFY(
            m_harness->window().windowTitle().contains(QString::fromStdString(m_path.filename().string())));
    }

    void itTakesThePlaceOfARunWithASelectedSlice() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        test::OpenedRun other;
        other.canvas->showSlice(other.largeSlice().first);
        other.harness->window().openPaths({m_path});
        QVERIFY(other.harness->waitUntilIdle());
        QCOMPARE(other.harness->window().message(), QString());
        QVERIFY(!other.view->selection() && !other.canvas->scene().selected);
    }

    void theDocksEqualTheCommandLine() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        test::DocksAndCli(*m_harness, path()).compareAll();
    }

    void everyRankAndLocationWithSlicesHasARow() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        const TimelineScene& scene = canvas().scene();
        std::multiset<QString> shown;
        std::size_t headers = 0;
        for (const TimelineRow& row : scene.layout.rows()) {
            headers += row.kind == RowKind::Rank ? 1 : 0;
            if (row.kind == RowKind::Lane)
                shown.insert(laneOf(store().ranks()[row.rankIndex].rank.value_or(-1),
                                    QString::fromStdString(store().location(row.location).name)));
        }
        std::multiset<QString> wanted;
        const QJsonArray ranks = test::cliAnswer(u"info"_s, path())[u"ranks"_s].toArray();
        for (const auto& rank : ranks)
            for (const auto& location : rank.toObject()[u"locations"_s].toArray())
                if (location.toObject()[u"slices"_s].toInteger() > 0)
                    wanted.insert(laneOf(rank.toObject()[u"rank"_s].toInteger(-1),
                                         location.toObject()[u"name"_s].toString()));
        QCOMPARE(headers, static_cast<std::size_t>(ranks.size()));
        QVERIFY(!wanted.empty());
        QVERIFY(shown == wanted);
    }

    void whatIsPaintedIsInTheStore() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        Painted whole = comparePixels();
        ViewState& view = *m_harness->window().findChild<ViewState*>();
        const TimeRange all = view.extent();
        view.setVisible({all.begin + Nanoseconds(all.length().count * 2 / 5),
                         all.begin + Nanoseconds(all.length().count * 3 / 5)});
        const Painted part = comparePixels();
        QVERIFY2(whole.full + part.full > 100, qPrintable(QString::number(whole.full + part.full)));
        QFETCH_GLOBAL(bool, hasGaps);
        QVERIFY2(!hasGaps || whole.empty + part.empty > 100,
                 qPrintable(QString::number(whole.empty + part.empty)));
    }

    void issuesAreThoseOfTheCommandLine() {
        if (!open())
            QSKIP("needs the real data of ../shared, which is not on this machine");
        compareIssues(path());
        const test::TempFolder folder;
        const auto damaged = folder.path() / "damaged";
        std::filesystem::copy(m_path, damaged, std::filesystem::copy_options::recursive);
        const auto events = largestEvents(damaged);
        std::filesystem::permissions(events, std::filesystem::perms::owner_all);
        std::filesystem::resize_file(events, std::filesystem::file_size(events) / 2);
        openAt(damaged);
        QVERIFY(compareIssues(QString::fromStdString(damaged.string())) > 0);
        const QAbstractItemModel& model = *m_harness->child<QTableView>("issuesTable")->model();
        bool lost = false;
        for (int row = 0; row < model.rowCount(); ++row)
            lost |= model.index(row, ImportIssuesModel::SentenceColumn)
                        .data()
                        .toString()
                        .contains(QString::fromStdString(events.filename().string()));
        QVERIFY(lost);
        // A lane without a name says nothing: what lost its events there is in the list alone.
        for (const TimelineRow& row : canvas().scene().layout.rows())
            QVERIFY(row.kind != RowKind::Lane || !store().location(row.location).name.empty());
    }

private:
    struct Painted {
        int full = 0;
        int empty = 0;
        std::map<std::pair<RegionId, LocationKind>, QRgb> colors;
    };

    static QString laneOf(qint64 rank, const QString& name) { return u"%1 %2"_s.arg(rank).arg(name); }

    static std::filesystem::path largestEvents(const std::filesystem::path& folder) {
        std::filesystem::path best;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".evt" &&
                (best.empty() || entry.file_size() > std::filesystem::file_size(best)))
                best = entry.path();
        return best;
    }

    int compareIssues(const QString& trace) {
        const QJsonArray wanted = test::cliAnswer(u"info"_s, trace)[u"import_issues"_s].toArray();
        const QAbstractItemModel& model = *m_harness->child<QTableView>("issuesTable")->model();
        if (model.rowCount() != wanted.size()) {
            QTest::qFail("the dock has other issues than ddpscope-cli", __FILE__, __LINE__);
            return 0;
        }
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, ImportIssuesModel::SentenceColumn).data().toString() !=
                wanted[row].toObject()[u"sentence"_s].toString())
                QTest::qFail("an issue says something else than ddpscope-cli", __FILE__, __LINE__);
        const QString title = m_harness->child<QDockWidget>("issuesDock")->windowTitle();
        if (title.contains(u'(') != !wanted.isEmpty())
            QTest::qFail(qPrintable(title), __FILE__, __LINE__);
        return model.rowCount();
    }

    /// Looks at every depth of the lanes in sight: where one slice of the store fills more than the column of
    /// pixels, the pixel is painted, and where no slice is near, it is as empty as the edge of its lane.
    Painted comparePixels() {
        TimelineCanvas& picture = canvas();
        picture.replot();
        const QImage image = picture.grab().toImage();
        const TimelineScene& scene = picture.scene();
        Painted seen;
        for (const TimelineRow& row : scene.layout.rows()) {
            const int top = row.top - scene.viewport.scroll;
            if (row.kind != RowKind::Lane || top < TimelineLayout::kRankHeight)
                continue; // or below the header that stays in sight
            for (int depth = 0; depth < row.depths; ++depth) {
                const int y = TimelineLayout::depthTop(row, depth) - scene.viewport.scroll;
                if (y + TimelineLayout::kDepthHeight <= scene.viewport.height)
                    compareLine(image, row, static_cast<std::size_t>(depth), seen);
            }
        }
        return seen;
    }
    void compareLine(const QImage& image, const TimelineRow& row, std::size_t depth, Painted& seen) {
        const TimelineScene& scene = canvas().scene();
        const TimelineViewport& viewport = scene.viewport;
        const SliceLane& lane = store().lanes(row.location)[depth];
        const int edge = scene.rowsTop() + row.top - viewport.scroll + 1;
        // The first line of pixels, where no letter reaches.
        const int y =
            scene.rowsTop() + TimelineLayout::depthTop(row, static_cast<int>(depth)) - viewport.scroll;
        const auto timeAt = [&](int x) {
            return viewport.visible.begin.count + viewport.visible.length().count * x / viewport.width;
        };
        for (int x = 2; x + 3 < viewport.width; x += 5) {
            const TimeRange near{Nanoseconds(timeAt(x - 2)), Nanoseconds(timeAt(x + 3))};
            bool any = false;
            std::optional<RegionId> full;
            for (std::size_t i = 0; i < lane.size(); ++i) { // every slice: the store's index is not asked
                any |= lane.begin(i) < near.end && near.begin < lane.end(i);
                if (lane.begin(i) <= near.begin && near.end <= lane.end(i))
                    full = lane.region(i);
            }
            const int at = scene.headerWidth + x;
            const bool line = image.pixel(at, edge) != image.pixel(at - 1, edge) ||
                              image.pixel(at, edge) != image.pixel(at + 1, edge); // of the ruler or a step
            if (line || any != full.has_value())
                continue;
            const QRgb pixel = image.pixel(at, y);
            bool right = full.has_value() == (pixel != image.pixel(at, edge));
            if (full) // a region has one colour
                right &= seen.colors.try_emplace({*full, store().location(row.location).kind}, pixel)
                             .first->second == pixel;
            if (!right)
                QTest::qFail(qPrintable(u"x %1, y %2: %3"_s.arg(at).arg(y).arg(QColor(pixel).name())),
                             __FILE__, __LINE__);
            ++(full ? seen.full : seen.empty);
        }
    }
};

} // namespace ddp::ui
