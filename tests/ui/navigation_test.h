// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "tests/ui/opened_run.h"
#include "ui/dialogs/command_palette.h"
#include "ui/models/rows_model.h"
#include "ui/panels/search_bar.h"
#include "ui/timeline/overview_strip.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The ways through a generated run in the real window.
class NavigationTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OpenedRun> m_run;

    TimelineCanvas& canvas() { return *m_run->canvas; }
    ViewState& view() { return *m_run->view; }
    template <class T>
    T* child(const char* name) {
        return m_run->harness->child<T>(name);
    }
    OverviewStrip& strip() { return *child<OverviewStrip>("overviewStrip"); }
    /// A time may be off by what two pixels of the strip last.
    bool near(Nanoseconds a, Nanoseconds b) {
        return std::abs((a - b).count) <= 2 * view().extent().length().count / strip().area().width() + 1;
    }
    QPoint inStrip(int percent) {
        const QRect area = strip().area();
        return {area.left() + area.width() * percent / 100, area.center().y()};
    }
    Nanoseconds percent(int of) { return m_run->part(of, of).begin; }

    QJsonArray cliRows(TimeRange window) const {
        QProcess cli;
        cli.start(QStringLiteral(DDP_BIN_DIR "/ddpscope-cli"),
                  {u"overlap"_s, QString::fromStdString(m_run->traces.path().string()), u"--json"_s,
                   u"--window"_s, u"%1:%2"_s.arg(window.begin.count).arg(window.end.count)});
        if (!cli.waitForFinished(60'000))
            return {};
        return QJsonDocument::fromJson(cli.readAllStandardOutput()).object()[u"rows"_s].toArray();
    }
    /// Counted where the set was written.
    std::uint64_t truthOf(const QString& word) const {
        std::uint64_t count = 0;
        for (const test::TruthLocation& location : m_run->truth.locations)
            for (const test::TruthSlice& slice : location.slices)
                count += QString::fromStdString(m_run->truth.regions[slice.region].name)
                                 .contains(word, Qt::CaseInsensitive)
                             ? 1
                             : 0;
        return count;
    }
    void type(const QString& text) {
        QTest::keyClicks(child<QLineEdit>("searchText"), text);
        QTest::qWait(200);
        m_run->settle();
    }
    QString counted() { return child<QLabel>("searchCount")->text(); }

private Q_SLOTS:
    void init() { m_run = std::make_unique<test::OpenedRun>(); }
    void cleanup() { m_run.reset(); }

    void theFrameOfTheOverviewCanBeDragged() {
        const QRect area = strip().area();
        QCOMPARE(area.left(), canvas().mapTo(&m_run->harness->window(), QPoint()).x() +
                                  canvas().scene().headerWidth -
                                  strip().mapTo(&m_run->harness->window(), QPoint()).x());
        QCOMPARE(area.width(), canvas().scene().viewport.width);
        QCOMPARE(strip().frame(), area);

        test::OpenedRun::drag(strip(), inStrip(20), inStrip(60)); // of the whole run: a new window
        QVERIFY(near(view().visible().begin, percent(20)) && near(view().visible().end, percent(60)));
        const QRect frame = strip().frame();
        test::OpenedRun::drag(strip(), {frame.left(), area.center().y()}, inStrip(30));
        QVERIFY(near(view().visible().begin, percent(30)) && near(view().visible().end, percent(60)));
        test::OpenedRun::drag(strip(), {frame.right(), area.center().y()}, inStrip(50));
        QVERIFY(near(view().visible().begin, percent(30)) && near(view().visible().end, percent(50)));
        const Nanoseconds length = view().visible().length();
        test::OpenedRun::drag(strip(), inStrip(40), inStrip(70));
        QVERIFY(near(view().visible().begin, percent(60)));
        QCOMPARE(view().visible().length(), length);
        test::OpenedRun::drag(strip(), inStrip(5), inStrip(15)); // beside it
        QVERIFY(near(view().visible().begin, percent(5)) && near(view().visible().end, percent(15)));
        QTest::mouseClick(&strip(), Qt::LeftButton, {}, inStrip(90));
        QVERIFY(near(view().visible().begin, percent(85)));
        QTest::mouseDClick(&strip(), Qt::LeftButton, {}, inStrip(50));
        QCOMPARE(view().visible(), view().extent());
    }

    void theOverviewHasKeysAndAName() {
        QVERIFY(!strip().accessibleName().isEmpty());
        QVERIFY(strip().focusPolicy() & Qt::TabFocus);
        strip().setFocus();
        view().setVisible(m_run->part(40, 50));
        QTest::keyClick(&strip(), Qt::Key_Right);
        QVERIFY(view().visible().begin > percent(40));
        QTest::keyClick(&strip(), Qt::Key_Left);
        QCOMPARE(view().visible(), m_run->part(40, 50));
        QTest::keyClick(&strip(), Qt::Key_Home);
        QCOMPARE(view().visible(), view().extent());
    }

    void theOverviewIsPaintedAsTheDevicesAreAndOnce() {
        const auto& parts = strip().columns().parts;
        QCOMPARE(static_cast<int>(parts.size()), strip().area().width());
        const QImage image = strip().grab().toImage();
        const Palette colors(ThemeMode::Light);
        int checked = 0;
        for (std::size_t column = 0; column < parts.size(); column += 3) {
            // Below what is stacked from the top, all is idle.
            double busy = 0;
            for (std::size_t part = 0; part + 1 < kStackedParts.size(); ++part)
                busy += parts[column][part];
            const int y = static_cast<int>(busy * strip().area().height()) + 2;
            if (y >= strip().area().height() - 1 || column < 6 || column + 6 > parts.size())
                continue;
            const QPoint at = strip().area().topLeft() + QPoint(static_cast<int>(column), y);
            QCOMPARE(image.pixelColor(at), colors.activityColor(ActivityPart::Idle));
            if (busy > 0.2)
                QVERIFY(image.pixelColor(at.x(), strip().area().top() + 3) !=
                        colors.activityColor(ActivityPart::Idle));
            ++checked;
        }
        QVERIFY(checked > 20);
        const auto* before = parts.data();
        view().setVisible(m_run->part(10, 20));
        m_run->settle();
        QCOMPARE(strip().columns().parts.data(), before); // nothing was asked again
    }

    void numbersOfARangeEqualTheCommandLine() {
        auto* table = child<QTableView>("rangeTable");
        const TimeRange run = view().extent();
        const std::int64_t tenth = run.length().count / 10;
        for (const TimeRange range : {m_run->part(20, 55),
                                      TimeRange{run.begin + Nanoseconds(7 * tenth + 123),
                                                run.begin + Nanoseconds(7 * tenth + 45'678)},
                                      TimeRange{run.begin, run.begin + Nanoseconds(30)}}) {
            view().setRange(range);
            m_run->settle();
            QCOMPARE(child<QTabWidget>("detailTabs")->currentWidget()->objectName(), u"rangePanel"_s);
            const QJsonArray rows = cliRows(range);
            QCOMPARE(rows.size(), 4);
            QCOMPARE(table->model()->rowCount(), 4);
            const std::pair<const char16_t*, int> columns[] = {
                {u"hidden_ns", 3}, {u"exposed_ns", 4},        {u"compute_ns", 5},
                {u"idle_ns", 6},   {u"exposed_memory_ns", 7}, {u"communication_ns", 8}};
            for (int row = 0; row < 4; ++row) {
                const QJsonObject cli = rows[row].toObject();
                for (const auto& [name, column] : columns)
                    QCOMPARE(table->model()->index(row, column).data(KeyRole).toLongLong(),
                             cli[QString::fromUtf16(name)].toInteger());
                const QString hidden = table->model()->index(row, 2).data().toString();
                if (cli[u"hidden_pct"_s].isNull())
                    QCOMPARE(hidden, u"–"_s);
                else
                    QVERIFY(std::abs(hidden.toDouble() - cli[u"hidden_pct"_s].toDouble()) <= 0.051);
            }
        }
        view().setRange(std::nullopt);
        QVERIFY(child<QLabel>("rangeEmpty")->text().contains(u"ruler"_s));
        QVERIFY(child<QLabel>("rangeEmpty")->isVisible());
    }

    void aRangeIsMarkedWithItsLength() {
        const QImage without = canvas().grab().toImage();
        test::OpenedRun::drag(canvas(), m_run->at(20, -8), m_run->at(60, -8));
        m_run->settle();
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&canvas(), &leave);
        const QImage with = canvas().grab().toImage();
        const auto changed = [&](int percent) {
            const QPoint at = m_run->at(percent, 120);
            return without.pixel(at) != with.pixel(at);
        };
        QVERIFY(!changed(18) && changed(22) && changed(58) && !changed(62));
        QVERIFY(child<QLabel>("rangeWindow")->text().startsWith(durationText(view().range()->length())));
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, m_run->at(30, 120)); // in it: it stays
        QVERIFY(view().range());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, m_run->at(80, 120));
        QVERIFY(!view().range());
    }

    void goToATimeOrAStep() {
        auto* text = child<QLineEdit>("goToText");
        auto* problem = child<QLabel>("goToProblem");
        const auto enter = [&](const QString& what) {
            m_run->harness->trigger("goToTime");
            text->setText(what);
            QTest::keyClick(text, Qt::Key_Return);
        };
        enter(u"17"_s);
        QVERIFY(problem->text().contains(u"unit"_s));
        enter(u"1000 min"_s);
        QVERIFY(problem->text().contains(u"outside the run"_s));
        enter(u"step 99999"_s);
        QVERIFY(problem->text().contains(u"no step 99999"_s));
        QCOMPARE(view().visible(), view().extent());
        const Nanoseconds time = percent(40);
        enter(u"%1 ns"_s.arg(time.count));
        QVERIFY(!text->isVisible());
        const TimeRange shown = view().visible();
        QVERIFY(shown.length() < view().extent().length());
        QVERIFY(std::abs((time - shown.begin).count - shown.length().count / 2) <= 1);
        const Step& step = m_run->run->steps().ranks[0][2];
        enter(u"step %1"_s.arg(step.number));
        QVERIFY(view().visible().begin <= step.range.begin && view().visible().end >= step.range.end);
        QVERIFY(view().visible().length().count < 2 * step.range.length().count);
    }

    void bookmarksStayWithTheRun() {
        const QDir traces(QString::fromStdString(m_run->traces.path().string()));
        const QStringList files = traces.entryList();
        view().setVisible(m_run->part(20, 30));
        m_run->harness->trigger("setBookmark");
        view().setVisible(m_run->part(60, 70));
        m_run->harness->trigger("setBookmark");
        m_run->harness->trigger("listBookmarks");
        auto* table = child<QTableWidget>("bookmarksTable");
        QCOMPARE(table->rowCount(), 2);
        table->item(1, 0)->setText(u"the late one"_s);
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(view().visible(), m_run->part(20, 30));
        QTest::mouseClick(child<QPushButton>("bookmarkDelete"), Qt::LeftButton);
        QCOMPARE(table->rowCount(), 1);

        m_run->openAgain();
        const auto& kept = canvas().scene().marks.bookmarks;
        QCOMPARE(kept.size(), std::size_t(1));
        QCOMPARE(kept[0].name, u"the late one"_s);
        QCOMPARE(kept[0].time, percent(65));
        QCOMPARE(traces.entryList(), files);

        // Their flags are seen, and the menu of one has its name.
        const auto flags = bookmarkFlags(canvas().scene(), canvas().fontMetrics());
        QCOMPARE(flags.size(), std::size_t(1));
        QMenu menu;
        Q_EMIT canvas().menuOpening(&menu, flags[0].rect.center(), percent(65));
        QVERIFY(menu.actions().size() >= 3);
        QVERIFY(menu.actions()[0]->text().contains(u"the late one"_s));
        menu.actions()[1]->trigger();
        QVERIFY(kept.empty());
    }

    void damagedBookmarksAreSaid() {
        m_run->harness->trigger("setBookmark");
        const QDir folder(QString::fromStdString((m_run->harness->folder() / "bookmarks").string()));
        QCOMPARE(folder.entryList(QDir::Files).size(), 1);
        QFile file(folder.filePath(folder.entryList(QDir::Files).front()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ half a file");
        file.close();
        m_run->openAgain();
        QVERIFY(canvas().scene().marks.bookmarks.empty());
        QVERIFY2(m_run->harness->window().message().contains(file.fileName()),
                 qPrintable(m_run->harness->window().message()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{ half a file"));
    }

    void searchCountsAndGoesThroughAllHits() {
        m_run->harness->trigger("findSlices");
        type(u"NCCL"_s);
        const std::uint64_t wanted = truthOf(u"nccl"_s);
        QVERIFY(wanted > 20);
        QCOMPARE(counted(), u"%1 slices"_s.arg(QLocale().toString(qulonglong(wanted))));
        const QImage marked = canvas().grab().toImage();
        std::set<std::tuple<std::size_t, std::size_t, std::size_t>> seen;
        view().setVisible({view().extent().begin, view().extent().begin + Nanoseconds(100)});
        auto* text = child<QLineEdit>("searchText");
        for (std::uint64_t i = 0; i < wanted; ++i) {
            QTest::keyClick(text, Qt::Key_Return);
            QVERIFY(view().selection());
            const auto& slice = *view().selection();
            seen.insert({slice.location.index(), slice.depth, slice.row});
            const TimeRange range = sliceRange(*m_run->run->store(), slice);
            QVERIFY(range.begin >= view().visible().begin && range.end <= view().visible().end);
            QVERIFY2(counted().startsWith(u"%1 of"_s.arg(QLocale().toString(qulonglong(i + 1)))),
                     qPrintable(counted()));
        }
        QCOMPARE(seen.size(), wanted);
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(counted().startsWith(u"1 of"_s) && counted().contains(u"from the beginning"_s));
        QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(counted().startsWith(u"%1 of"_s.arg(QLocale().toString(qulonglong(wanted)))));

        view().select(std::nullopt);
        view().fit();
        m_run->settle();
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!child<SearchBar>("searchBar")->isVisible());
        QVERIFY(!canvas().scene().marks.search);
        QVERIFY(canvas().hasFocus());
    }

    void everyHitInSightIsMarked() {
        m_run->harness->trigger("findSlices");
        const auto picture = [this] {
            canvas().replot();
            return canvas().grab().toImage();
        };
        const QImage without = picture();
        type(u"nccl"_s);
        QTest::qWait(50);
        const QImage with = picture();
        const auto& store = *m_run->run->store();
        int hits = 0;
        for (const SliceRect& slice : canvas().scene().geometry.slices()) {
            bool hit = false;
            const SliceLane& lane = store.lanes(slice.slice.location)[slice.slice.depth];
            for (std::size_t row = slice.slice.row; row < slice.slice.row + slice.count; ++row)
                hit = hit || store.regionName(lane.region(row)).find("nccl") != std::string_view::npos;
            const QPoint place(canvas().scene().headerWidth + static_cast<int>(slice.rect.center().x()),
                               canvas().scene().rowsTop() + static_cast<int>(slice.rect.bottom()) - 2);
            if (place.x() >= with.width() || place.y() >= with.height() || slice.rect.width() < 3)
                continue;
            const QColor pixel = with.pixelColor(place);
            if (hit)
                QCOMPARE(pixel, Palette(ThemeMode::Light).colors().selection);
            else
                QCOMPARE(pixel, without.pixelColor(place));
            hits += hit ? 1 : 0;
        }
        QVERIFY(hits > 5);
    }

    void aFoldedRankOpensForAHit() {
        canvas().foldAll(true);
        m_run->harness->trigger("findSlices");
        type(u"nccl"_s);
        m_run->harness->trigger("findNext");
        QVERIFY(canvas().scene().layout.rowOf(view().selection()->location));
    }

    void searchSaysWhenThereIsNothing() {
        m_run->harness->trigger("findSlices");
        type(u"no such region"_s);
        QVERIFY(counted().contains(u"no slice"_s));
        QTest::keyClick(child<QLineEdit>("searchText"), Qt::Key_Return);
        QVERIFY(!view().selection());
    }

    void thePaletteKnowsAllMenusStepsAndRegions() {
        auto* palette = child<CommandPalette>("commandPalette");
        auto* query = child<QLineEdit>("commandQuery");
        const auto open = [&](const QString& text) {
            m_run->harness->trigger("commandPalette");
            QVERIFY(palette->isVisible());
            QVERIFY(query->hasFocus());
            QTest::keyClicks(query, text);
        };
        open({});
        QStringList names;
        for (int row = 0; row < palette->model().rowCount(); ++row)
            names += palette->model().index(row).data().toString();
        for (const auto& name : {u"File › Open trace…"_s, u"View › Zoom in"_s, u"View › Go to › Nodes"_s,
                                 u"Navigate › Find…"_s, u"Help › Keys"_s})
            QVERIFY2(names.contains(name), qPrintable(name));
        QTest::keyClick(query, Qt::Key_Escape);
        QVERIFY(!palette->isVisible());
        QVERIFY(canvas().hasFocus());

        open(u"zoom in"_s);
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QVERIFY(view().visible().length() < view().extent().length());

        view().fit();
        const Step& step = m_run->run->steps().ranks[0][3];
        open(u"step %1"_s.arg(step.number));
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(view().visible().begin <= step.range.begin && view().visible().end >= step.range.end);
        open(u"step 99999"_s);
        QCOMPARE(palette->model().runnable(0, 1), -1);
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(palette->isVisible()); // what can not be done is not done
        QTest::keyClick(query, Qt::Key_Escape);

        open(u"nccldev"_s);
        QVERIFY(palette->model().rowCount() >= 2);
        QTest::keyClick(query, Qt::Key_Down);
        QTest::keyClick(query, Qt::Key_Return);
        m_run->settle();
        QVERIFY(child<SearchBar>("searchBar")->isVisible());
        QVERIFY(view().selection());
    }

    void withoutARunThereIsNothingToDo() {
        test::WindowHarness empty;
        for (const char* action :
             {"goBack", "goForward", "goToTime", "zoomToRange", "findSlices", "setBookmark", "listBookmarks"})
            QVERIFY2(!empty.child<QAction>(action)->isEnabled(), action);
        QVERIFY(empty.child<QAction>("commandPalette")->isEnabled());
        empty.trigger("commandPalette");
        QTest::keyClicks(empty.child<QLineEdit>("commandQuery"), u"zoom in"_s);
        QCOMPARE(empty.child<CommandPalette>("commandPalette")->model().runnable(0, 1), -1);
    }
};

} // namespace ddp::ui
