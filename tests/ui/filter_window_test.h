// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "tests/ui/generated_window.h"
#include "ui/timeline/filter_bar.h"
#include "ui/timeline/filter_chip.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What the window shows of a run, and in which colours.
class FilterWindowTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::GeneratedWindow> m_window;

    template <class T>
    T* child(const char* name) {
        return m_window->child<T>(name);
    }
    const TimelineScene& scene() const { return m_window->scene(); }
    const TraceStore& store() const { return m_window->store(); }
    std::set<std::size_t> ranksInRows() const {
        std::set<std::size_t> ranks;
        for (const TimelineRow& row : scene().layout.rows())
            ranks.insert(row.rankIndex);
        return ranks;
    }
    QList<FilterChipView*> chips() const {
        auto all = m_window->harness().window().findChildren<FilterChipView*>();
        all.removeIf([](const FilterChipView* chip) { return chip->isHidden(); });
        return all;
    }
    WorkClass classOf(const SliceRect& slice) const {
        const auto run = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        return run->classification().classes.on(
            store().location(slice.slice.location).kind)[slice.region.index()];
    }
    void chooseDark() {
        for (QAction* action : m_window->harness().window().findChildren<QAction*>())
            if (action->text() == u"Dark"_s)
                action->trigger();
    }

private Q_SLOTS:
    void init() { m_window = std::make_unique<test::GeneratedWindow>(); }
    void cleanup() { m_window.reset(); }

    void fieldsBecomeChipsAndAChipCanBeRemoved() {
        const std::size_t all = scene().layout.rows().size();
        child<QToolButton>("filterToggle")->click();
        QVERIFY(child<QLineEdit>("filterLanes")->isVisible());
        QTest::keyClicks(child<QLineEdit>("filterLanes"), u"rank 2"_s);
        QCOMPARE(ranksInRows(), (std::set<std::size_t>{2}));
        child<QComboBox>("filterKinds")->setCurrentIndex(1);
        for (const TimelineRow& row : scene().layout.rows())
            QVERIFY(row.kind != RowKind::Lane || store().location(row.location).kind == LocationKind::Stream);
        QCOMPARE(chips().size(), 2);
        QTest::mouseClick(chips().front()->findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(chips().size(), 1);
        QCOMPARE(ranksInRows().size(), std::size_t(4));
        QCOMPARE(child<QLineEdit>("filterLanes")->text(), QString());
        QVERIFY(scene().layout.rows().size() < all);
        child<QToolButton>("filterClear")->click();
        QCOMPARE(scene().layout.rows().size(), all);
    }

    void whereNothingFitsTheTimelineSaysSo() {
        const std::size_t all = scene().layout.rows().size();
        LaneFilter filter;
        filter.lanes = u"no such lane"_s;
        m_window->timeline().filterBar().setFilter(filter);
        QVERIFY(scene().layout.rows().empty());
        auto* notice = child<QWidget>("filterNotice");
        QVERIFY(notice->isVisible());
        m_window->timeline().canvas().grab();
        notice->findChild<QPushButton*>()->click();
        QVERIFY(!notice->isVisible());
        QCOMPARE(scene().layout.rows().size(), all);
    }

    void idleLanesGoWhenTheWindowHasMoved() {
        LaneFilter filter;
        filter.hideIdle = true;
        m_window->timeline().filterBar().setFilter(filter);
        const std::size_t all = scene().layout.rows().size();
        auto* view = &m_window->view();
        const TimeRange extent = view->extent();
        view->setVisible({extent.begin, extent.begin + Nanoseconds(extent.length().count / 400)});
        QTRY_VERIFY(scene().layout.rows().size() < all);
        view->fit();
        QTRY_COMPARE(scene().layout.rows().size(), all);
    }

    void onlySlicesOfTheClassArePainted() {
        LaneFilter filter;
        filter.work = WorkClass::Communication;
        filter.hideOthers = true;
        m_window->timeline().filterBar().setFilter(filter);
        m_window->timeline().canvas().grab();
        QVERIFY(!scene().geometry.slices().empty());
        for (const SliceRect& slice : scene().geometry.slices())
            QVERIFY(classOf(slice) == WorkClass::Communication);
    }

    void theMostExposedRankIsOnTop() {
        LaneFilter filter;
        filter.byExposed = true;
        m_window->timeline().filterBar().setFilter(filter);
        const auto run = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        std::vector<std::int64_t> exposed(store().ranks().size());
        for (const OverlapRow& row : overlapOf(*run, OverlapBy::Device, store().extent()).rows)
            exposed[row.rankIndex] += row.activity.exposed.count;
        std::vector<std::int64_t> shown;
        for (const TimelineRow& row : scene().layout.rows())
            if (row.kind == RowKind::Rank)
                shown.push_back(exposed[row.rankIndex]);
        QCOMPARE(shown.size(), exposed.size());
        QVERIFY(std::ranges::is_sorted(shown, std::greater()));
    }

    void coloursFollowTheChoice() {
        m_window->timeline().canvas().grab();
        const Palette palette(ThemeMode::Light);
        for (const char* action : {"colorByGroup", "colorByRegion", "colorByClass"}) {
            m_window->harness().trigger(action);
            m_window->timeline().canvas().replot();
            const QImage picture = m_window->timeline().canvas().grab().toImage();
            int checked = 0;
            for (const SliceRect& slice : scene().geometry.slices()) {
                if (slice.count != 1 || slice.rect.width() < 12)
                    continue;
                const LocationKind kind = store().location(slice.slice.location).kind;
                const QPoint at(scene().headerWidth + static_cast<int>(slice.rect.left()) + 2,
                                scene().rowsTop() + static_cast<int>(slice.rect.top()) + 1);
                if (slice.rect.left() < 0 || at.x() >= picture.width() || at.y() >= picture.height())
                    continue;
                QCOMPARE(picture.pixelColor(at), scene().colors.of(slice.region, kind));
                if (qstrcmp(action, "colorByClass") == 0 && classOf(slice) == WorkClass::Compute)
                    QCOMPARE(picture.pixelColor(at), palette.workColor(WorkClass::Compute));
                ++checked;
            }
            QVERIFY2(checked > 5, action);
            QVERIFY(!scene().colors.legend().empty());
        }
        m_window->harness().trigger("colorByGroup");
        m_window->harness().open(); // a later start remembers it
        QVERIFY(child<QAction>("colorByGroup")->isChecked());
    }

    void theDemoButtonIsLegibleAfterAChangeOfTheTheme() {
        auto* demo = child<QToolButton>("demoButton");
        chooseDark();
        QCoreApplication::processEvents();
        QCOMPARE(demo->palette().color(QPalette::ButtonText),
                 QApplication::palette().color(QPalette::ButtonText));
        QVERIFY(demo->styleSheet().isEmpty());
        const QImage picture = demo->grab().toImage();
        int bright = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = picture.width() / 3; x < picture.width(); ++x)
                bright += picture.pixelColor(x, y).lightness() > 180 ? 1 : 0;
        QVERIFY(bright > 20); // the letters
    }

    void aFindingGoesToItsRank() {
        auto* dock = child<QDockWidget>("findingsDock");
        dock->raise();
        QTRY_VERIFY(dock->geometry().right() >= 0);
        m_window->settle();
        auto* table = child<QTableView>("findingsTable");
        const QAbstractItemModel& model = *table->model();
        m_window->timeline().canvas().foldAll(true);
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString where = model.index(row, 1).data().toString();
            if (!where.startsWith(u"rank "_s) || where == u"rank 0"_s)
                continue;
            const auto rank = where.mid(5).toULong();
            table->scrollTo(model.index(row, 1));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                              table->visualRect(model.index(row, 1)).center());
            QVERIFY(!scene().folded.contains(rank));
            const auto header = scene().layout.headerOf(rank);
            const int top = scene().layout.rows()[*header].top - scene().viewport.scroll;
            QVERIFY(top >= 0 && top < scene().viewport.height);
            return;
        }
        QFAIL("no finding about a rank");
    }
};

} // namespace ddp::ui
