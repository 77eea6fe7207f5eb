// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/cluster_work.h"

#include "remote/slurm/nodes.h"
#include "remote/slurm/queue.h"

#include <utility>

namespace ddp::ui {

using remote::Transport;

ClusterWork::ClusterWork(remote::Cluster cluster, Places places, remote::ClusterJobs::Observer observer)
    : m_cluster(std::move(cluster)), m_places(std::move(places)), m_observer(std::move(observer)) {}

Result<void> ClusterWork::open() {
    if (m_jobs)
        return {};
    auto book = remote::JobBook::open(m_places.book);
    if (!book)
        return forward(book);
    m_book = std::make_unique<remote::JobBook>(std::move(*book));
    remote::ClusterJobsOptions options;
    options.runsFolder = m_places.runs;
    m_jobs.emplace(m_cluster, *m_book, options, m_observer);
    return {};
}

Result<remote::slurm::Site> ClusterWork::site(Transport& transport, const std::stop_token& stop) {
    if (!m_site) {
        auto version = ask(transport, remote::slurm::versionQuestion(), stop);
        if (!version)
            return forward(version);
        m_site = remote::slurm::Site{*version, {}};
    }
    return *m_site;
}

Result<std::shared_ptr<const NodeRows>> ClusterWork::nodes(Transport& transport, std::stop_token stop) {
    auto known = site(transport, stop);
    if (!known)
        return forward(known);
    auto nodes = ask(transport, remote::slurm::nodesQuestion(*known), stop);
    if (!nodes)
        return forward(nodes);
    return std::make_shared<const NodeRows>(nodeRows(std::move(*nodes)));
}

Result<std::vector<remote::slurm::JobRow>> ClusterWork::jobsOn(Transport& transport, const std::string& node,
                                                               std::stop_token stop) {
    auto known = site(transport, stop);
    if (!known)
        return forward(known);
    return ask(transport, remote::slurm::nodeQueueQuestion(*known, node), stop);
}

ClusterWork::Jobs ClusterWork::advance(Transport& transport, std::stop_token stop) {
    Jobs jobs;
    if (auto ready = open(); !ready) {
        jobs.problem = ready.error();
        return jobs;
    }
    if (auto looked = m_jobs->advance(transport, stop); !looked)
        jobs.problem = looked.error();
    jobs.pause = m_jobs->pause();
    if (auto all = m_book->forCluster(m_cluster.name))
        jobs.all = std::move(*all);
    else
        jobs.problem = all.error();
    return jobs;
}

Result<remote::Submitted> ClusterWork::submit(Transport& transport, std::vector<remote::JobRequest> requests,
                                              bool alsoUnavailable, std::stop_token stop) {
    if (auto ready = open(); !ready)
        return forward(ready);
    return m_jobs->submit(transport, std::move(requests), alsoUnavailable, stop);
}

Result<remote::JobRecord> ClusterWork::find(const std::string& id) {
    if (auto ready = open(); !ready)
        return forward(ready);
    auto job = m_book->find(id);
    if (!job)
        return forward(job);
    if (!*job)
        return fail(ErrorCode::Failed, "The job " + id + " is not in the book of jobs any more.");
    return **job;
}

Result<std::string> ClusterWork::cancelPlan(Transport& transport, const std::string& id,
                                            std::stop_token stop) {
    auto job = find(id);
    if (!job)
        return forward(job);
    return m_jobs->cancelPlan(transport, *job, stop);
}

Result<void> ClusterWork::cancel(const std::string& id) {
    if (auto ready = open(); !ready)
        return forward(ready);
    auto marked = m_jobs->cancel(id);
    if (!marked)
        return forward(marked);
    return {};
}

Result<std::vector<remote::TailText>> ClusterWork::log(Transport& transport, const std::string& id,
                                                       std::stop_token stop) {
    auto job = find(id);
    if (!job)
        return forward(job);
    if (id != std::exchange(m_logOf, id) || !m_tail) {
        remote::TailOptions options;
        options.wanted = [](const std::string& name) {
            return name.ends_with(".out") || name.ends_with(".err") || name.starts_with("nccl.");
        };
        m_tail.emplace(job->folder, options);
    }
    return m_tail->next(transport, stop);
}

Result<void> ClusterWork::pull(Transport& transport, const std::string& id, std::stop_token stop) {
    if (auto ready = open(); !ready)
        return forward(ready);
    auto pulled = m_jobs->pull(transport, id, {}, stop);
    if (!pulled)
        return forward(pulled);
    return {};
}

Result<std::vector<remote::JobRecord>> bookedJobs(const std::filesystem::path& file,
                                                  const std::string& cluster) {
    auto book = remote::JobBook::open(file);
    if (!book)
        return forward(book);
    return book->forCluster(cluster);
}

} // namespace ddp::ui
