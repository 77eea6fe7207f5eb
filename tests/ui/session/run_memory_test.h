// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"
#include "ui/session/run_memory.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What is remembered of each run.
class RunMemoryTest final : public QObject {
    Q_OBJECT

    static QString fileIn(const test::TempFolder& folder) {
        return QString::fromStdString((folder.path() / "runs.json").string());
    }
    static QJsonObject value(int number) { return {{u"number"_s, number}}; }
    static void write(const QString& file, const QByteArray& text) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }

private Q_SLOTS:
    void aPartComesBackInTheNextStart() {
        const test::TempFolder folder;
        RunMemory(fileIn(folder)).setPart({"/runs/a", "/runs/b"}, u"view"_s, value(1));
        const RunMemory next(fileIn(folder));
        QCOMPARE(next.part({"/runs/a", "/runs/b"}, u"view"_s), value(1));
        QCOMPARE(next.part({"/runs/b", "/runs/a"}, u"view"_s), value(1));
        QVERIFY(next.part({"/runs/a"}, u"view"_s).isEmpty());
        QVERIFY(next.part({"/runs/a", "/runs/b"}, u"bookmarks"_s).isEmpty());
        QVERIFY(next.problem().isEmpty());
    }

    void pathsCountAsAbsoluteOnes() {
        const test::TempFolder folder;
        RunMemory memory(fileIn(folder));
        memory.setPart({"some/run"}, u"view"_s, value(2));
        QCOMPARE(memory.part({QDir::current().filePath(u"some/run/"_s).toStdString()}, u"view"_s), value(2));
    }

    void twoWindowsDoNotForgetForEachOther() {
        const test::TempFolder folder;
        RunMemory one(fileIn(folder));
        RunMemory other(fileIn(folder));
        one.setPart({"/a"}, u"view"_s, value(1));
        other.setPart({"/b"}, u"view"_s, value(2));
        const RunMemory next(fileIn(folder));
        QCOMPARE(next.part({"/a"}, u"view"_s), value(1));
        QCOMPARE(next.part({"/b"}, u"view"_s), value(2));
    }

    void aDamagedFileBeginsAnewWithASentence_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cut off") << QByteArray("{\"runs\": {\"/a\"");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("something else") << QByteArray("[1, 2]");
        QTest::newRow("binary") << QByteArray("\0\xff\x80", 3);
    }
    void aDamagedFileBeginsAnewWithASentence() {
        QFETCH(QByteArray, text);
        const test::TempFolder folder;
        write(fileIn(folder), text);
        RunMemory memory(fileIn(folder));
        QVERIFY(memory.problem().contains(fileIn(folder)));
        QVERIFY(memory.part({"/a"}, u"view"_s).isEmpty());
        memory.setPart({"/a"}, u"view"_s, value(3));
        const RunMemory next(fileIn(folder));
        QVERIFY(next.problem().isEmpty());
        QCOMPARE(next.part({"/a"}, u"view"_s), value(3));
    }

    void strangeValuesAreNoParts() {
        const test::TempFolder folder;
        write(fileIn(folder), R"({"runs": {"/a": 7, "/b": {"view": "x"}}})");
        const RunMemory memory(fileIn(folder));
        QVERIFY(memory.part({"/a"}, u"view"_s).isEmpty());
        QVERIFY(memory.part({"/b"}, u"view"_s).isEmpty());
    }

    void theOldestAreForgotten() {
        const test::TempFolder folder;
        QJsonObject runs;
        for (int i = 0; i < RunMemory::kMostRuns; ++i)
            runs[u"/run/%1"_s.arg(i)] = QJsonObject{{u"changed"_s, 1000 + i}, {u"view"_s, value(i)}};
        write(fileIn(folder), QJsonDocument(QJsonObject{{u"runs"_s, runs}}).toJson());
        RunMemory memory(fileIn(folder));
        memory.setPart({"/new"}, u"view"_s, value(-1));
        QVERIFY(memory.part({"/run/0"}, u"view"_s).isEmpty());
        QCOMPARE(memory.part({"/run/1"}, u"view"_s), value(1));
        QCOMPARE(memory.part({"/new"}, u"view"_s), value(-1));
    }

    void aDeviceAsSettingsKeepsNothing() {
        QCOMPARE(runMemoryFile(u"/dev/null"_s), QString());
        RunMemory memory{QString()};
        memory.setPart({"/a"}, u"view"_s, value(1));
        QCOMPARE(memory.part({"/a"}, u"view"_s), value(1)); // as long as it lives
        QCOMPARE(runMemoryFile(u"/somewhere/settings.ini"_s), u"/somewhere/runs.json"_s);
    }
};

} // namespace ddp::ui
