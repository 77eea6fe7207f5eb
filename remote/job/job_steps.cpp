// SPDX-License-Identifier: GPL-3.0-or-later
// From the book into the queue.
#include "remote/job/job_steps.h"

#include "remote/job/batch_script.h"
#include "remote/job/job_script.h"
#include "remote/slurm/submit.h"

#include <fmt/format.h>

#include <charconv>
#include <ctime>

namespace ddp::remote {

Result<void> JobSteps::save(const JobRecord& job) {
    if (auto written = m_jobs.m_book.update(job); !written)
        return written;
    if (m_jobs.m_observer)
        m_jobs.m_observer(job);
    return {};
}

Result<void> JobSteps::enter(JobRecord& job, JobState state, std::string reason) {
    job.state = state;
    job.reason = std::move(reason);
    return save(job);
}

Result<void> JobSteps::move(const std::string& id) {
    auto lock = m_jobs.m_book.lock(id);
    if (!lock)
        return forward(lock);
    if (!*lock)
        return {};
    // What another program did with it before it gave the lock back.
    auto found = m_jobs.m_book.find(id);
    if (!found)
        return forward(found);
    if (!*found)
        return {};
    JobRecord& job = **found;
    for (;;) {
        const JobState before = job.state;
        if (auto done = step(job); !done)
            return done;
        if (job.state == before || isFinal(job.state))
            return {};
    }
}

Result<void> JobSteps::step(JobRecord& job) {
    switch (job.state) {
    case JobState::Recorded:
        return begin(job);
    case JobState::Preparing:
        return prepare(job);
    case JobState::Submitting:
        return submit(job);
    case JobState::Queued:
    case JobState::Running:
        return observe(job);
    case JobState::Ended:
        return pull(job);
    case JobState::Pulled:
        return judge(job);
    case JobState::Judged:
    case JobState::Failed:
    case JobState::Cancelled:
        break;
    }
    return {};
}

Result<void> JobSteps::begin(JobRecord& job) {
    if (job.cancelWanted)
        return enter(job, JobState::Cancelled);
    auto turn = m_jobs.m_book.takeTurn(job, m_jobs.m_options.mostInQueue);
    if (!turn)
        return forward(turn);
    return *turn ? save(job) : Result<void>();
}

Result<void> JobSteps::prepare(JobRecord& job) {
    if (job.cancelWanted)
        return enter(job, JobState::Cancelled);
    const auto script = batchScript(m_jobs.m_cluster, job);
    if (!script)
        return enter(job, JobState::Failed, script.error().message);
    // Doing it twice does no harm: the same script comes out, and a folder may be there already.
    auto written = m_transport.makeFolders(job.folder, m_stop);
    if (written)
        written = m_transport.write(std::filesystem::path(job.folder) / kScriptFile, *script, true, m_stop);
    if (written)
        return enter(job, JobState::Submitting);
    if (isOfCluster(written.error()))
        return written;
    return enter(job, JobState::Failed, written.error().message);
}

/// By the unique name. Slurm wants to know since when to look, by its own clock, which may be a wrong one.
Result<std::optional<slurm::JobId>> JobSteps::findSubmitted(const JobRecord& job) {
    Command command;
    command.shell = "date +%s";
    auto answer = m_transport.run(command, m_stop);
    if (!answer)
        return forward(answer);
    std::int64_t there = 0;
    const std::string& out = answer->out;
    if (std::from_chars(out.data(), out.data() + out.size(), there).ec != std::errc())
        return fail(ErrorCode::Failed,
                    fmt::format("{} does not tell its time: `date +%s` printed \"{}\".", host(), out));
    const std::int64_t age = std::time(nullptr) - job.recorded;
    return slurm::findJobByName(m_transport, m_site, job.id, there - std::max<std::int64_t>(age, 0) - 3600,
                                m_stop);
}

Result<void> JobSteps::submit(JobRecord& job) {
    const auto adopt = [&](const slurm::JobId& id) {
        job.slurmId = id;
        job.slurmState = slurm::JobState::Pending;
        return enter(job, JobState::Queued);
    };
    const std::int64_t now = std::time(nullptr);
    if (job.attempted) {
        auto found = findSubmitted(job);
        if (!found)
            return forward(found);
        if (*found)
            return adopt(**found);
        const bool settled = now < *job.attempted || now - *job.attempted >= m_jobs.m_options.settle.count();
        if (!settled)
            return {};
    }
    if (job.cancelWanted)
        return enter(job, JobState::Cancelled);
    job.attempted = now;
    if (auto written = save(job); !written)
        return written;
    const slurm::Submission submission{(std::filesystem::path(job.folder) / kScriptFile).string(), job.id,
                                       job.folder, batchOptions(m_jobs.m_cluster, job)};
    auto id = slurm::submitJob(m_transport, m_site, submission, m_stop);
    if (id)
        return adopt(*id);
    if (isOfCluster(id.error()))
        return forward(id);
    // Refused, most likely; but an error is no proof.
    auto found = findSubmitted(job);
    if (!found)
        return forward(found);
    return *found ? adopt(**found) : enter(job, JobState::Failed, id.error().message);
}

} // namespace ddp::remote
