// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/panels/start_page.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QMenu>
#include <QMimeData>

#include <filesystem>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What is found again at the next start, in the real window.
class SessionWindowTest final : public QObject {
    Q_OBJECT

    struct Seen {
        TimeRange visible;
        std::set<std::size_t> folded;
        int scroll = 0;
        friend bool operator==(const Seen&, const Seen&) = default;
    };

    std::filesystem::path set(const char* name) const { return m_folder.path() / name; }
    TimelineCanvas& canvas() { return *m_harness->child<TimelineCanvas>("timelineCanvas"); }
    ViewState& view() { return *m_harness->window().findChild<ViewState*>(); }
    Seen seen() { return {view().visible(), canvas().scene().folded, canvas().scroll()}; }
    void open(const char* name) {
        m_harness->window().openPaths({set(name)});
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(canvas().scene().store);
    }
    /// Ranks are folded from the last one on until all that is left is in sight.
    bool foldedAsNew() {
        const TimelineScene& scene = canvas().scene();
        const std::size_t first = scene.folded.empty() ? scene.ranks.size() : *scene.folded.begin();
        return first + scene.folded.size() == scene.ranks.size() &&
               (canvas().scrollRange() == 0 || first == 0);
    }
    Seen look() {
        canvas().foldAll(false);
        const TimeRange all = view().extent();
        const Nanoseconds part(all.length().count / 7);
        view().setVisible({all.begin + part, all.begin + part + part});
        canvas().toggleFold(1);
        canvas().setScroll(70);
        return seen();
    }
    void startAgain() {
        m_harness->window().close();
        m_harness->closeForGood();
        m_harness->open();
        m_harness->window().reopenLast();
        QVERIFY(m_harness->waitUntilIdle());
    }
    QStringList recent() {
        QStringList texts;
        for (const QMenu* menu : m_harness->window().findChildren<QMenu*>())
            if (menu->title().contains(u"Recent"_s))
                for (const QAction* action : menu->actions())
                    texts += action->text();
        return texts;
    }

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 3;
        options.events = 3'000;
        for (const char* name : {"one", "other", "gone"}) {
            generateOtf2(set(name), options);
            ++options.seed;
        }
    }
    void init() { m_harness = std::make_unique<test::WindowHarness>(); }
    void cleanup() { m_harness.reset(); }

    void theLastRunOpensAsItWasLeft() {
        open("one");
        const Seen left = look();
        QVERIFY(left.scroll > 0);
        startAgain();
        QVERIFY(canvas().scene().store);
        QCOMPARE(m_harness->window().windowTitle(), u"one – ddpscope"_s);
        QVERIFY(seen() == left);
        QCOMPARE(m_harness->window().message(), QString());
    }

    void eachRunKeepsItsOwnView() {
        open("one");
        const Seen left = look();
        open("other");
        QCOMPARE(view().visible(), view().extent());
        QVERIFY(foldedAsNew());
        open("one");
        QVERIFY(seen() == left);
        view().fit();
        open("other");
        open("one");
        QCOMPARE(view().visible(), view().extent());
    }

    void aRunThatWasWrittenAnewIsSeenWhole() {
        test::GeneratorOptions options;
        options.ranks = 3;
        options.events = 3'000;
        generateOtf2(set("anew"), options);
        open("anew");
        look();
        std::filesystem::remove_all(set("anew"));
        options.events = 6'000;
        generateOtf2(set("anew"), options);
        open("anew");
        QCOMPARE(view().visible(), view().extent());
        QVERIFY(foldedAsNew());
    }

    void aNewRunShowsAllItsRanks() {
        m_harness->window().resize(1280, 700);
        open("one");
        QVERIFY(foldedAsNew());
        QVERIFY(!canvas().scene().folded.empty()); // there is no room for three ranks
        m_harness->window().resize(1280, 3000);
        open("other");
        QVERIFY(foldedAsNew());
        QVERIFY(canvas().scene().folded.empty());
    }

    void eachRunKeepsItsFilter() {
        open("one");
        auto* lanes = m_harness->child<QLineEdit>("filterLanes");
        lanes->setText(u"rank 1, rank 2"_s);
        LaneFilter filter = canvas().filter();
        QCOMPARE(filter.lanes, u"rank 1, rank 2"_s);
        filter.kinds = LaneKinds::Devices;
        filter.byExposed = true;
        filter.work = WorkClass::Communication;
        filter.hideOthers = true;
        filter.shortest = Nanoseconds(2'000);
        m_harness->child<FilterBar>("filterBar")->setFilter(filter);
        open("other");
        QVERIFY(!canvas().filter().any());
        QCOMPARE(lanes->text(), QString());
        open("one");
        QVERIFY(canvas().filter() == filter);
        QCOMPARE(lanes->text(), filter.lanes);
        startAgain();
        QVERIFY(canvas().filter() == filter);
        QCOMPARE(m_harness->child<QLineEdit>("filterLanes")->text(), filter.lanes);
        QCOMPARE(m_harness->child<QLineEdit>("filterShortest")->text(), u"2.00 µs"_s);
        // What it leaves out is not shown on demand either, but not in silence.
        view().showRank(0);
        QVERIFY(m_harness->window().message().contains(u"leaves out rank 0"_s));
        m_harness->child<FilterBar>("filterBar")->clearAll();
        startAgain();
        QVERIFY(!canvas().filter().any());
    }

    void switchedOffNothingIsReopened() {
        open("one");
        m_harness->trigger("reopenLast");
        startAgain();
        QVERIFY(!canvas().scene().store);
        QVERIFY(m_harness->child<StartPage>()->isVisible());
    }

    void aRunThatIsGoneIsOneQuietSentence() {
        open("gone");
        std::filesystem::rename(set("gone"), set("moved"));
        startAgain();
        QVERIFY(!canvas().scene().store);
        QVERIFY2(m_harness->window().message().contains(u"is not there any more"_s),
                 qPrintable(m_harness->window().message()));
        QVERIFY(m_harness->child<StartPage>()->isVisible());
        std::filesystem::rename(set("moved"), set("gone"));
    }

    void nothingIsWrittenIntoTheTrace() {
        const auto files = [this] {
            std::set<std::string> names;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(set("one")))
                names.insert(entry.path().string());
            return names;
        };
        const auto before = files();
        open("one");
        look();
        startAgain();
        QCOMPARE(files(), before);
    }

    void aDamagedMemoryIsOneSentence() {
        QFile file(QString::fromStdString((m_harness->folder() / "runs.json").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ not json");
        file.close();
        m_harness->closeForGood();
        m_harness->open();
        QVERIFY(m_harness->window().message().contains(u"runs.json is damaged"_s));
        open("one");
        const Seen left = look();
        startAgain();
        QCOMPARE(m_harness->window().message(), QString());
        QVERIFY(seen() == left);
    }

    void aRecentFileThatIsGoneLeavesTheList() {
        open("one");
        open("gone");
        std::filesystem::rename(set("gone"), set("moved"));
        QVERIFY(recent().contains(QString::fromStdString(set("gone").string())));
        m_harness->window().openPaths({set("gone")});
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(m_harness->window().message().contains(u"taken off the list"_s));
        QVERIFY(!recent().contains(QString::fromStdString(set("gone").string())));
        QVERIFY(recent().contains(QString::fromStdString(set("one").string())));
        std::filesystem::rename(set("moved"), set("gone"));
    }

    void theListOfRecentFilesCanBeCleared() {
        open("one");
        for (QMenu* menu : m_harness->window().findChildren<QMenu*>())
            if (menu->title().contains(u"Recent"_s))
                menu->actions().last()->trigger();
        QVERIFY(!recent().contains(QString::fromStdString(set("one").string())));
        startAgain();
        QVERIFY(canvas().scene().store); // the last run is no list
    }

    void aFolderThatIsDroppedOpens() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(set("one").string()))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&m_harness->window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&m_harness->window(), &drop);
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(canvas().scene().store);
        QCOMPARE(m_harness->window().windowTitle(), u"one – ddpscope"_s);
    }

private:
    test::TempFolder m_folder;
    std::unique_ptr<test::WindowHarness> m_harness;
};

} // namespace ddp::ui
