// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/rows_model.h"
#include "ui/models/table_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What a table leaves behind in a file and on the clipboard.
class TableTextTest final : public QObject {
    Q_OBJECT

    struct Row {
        QString name;
        std::optional<qlonglong> time;
        double percent = 0;
    };

    static std::unique_ptr<RowsModel<Row>> model() {
        auto made = std::make_unique<RowsModel<Row>>(std::vector<Column<Row>>{
            {.title = u"Time"_s,
             .number = true,
             .text = [](const Row& row) { return row.time ? u"%1 ns"_s.arg(*row.time) : u"–"_s; },
             .fields = {{"time_ns", [](const Row& row) { return valueOrNull(row.time); }},
                        {"long", [](const Row& row) { return QVariant(row.time.value_or(0) > 100); }}}},
            {.title = u"Bar"_s, .bar = [](const Row& row) { return QVariant(row.percent); }},
            {.title = u"Share"_s,
             .text = [](const Row& row) { return QString::number(row.percent, 'f', 1); },
             .fields = {{"share_pct", [](const Row& row) { return QVariant(row.percent); }}}},
            {.title = u"Name"_s,
             .text = [](const Row& row) { return row.name; },
             .fields = {{"name", [](const Row& row) { return QVariant(row.name); }}}}});
        made->setRows(
            {{u"plain"_s, 9'007'199'254'740'993, 12.34567}, {u"say \"a, b\"\nand\tc"_s, std::nullopt, 0}});
        return made;
    }

private Q_SLOTS:
    void rowsAreSortedByTheirKeysAndStayInOrderWhereEqual() {
        RowsModel<Row> rows(
            {{.title = u"Time"_s, .key = [](const Row& row) { return valueOrNull(row.time); }},
             {.title = u"Name"_s, .text = [](const Row& row) { return row.name; }}});
        rows.setRows({{u"b"_s, 5, 0}, {u"a"_s, std::nullopt, 0}, {u"c"_s, 5, 0}, {u"B"_s, 30, 0}});
        const auto names = [&rows] {
            QString all;
            for (int row = 0; row < rows.rowCount(); ++row)
                all += rows.row(row).name;
            return all;
        };
        QCOMPARE(names(), u"bacB"_s);
        const QPersistentModelIndex chosen(rows.index(2, 0));
        rows.sort(0, Qt::AscendingOrder);
        QCOMPARE(names(), u"abcB"_s);
        QCOMPARE(chosen.row(), 2);
        rows.sort(0, Qt::DescendingOrder);
        QCOMPARE(names(), u"Bbca"_s);
        QCOMPARE(rows.row(chosen.row()).name, u"c"_s);
        QCOMPARE(rows.index(0, 0).data(PlaceRole).toInt(), 3);
        rows.sort(1, Qt::AscendingOrder);
        QCOMPARE(names(), u"Babc"_s);
        rows.setRows({{u"x"_s, 1, 0}, {u"m"_s, 2, 0}});
        QCOMPARE(names(), u"mx"_s);
        rows.sort(-1, Qt::AscendingOrder);
        QCOMPARE(names(), u"xm"_s);
    }

    void csvQuotesAndLeavesOutWhatIsNotKnown() {
        const QByteArray csv = tableCsv(tableData(*model(), u"made"_s, std::nullopt));
        QCOMPARE(csv, QByteArray("time_ns,long,share_pct,name\n"
                                 "9007199254740993,true,12.3457,plain\n"
                                 ",false,0.0000,\"say \"\"a, b\"\"\nand\tc\"\n"));
    }

    void jsonHasNumbersAndNulls() {
        const TimeRange window{Nanoseconds(5), Nanoseconds(7)};
        const QByteArray json = tableJson(tableData(*model(), u"made"_s, window));
        QVERIFY(json.contains("9007199254740993")); // not rounded
        QVERIFY(json.indexOf("time_ns") < json.indexOf("share_pct"));
        const QJsonObject all = QJsonDocument::fromJson(json).object();
        QCOMPARE(all[u"verb"_s].toString(), u"made"_s);
        QCOMPARE(all[u"window_ns"_s].toArray(), (QJsonArray{5, 7}));
        const QJsonArray rows = all[u"rows"_s].toArray();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0][u"long"_s].toBool(), true);
        QCOMPARE(rows[0][u"share_pct"_s].toDouble(), 12.34567);
        QVERIFY(rows[1][u"time_ns"_s].isNull());
        QCOMPARE(rows[1][u"name"_s].toString(), u"say \"a, b\"\nand\tc"_s);
    }

    void textHasTheHeadingAndOneLinePerRow() {
        QCOMPARE(tableText(*model(), {0, 1}), u"Time\tShare\tName\n9007199254740993 ns\t12.3\tplain\n"
                                              "–\t0.0\tsay \"a, b\" and c\n"_s);
        QCOMPARE(tableText(*model(), {1}).count(u'\n'), 2);
    }

    void anEmptyTableIsAHeading() {
        const auto empty = model();
        empty->setRows({});
        QCOMPARE(tableCsv(tableData(*empty, u"made"_s, std::nullopt)),
                 QByteArray("time_ns,long,share_pct,name\n"));
        const QByteArray json = tableJson(tableData(*empty, u"made"_s, std::nullopt));
        QVERIFY(QJsonDocument::fromJson(json).object()[u"rows"_s].toArray().isEmpty());
        QVERIFY(!json.contains("window_ns"));
    }
};

} // namespace ddp::ui
