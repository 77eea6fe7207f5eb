// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/opened_run.h"
#include "ui/dialogs/command_palette.h"
#include "ui/panels/search_bar.h"

#include <QLabel>
#include <QLineEdit>

#include <set>
#include <tuple>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Slices by the name of their region, and commands by theirs, in the real window.
class SearchTest final : public QObject, private test::UsesOpenedRun {
    Q_OBJECT

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
        view().setVisible(m_run->part(40, 55));
        const QImage without = picture();
        type(u"nccl"_s);
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
        QVERIFY(hits >= 3);
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
