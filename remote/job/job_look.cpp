// SPDX-License-Identifier: GPL-3.0-or-later
// While Slurm has the job.
#include "remote/job/batch_script.h"
#include "remote/job/job_script.h"
#include "remote/job/job_steps.h"
#include "remote/slurm/accounting.h"
#include "remote/slurm/cancel.h"
#include "remote/slurm/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace ddp::remote {

namespace {

/// One row per job: a requeued one may have several in the accounts.
const slurm::JobRow* rowOf(const std::vector<slurm::JobRow>& rows, const slurm::JobId& id) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const slurm::JobRow& candidate) {
        return candidate.id.number == id.number;
    });
    return row == rows.end() ? nullptr : &*row;
}

std::vector<slurm::JobId> idsOf(const std::vector<const JobRecord*>& jobs) {
    std::vector<slurm::JobId> ids;
    for (const JobRecord* job : jobs)
        ids.push_back(*job->slurmId);
    return ids;
}

void takeFacts(const slurm::JobStatus& status, JobRecord& job) {
    const slurm::JobRow& facts = status.facts();
    job.slurmState = status.outOfMemory() ? slurm::JobState::OutOfMemory : status.state();
    job.slurmReason = facts.reason;
    job.slurmExit = facts.exit;
    job.restarts = std::max(status.restarts(), facts.restarts.value_or(0));
    job.submitted = facts.submitted;
    // Before it has begun and ended, Slurm tells when it expects that.
    const bool began = job.slurmState != slurm::JobState::Pending;
    job.started = began ? facts.started : std::nullopt;
    job.ended = slurm::isFinal(job.slurmState) ? facts.ended : std::nullopt;
}

} // namespace

Result<void> JobSteps::look(const std::vector<JobRecord>& jobs) {
    std::map<std::string, std::vector<const JobRecord*>> byCluster;
    for (const JobRecord& job : jobs)
        if (job.state == JobState::Queued || job.state == JobState::Running)
            byCluster[job.slurmId->cluster].push_back(&job);
    for (const auto& [cluster, those] : byCluster) {
        const slurm::Site site = slurm::siteOf(m_site, *those.front()->slurmId);
        const std::int64_t asked = ++m_jobs.m_asked;
        auto rows = slurm::ask(m_transport, slurm::queueQuestion(site, idsOf(those)), m_stop);
        if (!rows)
            return forward(rows);
        std::vector<const JobRecord*> over;
        for (const JobRecord* job : those) {
            slurm::JobStatus& status = m_jobs.m_statuses[job->id];
            if (const auto* row = rowOf(*rows, *job->slurmId))
                status.observe(slurm::JobSource::Queue, *row, asked);
            else
                status.observeMissing(slurm::JobSource::Queue, asked);
            m_seen.insert(job->id);
            if (status.finished() || status.gone())
                over.push_back(job);
        }
        if (!over.empty())
            if (auto looked = lookInAccounts(cluster, over); !looked)
                return looked;
    }
    return {};
}

Result<void> JobSteps::lookInAccounts(const std::string& cluster, const std::vector<const JobRecord*>& jobs) {
    slurm::Site site = m_site;
    if (!cluster.empty())
        site.cluster = cluster;
    const std::int64_t asked = ++m_jobs.m_asked;
    const auto accounts =
        slurm::askAccounting(m_transport, slurm::accountingQuestion(site, idsOf(jobs)), m_stop);
    if (!accounts) {
        // A database that is away does not hold up those of which the queue knows enough.
        m_accountsFailed = true;
        return {};
    }
    for (const JobRecord* job : jobs)
        if (const auto* row = rowOf(accounts->jobs, *job->slurmId))
            m_jobs.m_statuses[job->id].observe(slurm::JobSource::Accounting, *row, asked);
    return {};
}

Result<void> JobSteps::observe(JobRecord& job) {
    if (!m_seen.contains(job.id))
        return {}; // it came into the queue after the look
    const slurm::JobStatus& status = m_jobs.m_statuses[job.id];
    const JobRecord before = job;
    takeFacts(status, job);
    if (status.finished()) {
        job.missingSince = std::time(nullptr);
        m_jobs.m_statuses.erase(job.id);
        return enter(job, JobState::Ended);
    }
    if (status.gone())
        return observeMissing(job);
    job.missingSince.reset();
    job.reason.clear();
    if (job.slurmState == slurm::JobState::Pending || job.slurmState == slurm::JobState::Configuring)
        job.state = JobState::Queued;
    else if (job.slurmState != slurm::JobState::Unknown)
        job.state = JobState::Running;
    if (job.cancelWanted)
        if (auto sent = cancel(job); !sent)
            return sent;
    return job == before ? Result<void>() : save(job);
}

/// Gone is not finished: its own end marker may say how it ended, or the accounts a little later.
Result<void> JobSteps::observeMissing(JobRecord& job) {
    const JobRecord before = job;
    const std::int64_t now = std::time(nullptr);
    bool there = false;
    if (auto read = awaitMarker(job, there); !read)
        return read;
    if (!job.missingSince)
        job.missingSince = now;
    const bool late = now - *job.missingSince >= m_jobs.m_options.missingPatience.count();
    if (there || (late && !m_accountsFailed)) {
        m_jobs.m_statuses.erase(job.id);
        return enter(job, JobState::Ended);
    }
    job.reason = fmt::format("Slurm does not know job {} any more, and nothing says yet how it ended.",
                             job.slurmId->number);
    return job.reason == before.reason && job.missingSince == before.missingSince ? Result<void>()
                                                                                  : save(job);
}

/// False: Slurm refused, which a job that has just ended is reason enough for; the next look tells.
Result<bool> JobSteps::send(const slurm::SlurmCommand& command) {
    auto sent = slurm::runSlurm(m_transport, command, m_stop);
    if (!sent)
        return forward(sent);
    if (sent->exitCode == 0)
        return true;
    const Error error = slurm::slurmError(host(), command, *sent);
    if (error.code == ErrorCode::Unreachable)
        return tl::unexpected<Error>(error);
    return false;
}

Result<void> JobSteps::cancel(JobRecord& job) {
    const std::int64_t now = std::time(nullptr);
    if (job.cancelled) {
        job.reason = "It was cancelled; its processes have not ended yet.";
        return {};
    }
    // A job that waits has no process to ask.
    if (job.state == JobState::Running && !job.askedToEnd) {
        for (const slurm::SlurmCommand& command : slurm::softCancelCommands(m_site, *job.slurmId))
            if (auto sent = send(command); !sent)
                return forward(sent);
        job.askedToEnd = now;
        job.reason = "It was asked to end.";
        return {};
    }
    if (job.askedToEnd && now - *job.askedToEnd < m_jobs.m_options.cancelGrace.count()) {
        job.reason = "It was asked to end.";
        return {};
    }
    auto sent = send(slurm::plainCancelCommand(m_site, *job.slurmId));
    if (!sent)
        return forward(sent);
    if (*sent)
        job.cancelled = now;
    job.reason = "It was cancelled.";
    return {};
}

} // namespace ddp::remote
