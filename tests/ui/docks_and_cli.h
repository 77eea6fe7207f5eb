// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/window_harness.h"
#include "ui/models/profile_table.h"
#include "ui/models/rows_model.h"
#include "ui/session/view_state.h"

#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <vector>

namespace ddp::test {

using namespace Qt::StringLiterals;

/// What ddpscope-cli says with --json.
inline QJsonObject cliAnswer(const QString& verb, const QString& trace, const QStringList& more = {}) {
    QProcess cli;
    cli.start(QStringLiteral(DDP_BIN_DIR "/ddpscope-cli"), QStringList{verb, trace, u"--json"_s} + more);
    if (!cli.waitForFinished(120'000) || cli.exitCode() != 0)
        qWarning("ddpscope-cli %s: %s", qPrintable(verb), cli.readAllStandardError().constData());
    return QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
}

/// The docks about the visible window of an open run beside the answers of ddpscope-cli on the same files.
class DocksAndCli {
public:
    DocksAndCli(WindowHarness& harness, QString trace)
        : m_harness(harness), m_view(*harness.window().findChild<ui::ViewState*>()),
          m_trace(std::move(trace)) {}

    /// The whole run, a part of it, and one that cuts what it shows.
    std::vector<TimeRange> windows() const {
        const TimeRange all = m_view.extent();
        const std::int64_t tenth = all.length().count / 10;
        return {all,
                {all.begin + Nanoseconds(2 * tenth), all.begin + Nanoseconds(5 * tenth)},
                {all.begin + Nanoseconds(7 * tenth + 123), all.begin + Nanoseconds(8 * tenth + 4567)}};
    }
    void compareAll() {
        for (const TimeRange window : windows()) {
            m_view.setVisible(window);
            compareSummary();
            compareProfile();
            compareSteps();
            compareCollectives();
        }
    }
    void compareSummary() {
        std::vector<Row> wanted;
        for (const auto& value : cliAnswer(u"overlap"_s, m_trace, windowOption())[u"rows"_s].toArray()) {
            const QJsonObject row = value.toObject();
            wanted.push_back(numbers(row, {u"rank"_s, u"communication_ns"_s, u"hidden_ns"_s, u"exposed_ns"_s,
                                           u"compute_ns"_s, u"exposed_memory_ns"_s, u"idle_ns"_s}));
        }
        QVERIFY(!wanted.empty());
        compare(u"summary"_s, wanted, {0, 2, 3, 5, 7, 8, 9});
    }
    void compareProfile() {
        const QJsonArray all = cliAnswer(u"profile"_s, m_trace, windowOption())[u"rows"_s].toArray();
        std::vector<Row> wanted;
        QStringList names;
        for (qsizetype i = 0; i < std::min<qsizetype>(all.size(), ui::ProfileTable::kMostRows); ++i) {
            const QJsonObject row = all[i].toObject();
            wanted.push_back(
                numbers(row, {u"visits"_s, u"exclusive_ns"_s, u"inclusive_ns"_s, u"per_visit_ns"_s}));
            names += row[u"region"_s].toString();
        }
        compare(u"profile"_s, wanted, {0, 1, 4, 5});
        const QAbstractItemModel& rows = model(u"profile"_s);
        for (qsizetype i = 0; i < names.size(); ++i)
            QCOMPARE(rows.index(static_cast<int>(i), rows.columnCount() - 1).data().toString(), names[i]);
    }
    void compareSteps() {
        std::vector<Row> wanted;
        for (const auto& value : cliAnswer(u"steps"_s, m_trace)[u"rows"_s].toArray()) {
            const QJsonObject row = value.toObject();
            if (touches(row))
                wanted.push_back(
                    numbers(row, {u"rank"_s, u"step"_s, u"duration_ns"_s, u"hidden_ns"_s, u"exposed_ns"_s,
                                  u"compute_ns"_s, u"idle_ns"_s, u"wait_ns"_s}));
        }
        compare(u"steps"_s, wanted, {0, 1, 2, 3, 5, 6, 7, 8});
    }
    void compareCollectives() {
        std::vector<Row> wanted;
        for (const auto& value : cliAnswer(u"collectives"_s, m_trace)[u"rows"_s].toArray()) {
            const QJsonObject row = value.toObject();
            const QJsonArray parts = row[u"ranks"_s].toArray();
            if (std::none_of(parts.begin(), parts.end(),
                             [this](const auto& part) { return touches(part.toObject()); }))
                continue;
            double exposed = 0;
            for (const auto& part : parts)
                exposed += part.toObject()[u"exposed_ns"_s].toDouble();
            wanted.push_back(numbers(
                row, {u"index"_s, u"step"_s, u"transfer_ns"_s, u"skew_ns"_s, u"late_rank"_s, u"bytes"_s}));
            wanted.back().push_back(parts.size());
            wanted.back().push_back(static_cast<qlonglong>(exposed / static_cast<double>(parts.size())));
        }
        compare(u"collectives"_s, wanted, {0, 1, 4, 5, 6, 7, 8, 2});
    }

private:
    using Row = std::vector<qlonglong>;

    QStringList windowOption() const {
        const TimeRange window = m_view.visible();
        return {u"--window"_s, u"%1:%2"_s.arg(window.begin.count).arg(window.end.count)};
    }
    bool touches(const QJsonObject& row) const {
        const qint64 begin = row[u"begin_ns"_s].toInteger();
        const qint64 end = begin + row[u"duration_ns"_s].toInteger();
        return begin < m_view.visible().end.count && end > m_view.visible().begin.count;
    }
    /// As the docks sort what is not known: -1.
    static Row numbers(const QJsonObject& row, const QStringList& names) {
        Row values;
        for (const QString& name : names)
            values.push_back(row.value(name).toInteger(-1));
        return values;
    }
    QAbstractItemModel& model(const QString& dock) const {
        return *m_harness.child<QTableView>(qPrintable(dock + u"Table"_s))->model();
    }
    /// Of its rows, in the order of the answer, however the table is sorted.
    static std::vector<int> places(const QAbstractItemModel& rows) {
        std::vector<int> places(static_cast<std::size_t>(rows.rowCount()));
        for (int row = 0; row < rows.rowCount(); ++row)
            places[rows.index(row, 0).data(ui::PlaceRole).toULongLong()] = row;
        return places;
    }
    void compare(const QString& dock, const std::vector<Row>& wanted, const std::vector<int>& columns) {
        m_harness.child<QDockWidget>(qPrintable(dock + u"Dock"_s))->raise();
        QTest::qWait(150); // longer than the pause between two questions
        QVERIFY(m_harness.waitUntilIdle());
        const QAbstractItemModel& rows = model(dock);
        QCOMPARE(static_cast<std::size_t>(rows.rowCount()), wanted.size());
        const std::vector<int> shownAt = places(rows);
        for (std::size_t row = 0; row < wanted.size(); ++row) {
            Row shown;
            for (const int column : columns)
                shown.push_back(rows.index(shownAt[row], column).data(ui::KeyRole).toLongLong());
            if (shown != wanted[row])
                QTest::qFail(qPrintable(u"row %1 of %2 is not what ddpscope-cli says"_s.arg(row).arg(dock)),
                             __FILE__, __LINE__);
        }
    }

    WindowHarness& m_harness;
    ui::ViewState& m_view;
    QString m_trace;
};

} // namespace ddp::test
