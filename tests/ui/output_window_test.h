// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/dialogs/view_export.h"
#include "ui/panels/table_actions.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTableView>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Pictures and tables that leave the real window, of a generated run.
class OutputWindowTest final : public QObject {
    Q_OBJECT

    QString outside(const char* name) const {
        return QString::fromStdString((m_folder.path() / name).string());
    }
    static QByteArray bytesOf(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    TimelineCanvas& canvas() { return m_harness->child<TimelineView>("timeline")->canvas(); }
    ViewExport& exporter() { return *m_harness->child<ViewExport>(); }
    QByteArray saved(const char* name) {
        exporter().save(outside(name));
        m_harness->waitUntilIdle();
        return bytesOf(outside(name));
    }
    QTableView& table(const char* name) { return *m_harness->child<QTableView>(name); }
    void bringToFront(const char* dock) {
        m_harness->child<QDockWidget>(dock)->raise();
        QTest::qWait(150);
        QVERIFY(m_harness->waitUntilIdle());
    }
    QJsonObject savedJson(const char* tableName) {
        const QString file = outside(tableName) + u".json";
        table(tableName).findChild<TableActions*>()->save(file);
        m_harness->waitUntilIdle();
        return QJsonDocument::fromJson(bytesOf(file)).object();
    }
    QJsonArray answer(const char* verb, bool window) {
        QStringList words{QString::fromLatin1(verb), outside("set"), u"--json"_s};
        const TimeRange shown = m_harness->window().findChild<ViewState*>()->visible();
        if (window)
            words << u"--window"_s << u"%1:%2"_s.arg(shown.begin.count).arg(shown.end.count);
        QProcess cli;
        cli.start(QStringLiteral(DDP_BIN_DIR "/ddpscope-cli"), words);
        cli.waitForFinished(60'000);
        return QJsonDocument::fromJson(cli.readAllStandardOutput()).object()[u"rows"_s].toArray();
    }
    /// Every key that both have is the same in every row.
    static void compareRows(const QJsonArray& rows, const QJsonArray& wanted, const QStringList& keys) {
        QVERIFY(!rows.isEmpty());
        QCOMPARE(rows.size(), wanted.size());
        for (qsizetype i = 0; i < rows.size(); ++i)
            for (const QString& key : keys) {
                const QJsonValue got = rows[i].toObject().value(key);
                const QJsonValue right = wanted[i].toObject().value(key);
                QVERIFY2(!got.isUndefined(), qPrintable(key));
                if (got.isDouble() && right.isDouble())
                    QVERIFY2(std::abs(got.toDouble() - right.toDouble()) <= 0.01, qPrintable(key));
                else
                    QCOMPARE(got, right);
            }
    }

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        generateOtf2(m_folder.path() / "set", options);
    }
    void init() {
        m_harness = std::make_unique<test::WindowHarness>();
        m_harness->window().openPaths({m_folder.path() / "set"});
        QVERIFY(m_harness->waitUntilIdle());
    }
    void cleanup() { m_harness.reset(); }

    void thePictureShowsWhatTheCanvasShows() {
        const Palette palette(ThemeMode::Light);
        const QImage picture = TimelinePicture(canvas(), palette, u"set"_s).image(1);
        const int head = TimelinePicture::headHeight(canvas().fontMetrics());
        const QImage shown = canvas().toPixmap().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(picture.copy(0, head, shown.width(), shown.height()), shown);
        QVERIFY(picture.copy(0, 0, shown.width(), head) !=
                QImage(picture.copy(0, 0, 1, 1)).scaled(shown.width(), head));
    }

    void savingLeavesAPictureOfEachKind() {
        canvas().zoomIn();
        QCOMPARE(QImage::fromData(saved("view.png")).size(),
                 TimelinePicture(canvas(), Palette(ThemeMode::Light), {}).size() * 2);
        const QByteArray svg = saved("view.svg");
        for (const char* wanted :
             {">set – 2 ranks", ">rank 0<", ">hidden<", "url(#exposed)", " ms<", ">steps of rank 0<"})
            QVERIFY2(svg.contains(wanted), wanted);
        QVERIFY(saved("view.pdf").startsWith("%PDF-"));
        QCOMPARE(m_harness->window().message(), QString());
    }

    void whatIsScrolledHalfOutOfSightDoesNotCoverTheRulerOfAnSvg() {
        canvas().foldAll(false);
        canvas().resize(canvas().width(), 200);
        canvas().setScroll(40);
        QVERIFY(canvas().scroll() > 0);
        const QByteArray svg = saved("scrolled.svg");
        // The cover of the ruler comes behind the rows, and the ruler's labels behind the cover.
        const int width = canvas().width();
        const QByteArray cover = "<rect x=\"0\" y=\"0\" width=\"" + QByteArray::number(width) +
                                 "\" height=\"" + QByteArray::number(canvas().scene().rowsTop()) + "\"";
        const auto at = svg.indexOf(cover);
        QVERIFY(at > svg.indexOf(">rank 0<"));
        QVERIFY(svg.lastIndexOf(">0 ms<") > at || svg.lastIndexOf(">0 µs<") > at);
        QVERIFY(svg.lastIndexOf(">rank 0<") < at);
    }

    void whatCanNotBeSavedIsASentence() {
        exporter().save(outside("view.jpg"));
        QVERIFY(m_harness->window().message().contains(u".png, .svg or .pdf"_s));
        exporter().save(u"/nowhere/view.png"_s);
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY2(m_harness->window().message().contains(u"/nowhere/view.png can not be written"_s),
                 qPrintable(m_harness->window().message()));
        table("issuesTable").findChild<TableActions*>()->save(u"/nowhere/table.csv"_s);
        QVERIFY(m_harness->waitUntilIdle());
        QVERIFY(m_harness->window().message().contains(u"/nowhere/table.csv"_s));
    }

    void thePictureIsCopied() {
        QApplication::clipboard()->clear();
        m_harness->trigger("copyPicture");
        QCOMPARE(QApplication::clipboard()->image().size(),
                 TimelinePicture(canvas(), Palette(ThemeMode::Light), {}).size() * 2);
    }

    void withoutARunNothingCanBeExported() {
        test::WindowHarness empty;
        for (const char* name : {"exportView", "copyPicture", "compareWith"})
            QVERIFY(!empty.child<QAction>(name)->isEnabled());
    }

    void tablesAsJsonAreWhatTheCommandLineSays() {
        canvas().zoomIn();
        canvas().zoomIn();
        bringToFront("summaryDock");
        const QJsonObject summary = savedJson("summaryTable");
        const TimeRange shown = m_harness->window().findChild<ViewState*>()->visible();
        QCOMPARE(summary[u"window_ns"_s].toArray(),
                 (QJsonArray{qint64(shown.begin.count), qint64(shown.end.count)}));
        compareRows(summary[u"rows"_s].toArray(), answer("overlap", true),
                    {u"rank"_s, u"device"_s, u"communication_ns"_s, u"hidden_ns"_s, u"hidden_pct"_s,
                     u"exposed_ns"_s, u"exposed_pct"_s, u"compute_ns"_s, u"exposed_memory_ns"_s,
                     u"idle_ns"_s});
        bringToFront("profileDock");
        compareRows(
            savedJson("profileTable")[u"rows"_s].toArray(), answer("profile", true),
            {u"region"_s, u"group"_s, u"visits"_s, u"inclusive_ns"_s, u"exclusive_ns"_s, u"exclusive_pct"_s});
        m_harness->window().findChild<ViewState*>()->fit();
        bringToFront("stepsDock");
        compareRows(savedJson("stepsTable")[u"rows"_s].toArray(), answer("steps", false),
                    {u"rank"_s, u"step"_s, u"warm_up"_s, u"begin_ns"_s, u"duration_ns"_s, u"hidden_ns"_s,
                     u"exposed_ns"_s, u"compute_ns"_s, u"idle_ns"_s, u"wait_ns"_s});
        bringToFront("findingsDock");
        compareRows(savedJson("findingsTable")[u"rows"_s].toArray(), answer("findings", false),
                    {u"severity"_s, u"rank"_s});
    }

    void collectivesInTheOrderOfTheTable() {
        bringToFront("collectivesDock");
        const QJsonArray rows = savedJson("collectivesTable")[u"rows"_s].toArray();
        const QJsonArray wanted = answer("collectives", false);
        QCOMPARE(rows.size(), wanted.size());
        double before = std::numeric_limits<double>::max();
        for (const QJsonValue& row : rows) {
            const QJsonObject right = wanted[row[u"index"_s].toInt()].toObject();
            for (const auto& key : {u"name"_s, u"step"_s, u"bytes"_s, u"transfer_ns"_s, u"skew_ns"_s,
                                    u"late_rank"_s, u"confidence"_s})
                QCOMPARE(row.toObject().value(key), right.value(key));
            QVERIFY(row[u"exposed_ns"_s].toDouble() <= before);
            before = row[u"exposed_ns"_s].toDouble();
        }
    }

    void aTableAsCsvHasTheSameNumbers() {
        bringToFront("summaryDock");
        table("summaryTable").findChild<TableActions*>()->save(outside("summary.csv"));
        QVERIFY(m_harness->waitUntilIdle());
        const QList<QByteArray> lines = bytesOf(outside("summary.csv")).trimmed().split('\n');
        const QJsonArray rows = answer("overlap", true);
        QCOMPARE(lines.size(), rows.size() + 1);
        const QList<QByteArray> names = lines[0].split(',');
        QCOMPARE(names.first(), QByteArray("rank"));
        for (qsizetype row = 0; row < rows.size(); ++row) {
            const QList<QByteArray> cells = lines[row + 1].split(',');
            QCOMPARE(cells.size(), names.size());
            const auto idle = names.indexOf("idle_ns");
            QCOMPARE(cells[idle].toLongLong(), rows[row][u"idle_ns"_s].toInteger());
        }
    }

    void cellsAndTablesAreCopied() {
        bringToFront("summaryDock");
        QTableView& summary = table("summaryTable");
        summary.setCurrentIndex(summary.model()->index(1, 2));
        summary.findChild<QAction*>(u"summaryCopyCell"_s)->trigger();
        QCOMPARE(QApplication::clipboard()->text(), summary.model()->index(1, 2).data().toString());
        summary.findChild<QAction*>(u"summaryCopyTable"_s)->trigger();
        const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith(u"Rank\tDevice\tCommunication"_s));
        for (const auto& name : {"summary", "profile", "steps", "collectives", "findings", "issues"})
            QCOMPARE(table(qPrintable(QString::fromLatin1(name) + u"Table"_s)).actions().size(), 5);
    }

private:
    test::TempFolder m_folder;
    std::unique_ptr<test::WindowHarness> m_harness;
};

} // namespace ddp::ui
