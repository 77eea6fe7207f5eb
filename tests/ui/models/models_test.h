// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/verdict_symbol.h"
#include "ui/models/import_issues_model.h"
#include "ui/models/node_table_model.h"
#include "ui/models/record_sentence.h"
#include "ui/models/report_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class ModelsTest final : public QObject {
    Q_OBJECT

    static RunRecord run(const char* id, const char* node, int minutesAgo) {
        RunRecord made;
        made.id = QString::fromLatin1(id);
        made.node = QString::fromLatin1(node);
        made.simulate = QStringLiteral("none");
        made.started = QDateTime::currentDateTime().addSecs(-60 * minutesAgo - 5);
        return made;
    }

    static std::shared_ptr<const triage::Report> report(triage::Verdict verdict, const char* cause) {
        auto made = std::make_shared<triage::Report>();
        made->verdict = verdict;
        made->diagnosis.cause = cause;
        made->diagnosis.sentence = "Rank 1 built no model.";
        made->diagnosis.evidence = {{"rank-1/records.jsonl", 4, "facts"}};
        for (int i = 0; i < 7; ++i) {
            triage::AcceptanceLine line;
            line.id = "line" + std::to_string(i);
            line.sentence = "Sentence " + std::to_string(i);
            if (i == 1)
                line.evidence = {{"job.out", 12, "RuntimeError"}, {"job.err", 0, ""}};
            made->acceptance.push_back(line);
        }
        return made;
    }

private Q_SLOTS:
    void oneRowPerNodeWithItsNewestRun() {
        NodeTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunRecord old = run("a", "node01", 10);
        old.report = report(triage::Verdict::Pass, "");
        RunRecord fresh = run("b", "node01", 1);
        fresh.report = report(triage::Verdict::Fail, "rank_without_model");
        model.update(old);
        model.update(fresh);
        model.update(old);
        model.update(run("c", "node02", 2));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, NodeTableModel::StateColumn).data().toString(), u"FAIL"_s);
        QCOMPARE(model.index(0, NodeTableModel::CauseColumn).data().toString(), u"rank without model"_s);
        QCOMPARE(model.index(0, NodeTableModel::WhenColumn).data().toString(), u"1 min"_s);
        QCOMPARE(model.counts().fail, 1);
        QCOMPARE(model.counts().pass, 0);
    }

    void aSimulatedFaultDoesNotHideTheNode() {
        NodeTableModel model;
        RunRecord real = run("a", "node01", 10);
        real.report = report(triage::Verdict::Pass, "");
        RunRecord demo = run("b", "node01", 1);
        demo.simulate = u"hang"_s;
        model.update(real);
        model.update(demo);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, NodeTableModel::StateColumn).data().toString(), u"PASS"_s);
    }

    void everyStateHasAWord() {
        const QDateTime now = QDateTime::currentDateTime();
        RunRecord made = run("a", "n", 0);
        made.started = now.addSecs(-12);
        made.phase = RunPhase::Running;
        QCOMPARE(statusText(made, now), u"running 12 s"_s);
        made.phase = RunPhase::Done;
        QCOMPARE(statusText(made, now), u"not judged"_s);
        made.report = report(triage::Verdict::Inconclusive, "");
        QCOMPARE(statusText(made, now), u"INCONCLUSIVE"_s);
        made.stopped = true;
        QCOMPARE(statusText(made, now), u"stopped"_s);
        QVERIFY(!verdictSentence(made).isEmpty());
    }

    void theFilterWantsEveryWord() {
        NodeTableModel model;
        WordFilterProxy proxy;
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        proxy.setSourceModel(&model);
        RunRecord failed = run("a", "node01", 1);
        failed.report = report(triage::Verdict::Fail, "lost_collective");
        model.update(failed);
        model.update(run("b", "node02", 1));
        proxy.setWords(u"node FAIL"_s);
        QCOMPARE(proxy.rowCount(), 1);
        proxy.setWords(u"lost"_s);
        QCOMPARE(proxy.rowCount(), 1);
        proxy.setWords({});
        QCOMPARE(proxy.rowCount(), 2);
    }

    void theReportIsATreeWithItsEvidence() {
        ReportModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setReport(report(triage::Verdict::Fail, "rank_without_model"));
        QCOMPARE(model.rowCount(), 8); // the cause and seven lines
        const QModelIndex line = model.index(2, 0);
        QCOMPARE(model.rowCount(line), 2);
        const QModelIndex evidence = model.index(0, 0, line);
        QCOMPARE(evidence.data(ReportModel::FileRole).toString(), u"job.out"_s);
        QCOMPARE(evidence.data(ReportModel::LineRole).toInt(), 12);
        QVERIFY(evidence.data().toString().contains(u"job.out:12"_s));
        QCOMPARE(model.parent(evidence), line);
        QVERIFY(!line.data(ReportModel::FileRole).isValid());
        model.setReport(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void recordsReadAsSentences_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("facts")
            << u"{\"schema\":1,\"kind\":\"facts\",\"rank\":1,\"time_ns\":5,\"tensors\":34,\"elements\":34}"_s
            << u"rank 1: built 34 parameter tensors with 34 elements"_s;
        QTest::newRow("canary")
            << u"{\"kind\":\"canary\",\"rank\":0,\"run\":true,\"completed\":true,\"slots\":[{\"rank\":0,"
               "\"expected\":34,\"received\":34,\"intact\":true},{\"rank\":1,\"expected\":34,\"received\":"
               "null,"
               "\"intact\":false}]}"_s
            << u"rank 0: the canary collective received 34 from rank 0 (expected 34), nothing from rank 1 "
               u"(expected "
               "34)"_s;
        QTest::newRow("hung stage")
            << u"{\"kind\":\"stage\",\"rank\":0,\"stage\":\"canary\",\"state\":\"deadline\",\"message\":\"\"}"_s
            << u"rank 0: stage canary passed its deadline"_s;
        QTest::newRow("unknown is no zero")
            << u"{\"kind\":\"store\",\"rank\":0,\"peers\":[{\"rank\":1,\"tensors\":null,\"stage\":null}]}"_s
            << u"rank 0: parameter tensors in the store: rank 1 told nothing"_s;
        QTest::newRow("log line") << u"NCCL WARN x"_s << u"NCCL WARN x"_s;
        QTest::newRow("later kind") << u"{\"kind\":\"later\",\"rank\":0}"_s
                                    << u"{\"kind\":\"later\",\"rank\":0}"_s;
        QTest::newRow("cut off") << u"{\"kind\":\"facts\",\"ra"_s << u"{\"kind\":\"facts\",\"ra"_s;
    }

    void recordsReadAsSentences() {
        QFETCH(QString, line);
        QFETCH(QString, sentence);
        QCOMPARE(recordSentence(line), sentence);
    }

    void importIssuesSayWhatAndWhere() {
        ImportIssuesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        ImportIssue issue;
        issue.name = "missing_events_file";
        issue.severity = IssueSeverity::DataLoss;
        issue.count = 1;
        issue.rank = 1;
        issue.location = "CUDA[0:20]";
        issue.sentence = "Its events are missing.";
        model.setIssues({issue});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, ImportIssuesModel::WhereColumn).data().toString(), u"rank 1, CUDA[0:20]"_s);
        QCOMPARE(model.index(0, ImportIssuesModel::SeverityColumn).data().toString(), u"data loss"_s);
    }
};

} // namespace ddp::ui
