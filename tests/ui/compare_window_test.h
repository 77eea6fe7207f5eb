// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/dialogs/compare_window.h"
#include "ui/main_window_output.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QTableView>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Two generated runs in the real window, one above the other.
class CompareWindowTest final : public QObject {
    Q_OBJECT

    QString path(const char* name) const { return QString::fromStdString((m_folder.path() / name).string()); }
    CompareWindow& window() { return *m_harness->child<MainWindowOutput>()->compareWindow(); }
    bool compareWith(const QString& other) {
        m_harness->child<MainWindowOutput>()->compareWith({other.toStdString()});
        return QTest::qWaitFor([this] { return window().idle(); }, 60'000);
    }
    QJsonObject said() const {
        QProcess cli;
        cli.start(QStringLiteral(DDP_BIN_DIR "/ddpscope-cli"),
                  {u"compare"_s, path("a"), path("b"), u"--json"_s});
        cli.waitForFinished(60'000);
        return QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
    }
    QTableView& table() { return *window().findChild<QTableView*>(u"compareTable"_s); }
    QComboBox& coupling() { return *window().findChild<QComboBox*>(u"compareCoupling"_s); }

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 8'000;
        generateOtf2(m_folder.path() / "a", options);
        options.seed = 9;
        options.events = 6'000;
        options.lateNs = {0, 40'000};
        generateOtf2(m_folder.path() / "b", options);
    }
    void init() {
        m_harness = std::make_unique<test::WindowHarness>();
        m_harness->window().openPaths({m_folder.path() / "a"});
        QVERIFY(m_harness->waitUntilIdle());
    }
    void cleanup() { m_harness.reset(); }

    void theTableIsWhatTheCommandLineSays() {
        QVERIFY(compareWith(path("b")));
        QCOMPARE(window().message(), QString());
        QVERIFY(table().isVisible());
        const QJsonObject answer = said();
        const QJsonArray rows = answer[u"rows"_s].toArray();
        QVERIFY(rows.size() > 10);
        QCOMPARE(table().model()->rowCount(), static_cast<int>(rows.size()));
        table().findChild<TableActions*>()->save(path("out.json"));
        QVERIFY(QTest::qWaitFor([this] { return window().idle(); }));
        QFile file(path("out.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray shown = QJsonDocument::fromJson(file.readAll()).object()[u"rows"_s].toArray();
        bool noise = false;
        bool change = false;
        for (qsizetype i = 0; i < rows.size(); ++i) {
            for (const QString& key : rows[i].toObject().keys())
                QCOMPARE(shown[i].toObject().value(key), rows[i].toObject().value(key));
            const QString verdict = table().model()->index(static_cast<int>(i), 4).data().toString();
            const QJsonValue beyond = rows[i][u"beyond_noise"_s];
            const bool called = verdict == u"longer"_s || verdict == u"shorter"_s;
            QCOMPARE(called, beyond.toBool());
            const QString text = table().model()->index(static_cast<int>(i), 2).data().toString();
            QVERIFY(called != text.startsWith(u'(') || text == u"–"_s);
            noise = noise || (beyond.isBool() && !beyond.toBool());
            change = change || called;
        }
        QVERIFY(noise && change);
        const QString basis = window().findChild<QLabel*>(u"compareBasis"_s)->text();
        QVERIFY2(basis.contains(u"%1 in A, %2 in B"_s.arg(answer[u"steps"_s][u"a"_s].toInt())
                                    .arg(answer[u"steps"_s][u"b"_s].toInt())),
                 qPrintable(basis));
    }

    void bothShowTheirRunAndItsOverlap() {
        QVERIFY(compareWith(path("b")));
        for (CompareSide* side : {&window().a(), &window().b()}) {
            QVERIFY(side->view().canvas().scene().store);
            QVERIFY(side->view().canvas().scene().overlap.analysis());
        }
        QVERIFY(window().a().session().store() != window().b().session().store());
        const TimelineScene& a = window().a().view().canvas().scene();
        const TimelineScene& b = window().b().view().canvas().scene();
        QCOMPARE(a.headerWidth, b.headerWidth);
        QCOMPARE(a.viewport.width, b.viewport.width);
        QCOMPARE(a.folded.size(), std::size_t(2));
        QCOMPARE(window().windowTitle(), u"a and b – ddpscope"_s);
        // The main window's run is untouched.
        QCOMPARE(m_harness->window().windowTitle(), u"a – ddpscope"_s);
    }

    void aZoomIsFollowedByTime() {
        QVERIFY(compareWith(path("b")));
        ViewState& a = window().a().state();
        ViewState& b = window().b().state();
        const Nanoseconds beginA = window().a().session().store()->extent().begin;
        const Nanoseconds beginB = window().b().session().store()->extent().begin;
        a.setVisible({beginA + Nanoseconds(3'000'000), beginA + Nanoseconds(5'000'000)});
        QCOMPARE(b.visible().begin - beginB, Nanoseconds(3'000'000));
        QCOMPARE(b.visible().length(), Nanoseconds(2'000'000));
        window().b().view().canvas().zoomIn();
        QCOMPARE(a.visible().begin - beginA, b.visible().begin - beginB);
        QCOMPARE(a.visible().length(), b.visible().length());
    }

    void aZoomIsFollowedByStep() {
        QVERIFY(compareWith(path("b")));
        coupling().setCurrentIndex(1);
        const Step& one = window().a().run()->steps().ranks[0][3];
        const Step& other = window().b().run()->steps().ranks[0][3];
        QCOMPARE(one.number, other.number);
        window().a().state().setVisible(one.range);
        QCOMPARE(window().b().state().visible(), other.range);
        window().b().state().setVisible(window().b().run()->steps().ranks[0][2].range);
        QCOMPARE(window().a().state().visible(), window().a().run()->steps().ranks[0][2].range);
        coupling().setCurrentIndex(2);
        window().a().state().fit();
        QCOMPARE(window().b().state().visible(), window().b().run()->steps().ranks[0][2].range);
    }

    void whatCanNotBeReadIsASentence() {
        QVERIFY(compareWith(u"/nowhere/at/all"_s));
        QVERIFY2(window().message().contains(u"/nowhere/at/all"_s), qPrintable(window().message()));
        QVERIFY(window().a().session().store());
        QVERIFY(!table().isVisible());
    }

    void itKeepsItsRunsWhenTheMainWindowOpensAnother() {
        QVERIFY(compareWith(path("b")));
        const auto store = window().a().session().store();
        m_harness->window().openPaths({m_folder.path() / "b"});
        QVERIFY(m_harness->waitUntilIdle());
        QCOMPARE(window().a().session().store(), store);
        QCOMPARE(table().model()->rowCount() > 0, true);
    }

    void itGoesWithTheMainWindow() {
        m_harness->child<MainWindowOutput>()->compareWith({m_folder.path() / "b"});
        m_harness->window().close(); // while it is reading
        QVERIFY(!window().isVisible());
        m_harness->closeForGood();
    }

private:
    test::TempFolder m_folder;
    std::unique_ptr<test::WindowHarness> m_harness;
};

} // namespace ddp::ui
