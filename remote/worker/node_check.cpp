// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/rank_run.h"

#include "remote/worker/canary.h"
#include "remote/worker/ddp_check.h"
#include "remote/worker/device_facts.h"
#include "remote/worker/failure.h"
#include "remote/worker/gloo_observer.h"
#include "remote/worker/host_name.h"
#include "remote/worker/peer_store.h"
#include "remote/worker/tiny_net.h"
#include "remote/worker/training.h"

#include <ATen/Parallel.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace ddp::worker {

namespace {

/// The stages of one rank in their order.
class NodeCheck {
public:
    explicit NodeCheck(RankSession& session)
        : m_session(session), m_options(session.options()), m_place(session.place()) {}

    void run() {
        at::set_num_threads(1); // ranks share the cores; a tiny net gains nothing from more
        deviceFacts();
        m_session.enter(records::kStageRendezvous);
        m_store = std::make_unique<PeerStore>(m_session);
        m_store->publishStage(records::kStageRendezvous);
        m_session.onEnter([this](const char* stage) { m_store->publishStage(stage); });
        buildModel();
        exchangeFacts();
        connect();
        canary();
        ddpCheck();
        m_session.enter(records::kStageTraining);
        runTraining(m_session, m_group, *m_net);
        m_session.enter(records::kStageDone);
        m_group.reset(); // joins Gloo's threads, whose last events come after the last wait()
        m_store->leave(monotonicNs() + m_session.nsLeft() * 9 / 10);
    }

private:
    bool simulates(Simulation simulation) const { return m_options.simulation == simulation; }
    bool isVictim() const { return m_place.rank == 1; }

    void deviceFacts() {
        const char* variable = std::getenv("CUDA_MODULE_LOADING");
        const std::string fromVariable = variable != nullptr && *variable != '\0' ? variable : "unset";
        if (m_options.mode != Mode::Hardware) {
            recordStart("cpu", fromVariable);
            m_session.enter(records::kStageDeviceFacts);
            printHead("cpu", fromVariable);
            records::Device none;
            none.note = "a run on the CPU; no GPU was looked at";
            m_session.record(none);
            return;
        }
        m_session.enter(records::kStageDeviceFacts);
        const DeviceFacts facts = readDeviceFacts(m_place.localRank);
        // After the driver was asked: the loading mode is what it says, and the record comes once.
        const std::string loading = facts.moduleLoading.empty() ? fromVariable : facts.moduleLoading;
        const std::string device =
            facts.problem.empty() ? "cuda:" + std::to_string(m_place.localRank) : "none";
        recordStart(device, loading);
        printHead(device, loading);
        m_session.record(facts.device);
        if (!facts.problem.empty())
            m_session.fail(
                {records::kExitNodeFault, "node", "*** NO USABLE GPU ***",
                 facts.problem + "; --mode hardware needs a GPU per rank and never falls back to the CPU"});
        m_session.fail(
            {records::kExitUsage, "environment", "*** WRONG WORKER FOR THIS NODE ***",
             "this node has a GPU (" + facts.device.name.value_or("unnamed") +
                 "), but this worker's libtorch has no CUDA; build the worker with the preset cuda and a "
                 "CUDA libtorch (TORCH_ROOT)"});
    }

    void recordStart(const std::string& device, const std::string& moduleLoading) {
        records::Start start;
        start.worldSize = m_place.worldSize;
        start.localRank = m_place.localRank;
        start.host = nodeName();
        start.pid = ::getpid();
        start.mode = toText(m_options.mode);
        start.simulate = records::simulationName(m_options.simulation);
        start.backend = toText(m_options.backend);
        start.device = device;
        start.moduleLoading = moduleLoading;
        start.workerVersion = DDP_WORKER_VERSION;
        start.torchVersion = compat::torchVersion();
        start.wallTimeNs = wallNs();
        start.stageDeadlineSeconds = m_options.stageDeadlineSeconds;
        m_session.record(start);
    }

    void printHead(const std::string& device, const std::string& moduleLoading) {
        m_session.print("[rank " + std::to_string(m_place.rank) + "/" + std::to_string(m_place.worldSize) +
                        "] host=" + nodeName() + "  device=" + device +
                        "  CUDA_MODULE_LOADING=" + moduleLoading +
                        "  simulate_bug=" + (simulates(Simulation::None) ? "False" : "True") + "\n");
    }

    void buildModel() {
        m_session.enter(records::kStageModelBuilt);
        if (simulates(Simulation::MissingModel) && isVictim()) {
            m_session.say("--simulate missing-model: this rank builds no model");
        } else {
            m_net = std::make_unique<TinyNet>();
            m_facts = {static_cast<std::int64_t>(m_net->parameters().size()), m_net->elements()};
        }
        m_session.say("local param count before DDP: " + std::to_string(m_facts.elements));
        m_session.say("parameter tensors: " + std::to_string(m_facts.tensors) +
                      ", elements: " + std::to_string(m_facts.elements));
        m_session.enter(records::kStageModelOnDevice); // on the CPU it already is
    }

    void exchangeFacts() {
        m_session.enter(records::kStageFactsPublished);
        m_session.record(m_facts);
        m_store->publishFacts(m_facts);
        m_view = m_store->view(monotonicNs() + m_session.nsLeft() * 9 / 10);
        m_session.record(m_view);
        for (const auto& peer : m_view.peers) {
            if (peer.tensors)
                continue;
            const std::string rank = "rank " + std::to_string(peer.rank);
            m_session.fail(
                {records::kExitHang, "peer", "*** A PEER IS MISSING ***",
                 rank + " published no facts before the deadline; " +
                     (peer.stage ? "its last stage was " + *peer.stage
                                 : "it never reached the store, so it did not start or died early")});
        }
        m_session.say("all " + std::to_string(m_place.worldSize) +
                      " ranks published their facts: " + tensorCounts());
    }

    std::string tensorCounts() const {
        std::string text;
        for (const auto& peer : m_view.peers)
            text += (text.empty() ? "" : ", ") + std::to_string(peer.tensors.value_or(-1));
        return text + " parameter tensors";
    }

    void connect() {
        m_session.enter(records::kStageProcessGroup);
        observeGloo(m_session.recorder());
        compat::GlooGroup settings;
        settings.rank = m_place.rank;
        settings.worldSize = m_place.worldSize;
        // Longer than a stage: it is the stage's deadline that ends a wait, and names the stage.
        settings.timeout =
            std::chrono::milliseconds(static_cast<std::int64_t>(m_options.stageDeadlineSeconds * 2000.0));
        settings.loopback = m_place.oneMachine;
        settings.dropDelivery = simulates(Simulation::LostCollective);
        m_group = compat::makeGlooGroup(m_store->groupStore(), settings);
    }

    void canary() {
        m_session.enter(records::kStageCanary);
        const bool emptyRank = std::any_of(m_view.peers.begin(), m_view.peers.end(),
                                           [](const auto& peer) { return peer.tensors == 0; });
        if (emptyRank) {
            m_session.say("canary all-gather: not run, since a rank has no parameters");
            m_session.record(m_canary);
            return;
        }
        if (simulates(Simulation::Hang) && isVictim()) {
            m_session.say("--simulate hang: this rank does not enter the canary all-gather");
            waitForDeadline();
        }
        m_canary = runCanary(m_session, m_group, m_view, m_facts);
        m_session.record(m_canary);
        sayCanary();
        if (!m_canary.completed) {
            m_view = m_store->view(monotonicNs());
            m_session.record(m_view); // says where the peers are by now
            for (const auto& peer : m_view.peers)
                m_session.say("rank " + std::to_string(peer.rank) + " is in stage " +
                              peer.stage.value_or("?"));
            waitForDeadline();
        }
    }

    [[noreturn]] static void waitForDeadline() {
        for (;;)
            ::pause(); // the watchdog ends the process
    }

    void sayCanary() {
        if (allDelivered(m_canary)) {
            m_session.say("canary all-gather: delivered from all " + std::to_string(m_place.worldSize) +
                          " ranks");
            return;
        }
        if (!m_canary.completed) {
            m_session.say("canary all-gather: did not complete");
            return;
        }
        for (const auto& slot : m_canary.gathered) {
            const std::string from = "canary slot of rank " + std::to_string(slot.rank) + ": published " +
                                     std::to_string(slot.expected.value_or(-1)) + ", ";
            if (!slot.received)
                m_session.say(from + "nothing was delivered (the sentinel is still there)");
            else if (!slot.intact || slot.received != slot.expected)
                m_session.say(from + "delivered " + std::to_string(*slot.received) +
                              (slot.intact ? "" : " in a damaged payload"));
        }
    }

    void ddpCheck() {
        m_session.enter(records::kStageDdpCheck);
        const records::DdpCheck check =
            runDdpCheck(m_group, m_net ? m_net->parameters() : std::vector<at::Tensor>{});
        m_session.record(check);
        if (check.state == "skipped")
            m_session.fail(
                {records::kExitUserCode, "user_code", "*** NO MODEL ON THIS RANK ***", check.message});
        if (check.state == "raised")
            m_session.fail(raised(check.message));
        if (!allDelivered(m_canary))
            m_session.fail(
                {records::kExitNodeFault, "node", "*** CANARY FAILED ***",
                 "the canary all-gather did not deliver what the ranks published, although libtorch's own "
                 "check passed"});
        m_session.say("DDP init succeeded — " + std::to_string(m_facts.tensors) + " params");
    }

    Failure raised(const std::string& message) const {
        if (!isParameterCountFault(message))
            return failureOf(records::kStageDdpCheck, message);
        // Ranks that truly hold different numbers of parameters are the code's doing; equal ones, of which
        // the collective told otherwise, are the node's.
        const bool reallyDiffer =
            std::any_of(m_view.peers.begin(), m_view.peers.end(),
                        [&](const auto& peer) { return peer.tensors != m_facts.tensors; });
        return {reallyDiffer ? records::kExitUserCode : records::kExitNodeFault,
                reallyDiffer ? "user_code" : "node", "*** BUG REPRODUCED ***", message};
    }

    RankSession& m_session;
    const PocOptions& m_options;
    const RankPlace& m_place;
    std::unique_ptr<PeerStore> m_store;
    std::unique_ptr<TinyNet> m_net;
    records::Facts m_facts;
    records::StoreView m_view;
    records::Canary m_canary;
    compat::ProcessGroup m_group;
};

} // namespace

void runNodeCheck(RankSession& session) {
    // Not on the stack: the end must not wait for destructors of libtorch.
    auto* check = new NodeCheck(session);
    try {
        check->run();
    } catch (const std::exception& error) {
        session.fail(failureOf(session.stage(), error.what()));
    }
    session.finish();
}

} // namespace ddp::worker
