// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/docks_and_cli.h"
#include "tests/ui/opened_run.h"
#include "ui/models/rows_model.h"
#include "ui/session/time_text.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Marked ranges, times and steps, and bookmarks of a generated run in the real window.
class NavigationTest final : public QObject, private test::UsesOpenedRun {
    Q_OBJECT

    QJsonArray cliRows(TimeRange window) const {
        return test::cliAnswer(
                   u"overlap"_s, QString::fromStdString(m_run->traces.path().string()),
                   {u"--window"_s, u"%1:%2"_s.arg(window.begin.count).arg(window.end.count)})[u"rows"_s]
            .toArray();
    }

private Q_SLOTS:
    void init() { m_run = std::make_unique<test::OpenedRun>(); }
    void cleanup() { m_run.reset(); }

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

        view().fit(); // the run opens as it was left
        // Their flags are seen, and the menu of one has its name.
        const auto flags = bookmarkFlags(canvas().scene(), QFontMetrics(canvas().scene().font));
        QCOMPARE(flags.size(), std::size_t(1));
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, flags[0].rect.center());
        QCOMPARE(canvas().scene().marks.bookmark, std::optional<std::size_t>(0));
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
};

} // namespace ddp::ui
