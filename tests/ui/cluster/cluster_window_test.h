// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/cluster/cluster_harness.h"

#include "remote/cluster/cluster_file.h"
#include "ui/dialogs/check_nodes_dialog.h"
#include "ui/dialogs/cluster_assistant.h"
#include "ui/dialogs/host_key_dialog.h"
#include "ui/panels/log_text.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/verdict_badge.h"
#include "ui/timeline/timeline_canvas.h"

#include <QComboBox>
#include <QCommandLinkButton>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// From an empty window to verdicts, on a real Slurm behind a real sshd. The tests go on from each other.
class ClusterWindowTest final : public QObject {
    Q_OBJECT

    using Nodes = ClusterNodesModel;
    std::unique_ptr<test::ClusterHarness> m_all;

    template <class T>
    T* top(const char* name) {
        T* found = nullptr;
        const bool seen = QTest::qWaitFor([&] {
            found = m_all->window.window().findChild<T*>(QString::fromLatin1(name));
            return found && found->isVisible();
        });
        return seen ? found : nullptr;
    }
    static void choose(QDialog& dialog, const char* box, CheckMode mode) {
        auto* combo = dialog.findChild<QComboBox*>(QString::fromLatin1(box));
        QVERIFY(combo);
        combo->setCurrentIndex(combo->findData(static_cast<int>(mode)));
        Q_EMIT combo->activated(combo->currentIndex());
    }
    void submit(const QStringList& nodes, CheckMode mode, int deadline = 0) {
        const std::size_t before = m_all->session().jobs().size();
        m_all->selectNodes(nodes);
        m_all->window.trigger("checkNodes");
        auto* dialog = top<QDialog>("checkNodesDialog");
        QVERIFY(dialog);
        choose(*dialog, "checkMode", mode);
        if (deadline > 0)
            dialog->findChild<QSpinBox*>(u"checkDeadline"_s)->setValue(deadline);
        QTest::mouseClick(dialog->findChild<QPushButton*>(u"checkSubmit"_s), Qt::LeftButton);
        QVERIFY(m_all->waitFor([&] { return m_all->session().jobs().size() > before; }, 20));
        QTRY_VERIFY(!m_all->window.window().findChild<QDialog*>(u"checkNodesDialog"_s));
    }
    const remote::JobRecord* jobOn(const std::string& node) {
        const remote::JobRecord* newest = nullptr;
        for (const remote::JobRecord& job : m_all->session().jobs())
            if (job.request.node == node)
                newest = &job;
        return newest;
    }

private Q_SLOTS:
    void initTestCase() {
        if (const std::string why = test::TestCluster::whyNot(test::Accounts::None); !why.empty())
            QSKIP(why.c_str());
        m_all = std::make_unique<test::ClusterHarness>();
        QCOMPARE(m_all->slurm.trouble(), std::string());
        m_all->slurm.run(
            "scontrol update nodename=node04 state=drain reason='Kill task failed, <b>again</b>'");
    }
    void cleanupTestCase() { m_all.reset(); }

    void theAssistantSetsAClusterUp() {
        QTest::mouseClick(m_all->child<QCommandLinkButton>("startCluster"), Qt::LeftButton);
        auto* assistant = top<ClusterAssistant>("clusterAssistant");
        QVERIFY(assistant);
        auto* host = assistant->findChild<QComboBox*>(u"clusterHost"_s);
        QCOMPARE(host->itemText(0), u"box"_s);
        host->setEditText(u"box"_s);
        QCOMPARE(assistant->findChild<QLineEdit*>(u"clusterName"_s)->text(), u"box"_s);
        assistant->next();
        assistant->findChild<QLineEdit*>(u"clusterFolder"_s)
            ->setText(QString::fromStdString((m_all->home.path() / "the scratch").string()));
        assistant->findChild<QLineEdit*>(u"clusterWorker"_s)
            ->setText(QStringLiteral(DDP_BIN_DIR "/ddpscope-worker"));
        assistant->next();
        auto* key = top<HostKeyDialog>("hostKeyDialog");
        QVERIFY(key);
        QCOMPARE(key->findChild<QLabel*>(u"hostKeyFingerprint"_s)->text().toStdString(),
                 m_all->server.fingerprint());
        QTest::mouseClick(key->findChild<QPushButton*>(u"hostKeyAccept"_s), Qt::LeftButton);
        QVERIFY(m_all->waitFor([&] { return assistant->button(QWizard::FinishButton)->isEnabled(); }, 60));
        m_all->picture("assistant-3", assistant);
        QCOMPARE(assistant->findChild<QLabel*>(u"clusterTestOutcome"_s)->text(), u"Jobs can run there."_s);
        assistant->accept();
        QVERIFY(m_all->waitFor([this] { return m_all->connected() && m_all->session().nodes(); }, 30));
        const auto kept = remote::readClusters(m_all->window.folder() / "clusters.json");
        QVERIFY(kept && kept->size() == 1);
        QCOMPARE(kept->front().folder, m_all->home.path() / "the scratch");
    }

    void theNodesAreSeenWithTheirStatesAndReasons() {
        QCOMPARE(m_all->nodes().model().rowCount(), 4);
        QCOMPARE(m_all->nodeCell(u"node01"_s, Nodes::StateColumn), u"idle"_s);
        QCOMPARE(m_all->nodeCell(u"node04"_s, Nodes::StateColumn), u"idle+drain"_s);
        QCOMPARE(m_all->nodeCell(u"node04"_s, Nodes::ReasonColumn), u"Kill task failed, <b>again</b>"_s);
        QCOMPARE(m_all->nodeCell(u"node01"_s, Nodes::GpuColumn), u"0 of 2"_s);
        m_all->nodes().table().setCurrentIndex(m_all->nodes().model().index(3, 0));
        QTRY_COMPARE(m_all->child<QLabel>("nodeName")->text(), u"node04"_s);
        QVERIFY(
            m_all->child<QLabel>("nodeReason")->text().startsWith(u"Kill task failed, <b>again</b> (root"_s));
        QTRY_COMPARE_WITH_TIMEOUT(m_all->child<QLabel>("nodeJobsTitle")->text(), u"No job is on it now."_s,
                                  10'000);
        QCOMPARE(m_all->child<QWidget>("connectionState")->accessibleName(), u"connected to box"_s);
        m_all->picture("nodes");
        auto* filter = m_all->child<QLineEdit>("clusterNodeFilter");
        filter->setText(u"drain again"_s);
        QCOMPARE(m_all->nodes().model().rowCount(), 1);
        filter->setText(u"nothing like it"_s);
        QVERIFY(m_all->child<QLabel>("clusterNodesEmpty")->text().contains(u"Clear it to see all 4"_s));
        filter->clear();
        auto* partition = m_all->child<QComboBox>("clusterPartition");
        partition->setCurrentText(u"short"_s);
        Q_EMIT partition->activated(partition->currentIndex());
        QCOMPARE(m_all->nodes().model().rowCount(), 2);
        partition->setCurrentIndex(0);
        Q_EMIT partition->activated(0);
    }

    void aWorkerThatIsThereIsTaken() {
        m_all->window.trigger("clusterWorkerSetUp");
        auto* dialog = top<QDialog>("workerDialog");
        QVERIFY(dialog);
        dialog->findChild<QAbstractButton*>(u"workerChoice2"_s)->click();
        auto* file = dialog->findChild<QLineEdit*>(u"workerFile"_s);
        file->setText(u"/nowhere/ddpscope-worker"_s);
        auto* start = dialog->findChild<QPushButton*>(u"workerStart"_s);
        QTest::mouseClick(start, Qt::LeftButton);
        auto* outcome = dialog->findChild<QLabel*>(u"workerOutcome"_s);
        QVERIFY(m_all->waitFor([&] { return outcome->text().contains(u"/nowhere/ddpscope-worker"_s); }, 30));
        m_all->picture("worker", dialog);
        file->setText(QStringLiteral(DDP_BIN_DIR "/ddpscope-worker"));
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(
            m_all->waitFor([this] { return m_all->window.window().message().contains(u"is ready"_s); }, 30));
        QVERIFY(m_all->waitFor([this] { return m_all->connected() && m_all->session().nodes(); }, 30));
        const auto kept = remote::readClusters(m_all->window.folder() / "clusters.json");
        QCOMPARE(kept->front().worker, std::string(DDP_BIN_DIR "/ddpscope-worker"));
    }

    void aCheckIsShownBeforeItIsSubmitted() {
        m_all->selectNodes({u"node01"_s, u"node02"_s, u"node04"_s});
        m_all->window.trigger("checkNodes");
        auto* dialog = top<QDialog>("checkNodesDialog");
        QVERIFY(dialog);
        choose(*dialog, "checkMode", CheckMode::MissingModel);
        const auto* submit = dialog->findChild<QPushButton*>(u"checkSubmit"_s);
        QCOMPARE(submit->text(), u"&Submit 2 jobs"_s);
        const auto* nodes = dialog->findChild<QTableView*>(u"checkNodes"_s);
        QVERIFY(nodes->model()->index(0, 2).data().toString().startsWith(u"no job: Kill task failed"_s));
        const QString script = dialog->findChild<LogText*>(u"checkScript"_s)->toPlainText();
        QVERIFY(script.contains(u"--nodelist=node01"_s) && script.contains(u"#!/bin/bash"_s) &&
                script.contains(u"missing-model"_s));
        m_all->picture("check-nodes", dialog);
        dialog->findChild<QAbstractButton*>(u"checkAlso"_s)->click();
        QCOMPARE(submit->text(), u"&Submit 3 jobs"_s);
        dialog->reject();
        QVERIFY(m_all->session().jobs().empty());
    }

    void fourNodesAreCheckedWhileTheWindowIsClosedInBetween() {
        m_all->slurm.run("scontrol update nodename=node04 state=resume");
        m_all->window.trigger("clusterRefresh");
        QVERIFY(m_all->waitFor(
            [this] { return m_all->nodeCell(u"node04"_s, Nodes::StateColumn) == u"idle"_s; }, 20));
        submit({u"node01"_s, u"node04"_s}, CheckMode::MissingModel);
        submit({u"node02"_s}, CheckMode::Healthy);
        submit({u"node03"_s}, CheckMode::Hang, 5);
        QCOMPARE(m_all->session().jobs().size(), std::size_t(4));
        QVERIFY(m_all->waitFor(
            [this] { return jobOn("node03") && jobOn("node03")->state == remote::JobState::Running; }, 30));
        m_all->picture("jobs-running");

        QElapsedTimer closing;
        closing.start();
        m_all->window.closeForGood();
        QVERIFY(closing.elapsed() < 5'000);
        m_all->window.open();
        // The book is read before the cluster answers.
        QVERIFY(m_all->waitFor([this] { return m_all->session().jobs().size() == 4; }, 20));
        QVERIFY(m_all->waitFor([this] { return m_all->allOver(); }, 90));
        for (const char* node : {"node01", "node04"})
            QCOMPARE(jobOn(node)->cause, std::string("rank_without_model"));
        QVERIFY(jobOn("node02")->verdict == triage::Verdict::Inconclusive); // on the CPU nothing is proven
        QVERIFY(jobOn("node03")->verdict == triage::Verdict::Fail);
        QTRY_COMPARE(m_all->nodeCell(u"node03"_s, Nodes::CheckColumn), u"FAIL (demo)"_s);
        QTRY_VERIFY(m_all->child<QLabel>("clusterNodeCounts")->text().contains(u"3 demo"_s));
        // None was submitted twice.
        std::set<std::string> names;
        std::istringstream queue(m_all->slurm.run("squeue --noheader --states=all --format=%j"));
        int count = 0;
        for (std::string name; std::getline(queue, name); ++count)
            names.insert(name);
        QCOMPARE(count, 4);
        QCOMPARE(names.size(), std::size_t(4));
        QCOMPARE(test::WindowHarness::processesNaming((m_all->home.path() / "the scratch").string()), 0);
    }

    void aRunOpensFromItsRow() {
        m_all->child<QDockWidget>("jobsDock")->raise();
        QTableView& table = m_all->jobTable();
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->index(row, 1).data().toString() == u"node01"_s)
                table.selectRow(row);
        m_all->picture("jobs-over");
        QTRY_VERIFY(m_all->child<LogText>("jobLogText")->toPlainText().size() > 20);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Return);
        auto* canvas = m_all->child<TimelineCanvas>("timelineCanvas");
        QVERIFY(m_all->waitFor([&] { return canvas->scene().store != nullptr; }, 30));
        QCOMPARE(canvas->scene().store->ranks().size(), std::size_t(2));
        QVERIFY(
            m_all->waitFor([this] { return m_all->child<VerdictBadge>(nullptr)->text() == u"FAIL"_s; }, 20));
        QVERIFY(m_all->window.waitUntilIdle());
        m_all->picture("run-open");
    }

    void aJobIsFollowedAndCancelled() {
        submit({u"node01"_s}, CheckMode::Hang, 600);
        QVERIFY(m_all->waitFor([this] { return jobOn("node01")->state == remote::JobState::Running; }, 30));
        m_all->child<QDockWidget>("jobsDock")->raise();
        m_all->jobs().selectJob(QString::fromStdString(jobOn("node01")->id));
        auto* log = m_all->child<LogText>("jobLogText");
        QVERIFY(m_all->waitFor([&] { return log->toPlainText().contains(u"rank"_s); }, 30));
        m_all->nodes().table().setCurrentIndex(m_all->nodes().model().index(0, 0));
        QTRY_COMPARE_WITH_TIMEOUT(m_all->child<QLabel>("nodeJobsTitle")->text(), u"Jobs on it now: 1"_s,
                                  20'000);
        m_all->picture("job-log");
        m_all->window.trigger("jobCancel");
        auto* question = top<QMessageBox>("cancelQuestion");
        QVERIFY(question);
        QVERIFY(question->informativeText().contains(u"SIGTERM"_s));
        m_all->picture("cancel", question);
        QTest::mouseClick(question->findChild<QPushButton*>(u"cancelYes"_s), Qt::LeftButton);
        QVERIFY(m_all->waitFor([this] { return isFinal(jobOn("node01")->state); }, 60));
        QVERIFY(jobOn("node01")->cancelWanted);
        QCOMPARE(test::WindowHarness::processesNaming((m_all->home.path() / "the scratch").string()), 0);
    }

    void aLostConnectionComesBackByItself() {
        m_all->server.killSessions();
        m_all->window.trigger("clusterRefresh"); // so that it is noticed
        QVERIFY(m_all->waitFor([this] { return !m_all->connected(); }, 20));
        QCOMPARE(m_all->nodes().model().rowCount(), 4); // what was known stays
        QVERIFY(m_all->waitFor([this] { return m_all->connected(); }, 30));
    }

    void aChangedHostKeyIsRefusedInWords() {
        m_all->server.killSessions();
        m_all->server.newHostKey();
        m_all->window.trigger("clusterRefresh");
        const auto refused = [this] {
            return !m_all->connected() &&
                   m_all->session().state().phase != remote::ConnectionPhase::Connecting &&
                   m_all->session().state().why.find("has CHANGED") != std::string::npos;
        };
        QVERIFY(m_all->waitFor([this] { return m_all->window.window().message().contains(u"has CHANGED"_s); },
                               40));
        m_all->picture("host-key-changed");
        const QSignalSpy states(&m_all->session(), &ClusterSession::stateChanged);
        QTest::mouseClick(m_all->child<QWidget>("connectionState"), Qt::LeftButton);
        QVERIFY(m_all->waitFor([&] { return states.count() >= 2 && refused(); }, 40));
        QVERIFY(!m_all->window.window().findChild<HostKeyDialog*>());
        QCOMPARE(m_all->nodes().model().rowCount(), 4);
    }

    void aRemovedClusterIsForgotten() {
        m_all->window.trigger("clusterRemove");
        auto* question = top<QMessageBox>("removeQuestion");
        QVERIFY(question);
        QTest::mouseClick(question->findChild<QPushButton*>(u"removeYes"_s), Qt::LeftButton);
        QVERIFY(m_all->waitFor([this] { return !m_all->session().cluster(); }, 10));
        QTRY_VERIFY(remote::readClusters(m_all->window.folder() / "clusters.json")->empty());
        QVERIFY(!m_all->child<QWidget>("connectionState")->isVisible());
    }
};

} // namespace ddp::ui
