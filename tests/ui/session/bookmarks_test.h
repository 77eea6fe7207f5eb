// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"
#include "ui/session/bookmarks.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class BookmarksTest final : public QObject {
    Q_OBJECT

    static QString folderOf(const test::TempFolder& temp) {
        return QString::fromStdString((temp.path() / "bookmarks").string());
    }
    static QStringList filesIn(const QString& folder) {
        return QDir(folder).entryList(QDir::Files, QDir::Name);
    }
    static QByteArray contentOf(const QString& file) {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray("missing");
    }
    static void write(const QString& file, const QByteArray& text) {
        QFile opened(file);
        QVERIFY(opened.open(QIODevice::WriteOnly));
        opened.write(text);
    }

private Q_SLOTS:
    void theyAreKeptPerRun() {
        const test::TempFolder temp;
        const qint64 late = 9'007'199'254'740'993; // more than a double holds
        {
            Bookmarks marks(folderOf(temp));
            marks.open(u"/traces/a"_s);
            marks.add(Nanoseconds(late), u"late"_s);
            marks.add(Nanoseconds(5));
            QCOMPARE(marks.add(Nanoseconds(7), u"  “middle”  "_s), std::size_t(1));
            marks.open(u"/traces/b"_s);
            QVERIFY(marks.all().empty());
            marks.add(Nanoseconds(1), u"other"_s);
        }
        Bookmarks marks(folderOf(temp));
        QSignalSpy failed(&marks, &Bookmarks::failed);
        marks.open(u"/traces/a"_s);
        const std::vector<Bookmark> wanted{
            {Nanoseconds(5), u"mark 2"_s}, {Nanoseconds(7), u"“middle”"_s}, {Nanoseconds(late), u"late"_s}};
        QVERIFY(marks.all() == wanted);
        marks.rename(0, u"first"_s);
        marks.rename(0, u"  "_s); // not taken
        marks.remove(1);
        marks.open({});
        QVERIFY(marks.all().empty());
        marks.open(u"/traces/a"_s);
        QVERIFY(marks.all() == (std::vector<Bookmark>{{Nanoseconds(5), u"first"_s}, wanted[2]}));
        QCOMPARE(filesIn(folderOf(temp)).size(), 2);
        QCOMPARE(failed.count(), 0);
    }

    void neighbours() {
        Bookmarks marks({});
        marks.open(u"/traces/a"_s);
        QVERIFY(!marks.before(Nanoseconds(5)) && !marks.after(Nanoseconds(5)));
        for (const qint64 time : {20, 10, 30})
            marks.add(Nanoseconds(time));
        QVERIFY(!marks.before(Nanoseconds(10)));
        QCOMPARE(*marks.after(Nanoseconds(10)), std::size_t(1));
        QCOMPARE(*marks.before(Nanoseconds(25)), std::size_t(1));
        QVERIFY(!marks.after(Nanoseconds(30)));
        QCOMPARE(marks.all()[0].name, u"mark 2"_s);
    }

    void aDamagedFileIsSaidOnceAndPutAside_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{\"version\":1,");
        QTest::newRow("newer") << QByteArray(R"({"version":2,"run":"/traces/a","bookmarks":[]})");
        QTest::newRow("of another run") << QByteArray(R"({"version":1,"run":"/x","bookmarks":[]})");
        QTest::newRow("no list") << QByteArray(R"({"version":1,"run":"/traces/a","bookmarks":7})");
        QTest::newRow("no time") << QByteArray(
            R"({"version":1,"run":"/traces/a","bookmarks":[{"name":"x","time_ns":"7"}]})");
    }
    void aDamagedFileIsSaidOnceAndPutAside() {
        QFETCH(QByteArray, text);
        const test::TempFolder temp;
        Bookmarks marks(folderOf(temp));
        marks.open(u"/traces/a"_s);
        marks.add(Nanoseconds(1));
        const QString file = folderOf(temp) + u'/' + filesIn(folderOf(temp)).front();
        write(file, text);
        QSignalSpy failed(&marks, &Bookmarks::failed);
        marks.open(u"/traces/a"_s);
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(file));
        QVERIFY(marks.all().empty());
        QCOMPARE(contentOf(file), text); // reading alone changes nothing
        marks.add(Nanoseconds(2), u"new"_s);
        QCOMPARE(contentOf(file + u".damaged"_s), text);
        QCOMPARE(failed.count(), 1);
        marks.open(u"/traces/a"_s);
        QCOMPARE(marks.all().size(), std::size_t(1));
        QCOMPARE(failed.count(), 1);
    }

    void whatCanNotBeWrittenIsSaid() {
        const test::TempFolder temp;
        const QString blocked = QString::fromStdString((temp.path() / "file").string());
        write(blocked, "x");
        Bookmarks marks(blocked); // a file, where the folder should be
        QSignalSpy failed(&marks, &Bookmarks::failed);
        marks.open(u"/traces/a"_s);
        marks.add(Nanoseconds(2));
        QCOMPARE(failed.count(), 1);
        QCOMPARE(marks.all().size(), std::size_t(1)); // they are there all the same
    }

    void aRunIsNamedByItsPaths() {
        QCOMPARE(Bookmarks::keyOf({"/a/b/../c", "/a/b/"}), u"/a/b\n/a/c"_s);
        QCOMPARE(Bookmarks::keyOf({"/a/b", "/a/c"}), u"/a/b\n/a/c"_s);
        QVERIFY(Bookmarks::keyOf({"x"}).startsWith(u'/'));
        const test::TempFolder noFile; // settings that are not kept
        QCOMPARE(Bookmarks::folderBeside(QString::fromStdString(noFile.path().string())), QString());
        QCOMPARE(Bookmarks::folderBeside(u"/nowhere/settings.ini"_s), u"/nowhere/bookmarks"_s);
    }
};

} // namespace ddp::ui
