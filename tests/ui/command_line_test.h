// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"
#include "tests/ui/window_harness.h"

#include <QElapsedTimer>
#include <QImage>
#include <QProcess>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The program as it is started from a shell.
class CommandLineTest final : public QObject {
    Q_OBJECT

    struct Answer {
        int code = -1;
        QString out;
        QString err;
    };

    /// Starts the program with folders of its own and without a display.
    static std::unique_ptr<QProcess> start(const test::TempFolder& home, const QStringList& words) {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto& name : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s})
            environment.remove(name);
        for (const auto& name : {u"XDG_DATA_HOME"_s, u"XDG_CACHE_HOME"_s, u"XDG_CONFIG_HOME"_s})
            environment.insert(name, QString::fromStdString(home.path().string()));
        process->setProcessEnvironment(environment);
        process->start(QStringLiteral(DDP_BIN_DIR "/ddpscope"), words);
        return process;
    }

    static Answer run(const test::TempFolder& home, const QStringList& words) {
        const auto process = start(home, words);
        if (!process->waitForFinished(120'000))
            return {};
        return {process->exitCode(), QString::fromUtf8(process->readAllStandardOutput()),
                QString::fromUtf8(process->readAllStandardError())};
    }

    static QString inside(const test::TempFolder& home, const char* name) {
        return QString::fromStdString((home.path() / name).string());
    }

private Q_SLOTS:
    void mistakesAreOneSentence_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("no display") << QStringList{} << 69 << u"There is no display"_s;
        QTest::newRow("unknown option") << QStringList{u"--what"_s} << 64 << u"--what"_s;
        QTest::newRow("unknown demo") << QStringList{u"--demo=what"_s} << 64 << u"missing-model"_s;
        QTest::newRow("value missing") << QStringList{u"--headless"_s} << 64 << u"wants a value"_s;
        QTest::newRow("bad size") << QStringList{u"--size"_s, u"big"_s} << 64 << u"1280x800"_s;
        QTest::newRow("missing path") << QStringList{u"/nowhere/at/all"_s} << 65 << u"does not exist"_s;
        QTest::newRow("Nsight") << QStringList{u"x.nsys-rep"_s} << 65
                                << u"nsys export --type sqlite x.nsys-rep"_s;
    }
    void mistakesAreOneSentence() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, said);
        const test::TempFolder home;
        const Answer answer = run(home, words);
        QCOMPARE(answer.code, code);
        QVERIFY2(answer.err.contains(said), qPrintable(answer.err));
        QCOMPARE(answer.err.count(u'\n'), 1);
        QVERIFY(answer.out.isEmpty());
    }

    void theHeadlessDemoLeavesAPictureAndTheVerdict() {
        const test::TempFolder home;
        const QString picture = inside(home, "out.png");
        const Answer answer = run(home, {u"--demo"_s, u"--headless"_s, picture, u"--size"_s, u"1000x700"_s});
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.out.contains(u"verdict:  FAIL"_s), qPrintable(answer.out));
        QVERIFY(answer.out.contains(u"cause:    rank_without_model"_s));
        QCOMPARE(QImage(picture).size(), QSize(1000, 700));
    }

    void aPictureThatCanNotBeWrittenIsAnError() {
        const test::TempFolder home;
        const Answer answer = run(home, {u"--demo"_s, u"healthy"_s, u"--headless"_s, u"/nowhere/out.png"_s});
        QCOMPARE(answer.code, 73);
        QVERIFY2(answer.err.contains(u"/nowhere/out.png"_s), qPrintable(answer.err));
    }

    void terminatingItEndsTheJobWithinTwoSeconds() {
        const test::TempFolder home;
        const auto process =
            start(home, {u"--demo"_s, u"hang"_s, u"--headless"_s, inside(home, "never.png")});
        const std::string jobs = (home.path() / "ddpscope" / "jobs").string();
        // The shell that runs the script, and two ranks.
        const bool running =
            QTest::qWaitFor([&] { return test::WindowHarness::processesNaming(jobs) >= 3; }, 60'000);
        QVERIFY2(running, qPrintable(u"state %1, exit code %2: %3"_s.arg(process->state())
                                         .arg(process->exitCode())
                                         .arg(QString::fromUtf8(process->readAll()))));
        QElapsedTimer took;
        took.start();
        process->terminate();
        QVERIFY(process->waitForFinished(10'000));
        QVERIFY2(took.elapsed() < 2'500,
                 qPrintable(QString::number(took.elapsed()))); // sanitizers take their part
        QCOMPARE(process->exitCode(), 128 + 15);
        QCOMPARE(test::WindowHarness::processesNaming(jobs), 0);
    }
};

} // namespace ddp::ui
