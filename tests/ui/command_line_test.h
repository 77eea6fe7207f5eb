// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/window_harness.h"

#include <QElapsedTimer>
#include <QFile>
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
        QTest::newRow("render without a trace")
            << QStringList{u"--render"_s, u"x.png"_s} << 64 << u"wants a trace"_s;
        QTest::newRow("render what") << QStringList{u"--render"_s, u"x.jpg"_s, u"/tmp"_s} << 64
                                     << u".png, .svg or .pdf"_s;
        QTest::newRow("render a demo")
            << QStringList{u"--render=x.png"_s, u"--demo"_s, u"hang"_s} << 64 << u"leave out"_s;
        QTest::newRow("bad window") << QStringList{u"--render"_s, u"x.png"_s, u"--window"_s, u"5:4"_s,
                                                   u"/tmp"_s}
                                    << 64 << u"--window wants A:B"_s;
        QTest::newRow("window alone")
            << QStringList{u"--window"_s, u"1:2"_s, u"/tmp"_s} << 64 << u"--render only"_s;
        QTest::newRow("tiny picture")
            << QStringList{u"--render"_s, u"x.png"_s, u"--size=100x100"_s, u"/tmp"_s} << 64 << u"400x200"_s;
        QTest::newRow("render nothing")
            << QStringList{u"--render"_s, u"x.png"_s, u"/nowhere/at/all"_s} << 65 << u"does not exist"_s;
        QTest::newRow("render no trace")
            << QStringList{u"--render"_s, u"x.png"_s, u"/etc/fonts"_s} << 65 << u"/etc/fonts"_s;
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

    void renderWritesTheSamePictureTwiceWithoutADisplay() {
        const test::TempFolder home;
        test::generateOtf2(home.path() / "set", {});
        const QString set = inside(home, "set");
        const auto render = [&](const char* name, const QStringList& more) {
            const Answer answer = run(home, QStringList{u"--render"_s, inside(home, name), set} + more);
            [&] {
                QVERIFY2(answer.code == 0, qPrintable(answer.err));
                QCOMPARE(answer.out + answer.err, QString());
            }();
            QFile file(inside(home, name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QStringList part{u"--window"_s, u"200000:900000"_s, u"--size"_s, u"900x500"_s};
        const QByteArray first = render("one.png", part);
        QCOMPARE(QImage::fromData(first).size(), QSize(900, 500));
        QVERIFY(first == render("two.png", part));
        QVERIFY(first != render("dark.png", part + QStringList{u"--theme"_s, u"dark"_s}));
        const QByteArray whole = render("whole.png", {});
        QCOMPARE(QImage::fromData(whole).width(), 1600);
        const QByteArray svg = render("one.svg", part);
        for (const char* wanted :
             {">set – 2 ranks", "700 µs of ", "from 0.000", ">hidden<", "url(#exposed)", ">overlap", ">step"})
            QVERIFY2(svg.contains(wanted), wanted);
        QVERIFY(render("one.pdf", part).startsWith("%PDF-"));
    }

    void renderSaysWhatItCanNotDo() {
        const test::TempFolder home;
        test::generateOtf2(home.path() / "set", {});
        const QString set = inside(home, "set");
        const Answer nowhere = run(home, {u"--render"_s, u"/nowhere/out.png"_s, set});
        QCOMPARE(nowhere.code, 73);
        QVERIFY(nowhere.err.contains(u"/nowhere/out.png"_s));
        const Answer outside = run(
            home, {u"--render"_s, inside(home, "x.png"), set, u"--window"_s, u"900000000000:900000000001"_s});
        QCOMPARE(outside.code, 64);
        QVERIFY(outside.err.contains(u"outside the run"_s));
        QVERIFY(!QFile::exists(inside(home, "x.png")));
        QCOMPARE(run(home, {u"--help"_s}).out.contains(u"--render OUT"_s), true);
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
