// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/cluster_session.h"

#include "ui/session/ui_mailbox.h"

#include <algorithm>
#include <utility>

namespace ddp::ui {

using remote::ConnectionPhase;
using remote::JobRecord;
using remote::Transport;

namespace {

constexpr std::chrono::seconds kNodesOften{15};
constexpr std::chrono::seconds kNodesSeldom{120};
// Other programs of the user may submit too.
constexpr std::chrono::seconds kJobsSeldom{20};
constexpr std::chrono::milliseconds kSoon{50};
constexpr std::chrono::seconds kNodesAfterJobs{3};
constexpr int kLostLoud = 2; // tries

} // namespace

ClusterSession::ClusterSession(Parts parts, QObject* parent)
    : QObject(parent), m_parts(std::move(parts)), m_nodesPause(kNodesOften, kNodesSeldom) {
    m_nodesTimer.setSingleShot(true);
    m_jobsTimer.setSingleShot(true);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &ClusterSession::jobsChanged);
    connect(&m_nodesTimer, &QTimer::timeout, this, &ClusterSession::askNodes);
    connect(&m_jobsTimer, &QTimer::timeout, this, &ClusterSession::lookAtJobs);
}

ClusterSession::~ClusterSession() {
    blockSignals(true);
    leave();
}

QString ClusterSession::name() const {
    return m_cluster ? QString::fromStdString(m_cluster->name) : QString();
}

const JobRecord* ClusterSession::job(const QString& id) const {
    const auto found = std::ranges::find(m_jobs, id.toStdString(), &JobRecord::id);
    return found == m_jobs.end() ? nullptr : &*found;
}

void ClusterSession::choose(const remote::Cluster& cluster) {
    leave();
    m_cluster = cluster;
    m_mail = std::make_shared<UiMailbox>(*this);
    const auto mail = m_mail;
    m_work = std::make_shared<ClusterWork>(cluster, m_parts.places, [this, mail](const JobRecord& job) {
        mail->deliver(mail, [this, job] { takeJob(job); });
    });
    m_connection = std::make_unique<remote::Connection>(
        cluster, m_parts.questions, [this, mail](const remote::ConnectionState& state) {
            mail->deliver(mail, [this, state] { takeState(state); });
        });
    readBook();
    m_connection->connect();
    Q_EMIT clusterChanged();
}

void ClusterSession::leave() {
    if (!m_cluster)
        return;
    m_nodesTimer.stop();
    m_jobsTimer.stop();
    m_soon.stop();
    m_parts.runner.drop(m_bookSlot);
    m_mail->close();
    // Its thread may still be in a call that ends in a moment.
    m_closing.emplace_back([connection = std::move(m_connection), work = std::move(m_work)]() mutable {
        connection.reset();
        work.reset();
    });
    m_cluster.reset();
    m_state = {};
    m_nodes.reset();
    m_nodesSeen = {};
    m_nodesProblem.clear();
    m_jobsProblem.clear();
    m_jobs.clear();
    m_lost = 0;
    m_lostWhy.clear();
    m_nodesAsked = m_jobsAsked = m_logAsked = false;
    m_logOf.clear();
    m_nodesPause.reset();
    Q_EMIT clusterChanged();
}

/// `job`: T(ClusterWork&, Transport&, std::stop_token), in the connection's thread; `take`: void(T), here.
template <class Job, class Take>
void ClusterSession::post(Job job, Take take) {
    if (!m_connection)
        return;
    m_connection->post([work = m_work, mail = m_mail, job = std::move(job),
                        take = std::move(take)](Transport& transport, std::stop_token stop) {
        using Answer = std::invoke_result_t<const Job&, ClusterWork&, Transport&, std::stop_token>;
        const auto answer = std::make_shared<Answer>(job(*work, transport, stop));
        mail->deliver(mail, [take, answer] { take(std::move(*answer)); });
    });
}

/// What was submitted before is seen before the cluster answers, and also when it does not.
void ClusterSession::readBook() {
    m_parts.runner.start(
        m_bookSlot, tr("Reading the book of jobs"),
        [book = m_parts.places.book, name = m_cluster->name](TaskContext&) { return bookedJobs(book, name); },
        this,
        [this](Result<std::vector<JobRecord>> jobs) {
            if (!jobs) {
                say(jobs.error());
            } else if (m_jobs.empty()) {
                m_jobs = std::move(*jobs);
                Q_EMIT jobsChanged();
            }
        });
}

void ClusterSession::takeState(const remote::ConnectionState& state) {
    const bool fresh =
        state.phase == ConnectionPhase::Connected && m_state.phase != ConnectionPhase::Connected;
    m_state = state;
    Q_EMIT stateChanged();
    if (fresh) {
        m_lost = 0;
        m_lostWhy.clear();
    }
    // One that comes back at once is nobody's problem; one that stays away is told with every new reason.
    const bool stays =
        state.phase == ConnectionPhase::Lost && ++m_lost >= kLostLoud && state.why != m_lostWhy;
    if (stays)
        m_lostWhy = state.why;
    if ((state.phase == ConnectionPhase::NeedsUser || stays) && !state.why.empty())
        Q_EMIT failed(QString::fromStdString(state.why));
    if (fresh) {
        m_nodesPause.reset();
        askNodes();
        lookAtJobs();
    }
}

void ClusterSession::refresh() {
    if (!m_connection)
        return;
    if (m_state.phase != ConnectionPhase::Connected) {
        m_connection->connect();
        return;
    }
    m_nodesPause.reset();
    askNodes();
    lookAtJobs();
}

void ClusterSession::askNodes() {
    if (m_state.phase != ConnectionPhase::Connected || std::exchange(m_nodesAsked, true))
        return;
    m_nodesTimer.stop();
    post([](ClusterWork& work, Transport& transport,
            std::stop_token stop) { return work.nodes(transport, stop); },
         [this](Result<std::shared_ptr<const NodeRows>> answer) { takeNodes(std::move(answer)); });
}

void ClusterSession::takeNodes(Result<std::shared_ptr<const NodeRows>> answer) {
    m_nodesAsked = false;
    auto outcome = PollInterval::Answer::Failed;
    if (answer) {
        const bool same = m_nodes && m_nodes->size() == (*answer)->size() &&
                          std::equal(m_nodes->begin(), m_nodes->end(), (*answer)->begin(),
                                     [](const NodeRow& a, const NodeRow& b) { return a.node == b.node; });
        outcome = same ? PollInterval::Answer::Same : PollInterval::Answer::News;
        m_nodes = std::move(*answer);
        m_nodesSeen = QDateTime::currentDateTime();
        m_nodesProblem.clear();
    } else {
        m_nodesProblem = QString::fromStdString(answer.error().message); // what was seen before stays
    }
    m_nodesTimer.start(m_nodesPause.after(outcome));
    Q_EMIT nodesChanged();
}

void ClusterSession::lookAtJobs() {
    if (m_state.phase != ConnectionPhase::Connected || std::exchange(m_jobsAsked, true))
        return;
    m_jobsTimer.stop();
    post([](ClusterWork& work, Transport& transport,
            std::stop_token stop) { return work.advance(transport, stop); },
         [this](ClusterWork::Jobs answer) { takeJobs(std::move(answer)); });
}

void ClusterSession::takeJobs(ClusterWork::Jobs answer) {
    m_jobsAsked = false;
    if (!answer.all.empty() && answer.all != m_jobs) {
        m_jobs = std::move(answer.all);
        Q_EMIT jobsChanged();
    }
    // Once: while the cluster does not answer, the panel of the nodes says so.
    const QString problem = answer.problem ? QString::fromStdString(answer.problem->message) : QString();
    if (answer.problem && answer.problem->code != ErrorCode::Cancelled && problem != m_jobsProblem)
        Q_EMIT failed(problem);
    m_jobsProblem = problem;
    const bool busy = std::ranges::any_of(m_jobs, [](const JobRecord& job) { return !isFinal(job.state); });
    m_jobsTimer.start(busy ? answer.pause : std::max<std::chrono::milliseconds>(answer.pause, kJobsSeldom));
}

void ClusterSession::takeJob(const JobRecord& job) {
    const auto found = std::ranges::find(m_jobs, job.id, &JobRecord::id);
    if (found == m_jobs.end())
        m_jobs.push_back(job);
    else
        *found = job;
    if (!m_soon.isActive())
        m_soon.start();
    // It changes what its node does.
    m_nodesPause.reset();
    if (m_nodesTimer.isActive() && m_nodesTimer.remainingTimeAsDuration() > kNodesAfterJobs)
        m_nodesTimer.start(kNodesAfterJobs);
}

void ClusterSession::submit(std::vector<remote::JobRequest> requests, bool alsoUnavailable) {
    post([requests = std::move(requests), alsoUnavailable](
             ClusterWork& work, Transport& transport,
             std::stop_token stop) { return work.submit(transport, requests, alsoUnavailable, stop); },
         [this](Result<remote::Submitted> answer) {
             if (!answer) {
                 say(answer.error());
                 return;
             }
             for (const JobRecord& job : answer->jobs)
                 takeJob(job);
             QStringList refused;
             for (const remote::RefusedNode& node : answer->refused)
                 refused += QString::fromStdString(node.reason);
             Q_EMIT submitted(static_cast<int>(answer->jobs.size()), refused);
             lookAtJobs();
         });
}

void ClusterSession::cancel(const QString& id) {
    post([id = id.toStdString()](ClusterWork& work, Transport&, std::stop_token) { return work.cancel(id); },
         [this](const Result<void>& answer) {
             if (!answer)
                 say(answer.error());
             lookAtJobs();
         });
}

void ClusterSession::planCancel(const QString& id) {
    post([id = id.toStdString()](ClusterWork& work, Transport& transport,
                                 std::stop_token stop) { return work.cancelPlan(transport, id, stop); },
         [this, id](const Result<std::string>& plan) {
             if (plan)
                 Q_EMIT cancelPlanned(id, QString::fromStdString(*plan));
             else
                 say(plan.error());
         });
}

void ClusterSession::pull(const QString& id) {
    post([id = id.toStdString()](ClusterWork& work, Transport& transport,
                                 std::stop_token stop) { return work.pull(transport, id, stop); },
         [this](const Result<void>& answer) {
             if (!answer)
                 say(answer.error());
             lookAtJobs();
         });
}

void ClusterSession::askJobsOn(const QString& node) {
    using Rows = std::vector<remote::slurm::JobRow>;
    post([node = node.toStdString()](ClusterWork& work, Transport& transport,
                                     std::stop_token stop) { return work.jobsOn(transport, node, stop); },
         [this, node](const Result<Rows>& rows) {
             Q_EMIT jobsOnNode(node, rows ? *rows : Rows(),
                               rows ? QString() : QString::fromStdString(rows.error().message));
         });
}

void ClusterSession::followLog(const QString& id) {
    m_logOf = id;
}

void ClusterSession::askLog() {
    if (m_logOf.isEmpty() || m_state.phase != ConnectionPhase::Connected || std::exchange(m_logAsked, true))
        return;
    post([id = m_logOf.toStdString()](ClusterWork& work, Transport& transport,
                                      std::stop_token stop) { return work.log(transport, id, stop); },
         [this, id = m_logOf](const Result<std::vector<remote::TailText>>& pieces) {
             m_logAsked = false;
             Q_EMIT jobLog(id, pieces ? *pieces : std::vector<remote::TailText>(),
                           pieces ? QString() : QString::fromStdString(pieces.error().message));
         });
}

void ClusterSession::say(const Error& error) {
    if (error.code != ErrorCode::Cancelled)
        Q_EMIT failed(QString::fromStdString(error.message));
}

} // namespace ddp::ui
