// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"
#include "ui/panels/log_reader.h"

#include <QTest>

#include <string>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class LogReaderTest final : public QObject {
    Q_OBJECT

    static Result<LogPart> read(const std::filesystem::path& file, qint64 line, LogAnchor anchor,
                                std::size_t limit) {
        Progress progress;
        return readLogPart(file, line, anchor, limit, {}, progress);
    }

    /// The number that the first line of the part carries; lines are "line N".
    static qint64 firstNumber(const LogPart& part) {
        return part.text.section(u'\n', 0, 0).section(u' ', 1, 1).toLongLong();
    }

private Q_SLOTS:
    void aShortFileIsReadWhole() {
        const test::TempFolder folder;
        const auto part = read(folder.write("a.log", "one\ntwo\n"), 2, LogAnchor::Middle, 1000);
        QVERIFY(part.has_value());
        QCOMPARE(part->text, u"one\ntwo\n"_s);
        QCOMPARE(part->firstLine, qint64(1));
        QVERIFY(part->fromStart && part->toEnd);
    }

    void aLongFileIsReadAroundTheLine_data() {
        QTest::addColumn<qint64>("line");
        QTest::newRow("first") << qint64(1);
        QTest::newRow("middle") << qint64(25'000);
        QTest::newRow("last") << qint64(50'000);
        QTest::newRow("behind the end") << qint64(90'000);
    }
    void aLongFileIsReadAroundTheLine() {
        QFETCH(qint64, line);
        const test::TempFolder folder;
        std::string text;
        for (int i = 1; i <= 50'000; ++i)
            text += "line " + std::to_string(i) + "\n";
        const auto file = folder.write("long.log", text);
        for (const LogAnchor anchor : {LogAnchor::Top, LogAnchor::Middle, LogAnchor::Bottom}) {
            const auto part = read(file, line, anchor, 4000);
            QVERIFY(part.has_value());
            QVERIFY(part->text.size() <= 4000);
            if (!part->text.isEmpty())
                QCOMPARE(firstNumber(*part), part->firstLine);
            if (line <= 50'000)
                QVERIFY(part->text.contains(u"line %1"_s.arg(line)));
        }
    }

    void aMissingFileIsOneSentence() {
        const auto part = read("/nowhere/at/all.log", 1, LogAnchor::Top, 100);
        QVERIFY(!part);
        QVERIFY(part.error().message.find("/nowhere/at/all.log") != std::string::npos);
    }

    void theFilesOfARunComeInAUsefulOrder() {
        const test::TempFolder folder;
        folder.write("run.json", "{}");
        folder.write("rank-1/worker.log", "x");
        folder.write("rank-0/worker.log", "x");
        folder.write("rank-0/traces.otf2", "x");
        folder.write("rank-0/traces/0.evt", "x");
        folder.write("job.out", "x");
        QCOMPARE(logFiles(folder.path()),
                 (QStringList{u"job.out"_s, u"rank-0/worker.log"_s, u"rank-1/worker.log"_s, u"run.json"_s}));
    }
};

} // namespace ddp::ui
