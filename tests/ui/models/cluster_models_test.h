// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "tests/support/temp_folder.h"
#include "ui/models/check_plan.h"
#include "ui/models/cluster_nodes_model.h"
#include "ui/models/job_rows.h"
#include "ui/session/connection_text.h"
#include "ui/session/poll_interval.h"
#include "ui/session/ssh_aliases.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What is shown of a cluster, without a cluster.
class ClusterModelsTest final : public QObject {
    Q_OBJECT

    using Model = ClusterNodesModel;

    static remote::slurm::Node node(const std::string& name, const std::string& state,
                                    const std::string& reason = {}) {
        remote::slurm::Node made;
        made.name = name;
        made.state = remote::slurm::parseNodeState(state);
        made.partitions = {name < "node3" ? "gpu" : "short"};
        made.gres = remote::slurm::parseGres("gpu:a100:8(S:0-1)");
        made.gresUsed = remote::slurm::parseGres("gpu:a100:2(IDX:0-1)");
        if (!reason.empty())
            made.reason = remote::slurm::NodeReason{reason, "root", 1'796'040'773};
        return made;
    }
    static std::shared_ptr<const NodeRows> cluster() {
        return std::make_shared<const NodeRows>(
            nodeRows({node("node10", "IDLE"), node("node9", "MIXED"),
                      node("node1", "IDLE+DRAIN", "Kill task failed, <b>twice</b>"),
                      node("node2", "DOWN*", "Not responding")}));
    }
    static remote::JobRecord job(const std::string& id, const std::string& node, remote::JobState state,
                                 std::int64_t recorded) {
        remote::JobRecord made;
        made.id = id;
        made.request.node = node;
        made.state = state;
        made.recorded = recorded;
        return made;
    }
    static remote::JobRecord judged(const std::string& id, const std::string& node, triage::Verdict verdict,
                                    std::int64_t recorded) {
        remote::JobRecord made = job(id, node, remote::JobState::Judged, recorded);
        made.verdict = verdict;
        made.cause = verdict == triage::Verdict::Fail ? "lost_collective" : "";
        return made;
    }
    static QStringList names(const Model& model) {
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            all += model.index(row, Model::NodeColumn).data().toString();
        return all;
    }

private Q_SLOTS:
    void numbersInNamesAreNumbers() {
        QVERIFY(naturalLess(u"node9"_s, u"node10"_s));
        QVERIFY(!naturalLess(u"node10"_s, u"node9"_s));
        QVERIFY(naturalLess(u"a"_s, u"b"_s));
        QVERIFY(naturalLess(u"node"_s, u"node1"_s));
        QVERIFY(naturalLess(u"n01"_s, u"n1"_s) != naturalLess(u"n1"_s, u"n01"_s));
        QVERIFY(!naturalLess(u"n1"_s, u"n1"_s));
        QVERIFY(naturalLess(u"rack2-99999999999999999999999"_s, u"rack3-1"_s));
    }

    void aNodeSaysItsStateInFull() {
        Model model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNodes(cluster());
        QCOMPARE(names(model), (QStringList{u"node1"_s, u"node2"_s, u"node9"_s, u"node10"_s}));
        QCOMPARE(model.index(0, Model::StateColumn).data().toString(), u"idle+drain"_s);
        QCOMPARE(model.index(0, Model::ReasonColumn).data().toString(), u"Kill task failed, <b>twice</b>"_s);
        const QString tip = model.index(0, Model::NodeColumn).data(Qt::ToolTipRole).toString();
        QVERIFY(tip.contains(u"&lt;b&gt;twice"_s) && tip.contains(u"root"_s));
        QVERIFY(model.index(0, Model::StateColumn).data(SymbolRole).isValid());
        QVERIFY(!model.index(3, Model::StateColumn).data(SymbolRole).isValid());
        QCOMPARE(model.index(2, Model::GpuColumn).data().toString(), u"2 of 8 a100"_s);
        QCOMPARE(model.counts().unusable, 2);
        QCOMPARE(model.partitions(), (QStringList{u"gpu"_s, u"short"_s}));
        QVERIFY(nodeUse(remote::slurm::parseNodeState("MIXED+COMPLETING")) == NodeUse::InUse);
        QVERIFY(nodeUse(remote::slurm::parseNodeState("IDLE+INVALID_REG")) == NodeUse::Broken);
        QVERIFY(nodeUse({}) == NodeUse::Unknown);
    }

    void theFilterWantsEveryWordPartitionAndState() {
        Model model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setNodes(cluster());
        model.setChecks(nodeChecks({judged("a", "node9", triage::Verdict::Fail, 100)}));
        const auto shown = [&](const NodeFilter& filter) {
            model.setFilter(filter);
            return names(model);
        };
        QCOMPARE(shown({u"KILL node"_s, {}, {}}), QStringList{u"node1"_s});
        QCOMPARE(shown({u"fail lost"_s, {}, {}}), QStringList{u"node9"_s});
        QCOMPARE(shown({{}, u"short"_s, {}}), QStringList{u"node9"_s});
        QCOMPARE(shown({{}, {}, NodeUse::Broken}), QStringList{u"node2"_s});
        QCOMPARE(shown({u"nothing"_s, {}, {}}), QStringList());
        QCOMPARE(shown({}).size(), 4);
    }

    void itIsSortedByWhatNeedsAPerson() {
        Model model;
        model.setNodes(cluster());
        model.setChecks(nodeChecks({judged("a", "node9", triage::Verdict::Pass, 100),
                                    judged("b", "node10", triage::Verdict::Fail, 200)}));
        model.sort(Model::CheckColumn);
        QCOMPARE(names(model), (QStringList{u"node10"_s, u"node9"_s, u"node1"_s, u"node2"_s}));
        model.sort(Model::StateColumn);
        QCOMPARE(names(model).front(), u"node2"_s);
        model.sort(Model::WhenColumn);
        QCOMPARE(names(model).front(), u"node10"_s);
        model.sort(Model::NodeColumn, Qt::DescendingOrder);
        QCOMPARE(names(model).front(), u"node10"_s);
        QCOMPARE(model.placeOf(u"node1"_s), 3);
        QCOMPARE(model.placeOf(u"node77"_s), -1);
        QVERIFY(!model.find(u"node77"_s));
    }

    void theSameNodesAgainKeepTheirPlaces() {
        Model model;
        model.setNodes(cluster());
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        model.setNodes(cluster());
        model.setChecks({});
        QCOMPARE(resets.count(), 0);
        model.setNodes(std::make_shared<const NodeRows>(nodeRows({node("node1", "IDLE")})));
        QCOMPARE(resets.count(), 1);
        QCOMPARE(model.rowCount(), 1);
    }

    void aDemoDoesNotHideWhatIsKnownOfANode() {
        auto demo = judged("demo", "node1", triage::Verdict::Fail, 300);
        demo.request.simulation = remote::Simulation::MissingModel;
        const auto known = judged("real", "node1", triage::Verdict::Pass, 100);
        const NodeChecks checks = nodeChecks({known, demo});
        QCOMPARE(checks[u"node1"_s].word, u"PASS"_s);
        QVERIFY(!checks[u"node1"_s].simulated);
        QCOMPARE(nodeChecks({demo})[u"node1"_s].word, u"FAIL (demo)"_s);
        Model model;
        model.setNodes(cluster());
        model.setChecks(nodeChecks({demo}));
        QCOMPARE(model.counts().fail, 0);
        QCOMPARE(model.counts().simulated, 1);
    }

    void everyStateOfAJobHasAWordAndASentence() {
        const QDateTime now = QDateTime::fromSecsSinceEpoch(1000);
        using State = remote::JobState;
        for (const auto& [state, word] : {std::pair{State::Recorded, u"waits here"_s},
                                          {State::Submitting, u"submitting"_s},
                                          {State::Queued, u"queued"_s},
                                          {State::Ended, u"fetching"_s},
                                          {State::Pulled, u"judging"_s},
                                          {State::Failed, u"not submitted"_s},
                                          {State::Cancelled, u"cancelled"_s}}) {
            const auto made = job("a", "node1", state, 900);
            QCOMPARE(jobStateText(made, now), word);
            QVERIFY(jobSentence(made).endsWith(u'.'));
        }
        auto running = job("a", "node1", State::Running, 900);
        running.started = 960;
        QCOMPARE(jobStateText(running, now), u"running 40 s"_s);
        running.started = 2000; // its clock is ahead of ours
        QCOMPARE(jobStateText(running, now), u"running 0 s"_s);
        running.cancelWanted = true;
        QCOMPARE(jobStateText(running, now), u"being cancelled"_s);
        QCOMPARE(jobStateText(judged("a", "n", triage::Verdict::Fail, 1), now), u"FAIL"_s);
        QCOMPARE(waitingText(u"ReqNodeNotAvail, UnavailableNodes:node02"_s),
                 u"the node takes no jobs at present (ReqNodeNotAvail, UnavailableNodes:node02)"_s);
        QCOMPARE(waitingText(u"SomethingNew"_s), u"SomethingNew"_s);
    }

    void jobsAreShownNewestFirst() {
        RowsModel<JobTableRow> model(jobColumns());
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(jobTableRows({judged("a", "node1", triage::Verdict::Pass, 100),
                                    job("b", "node2", remote::JobState::Queued, 200)},
                                   QDateTime::fromSecsSinceEpoch(500)));
        QCOMPARE(model.index(0, 1).data().toString(), u"node2"_s);
        QCOMPARE(model.index(1, 0).data().toString(), u"PASS"_s);
        QCOMPARE(model.index(1, 3).data().toString(), u"6 min"_s);
        QVERIFY(model.index(0, 4).data().toString().isEmpty());
    }

    void aCheckIsOneJobForEachNodeThatTakesJobs() {
        const NodeRows nodes = *cluster();
        CheckChoice choice;
        choice.mode = CheckMode::Hang;
        choice.stageDeadline = std::chrono::seconds(7);
        auto requests = checkRequests(nodes, choice);
        QCOMPARE(requests.size(), std::size_t(2));
        QCOMPARE(requests[0].node, std::string("node9"));
        QVERIFY(requests[0].simulation == remote::Simulation::Hang && !requests[0].hardware);
        QCOMPARE(requests[0].stageDeadline, std::chrono::seconds(7));
        QCOMPARE(checkNodeRows(nodes, choice).front().what, u"no job: Kill task failed, <b>twice</b>"_s);
        choice.alsoUnavailable = true;
        choice.mode = CheckMode::Hardware;
        choice.loading = CheckLoading::Both;
        requests = checkRequests(nodes, choice);
        QCOMPARE(requests.size(), std::size_t(8));
        QVERIFY(requests[0].hardware && requests[1].hardware);
        QVERIFY(requests[0].loading == remote::LoadingMode::Lazy &&
                requests[1].loading == remote::LoadingMode::Eager);
        QCOMPARE(sampleJob(requests[0], nodes[0], "atlas", "/scratch").request.ranks, 8);
    }

    void theStateOfAConnectionIsASentence() {
        using remote::ConnectionPhase;
        const std::chrono::system_clock::time_point now(std::chrono::seconds(1000));
        remote::ConnectionState lost{ConnectionPhase::Lost, "box does not answer.",
                                     now + std::chrono::milliseconds(11'500)};
        QCOMPARE(connectionText(u"box"_s, lost, now), u"connection to box lost, tries again in 12 s"_s);
        QVERIFY(connectionSentence(u"box"_s, lost, now).startsWith(u"box does not answer. "_s));
        QVERIFY(connectionText(u"box"_s, lost, now + std::chrono::minutes(1)).endsWith(u"tries again"_s));
        for (const auto phase : {ConnectionPhase::Idle, ConnectionPhase::Connecting,
                                 ConnectionPhase::Connected, ConnectionPhase::NeedsUser}) {
            QVERIFY(connectionText(u"box"_s, {phase}, now).contains(u"box"_s));
            QVERIFY(connectionSentence(u"box"_s, {phase}, now).endsWith(u'.'));
        }
    }

    void questionsBecomeSeldomAndFailuresMoreSo() {
        using namespace std::chrono_literals;
        using Answer = PollInterval::Answer;
        PollInterval pause(10s, 60s);
        QCOMPARE(pause.after(Answer::News), std::chrono::milliseconds(10s));
        QCOMPARE(pause.after(Answer::Same), std::chrono::milliseconds(15s));
        QCOMPARE(pause.after(Answer::Failed), std::chrono::milliseconds(30s));
        for (int i = 0; i < 5; ++i)
            pause.after(Answer::Failed);
        QCOMPARE(pause.after(Answer::Same), std::chrono::milliseconds(60s));
        QCOMPARE(pause.after(Answer::News), std::chrono::milliseconds(10s));
    }

    void aliasesComeFromTheConfigurationAndWhatItIncludes() {
        const test::TempFolder folder;
        folder.write("more/one", "Host inner\n  User me\n");
        const auto config =
            folder.write("config", "# Host no\nHost atlas  atlas-test # Host c\n  HostName a.example.org\n"
                                   "host = box\nHost *\nHost !bad web?\nInclude more/*\nMatch host x\n"
                                   "Host \"quoted\"\nHost atlas\nInclude config\n");
        QCOMPARE(sshAliases(config),
                 (QStringList{u"atlas"_s, u"atlas-test"_s, u"box"_s, u"inner"_s, u"quoted"_s}));
        QCOMPARE(sshAliases(folder.path() / "none"), QStringList());
    }
};

} // namespace ddp::ui
