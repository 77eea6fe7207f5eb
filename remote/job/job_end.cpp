// SPDX-License-Identifier: GPL-3.0-or-later
// After its end: the files, and what they say.
#include "core/triage/triage.h"
#include "remote/job/batch_script.h"
#include "remote/job/job_script.h"
#include "remote/job/job_steps.h"
#include "remote/pull/pull.h"
#include "remote/transport/local/local_transport.h"

#include <fmt/format.h>

#include <ctime>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDescriptionFile = "job.json"; // of a job that is no check
constexpr const char* kSlurmFile = "slurm.txt";
constexpr std::size_t kMarkerBytes = 4096;

/// Its script got to its end, as far as Slurm knows.
bool endedByItself(slurm::JobState state) {
    return state == slurm::JobState::Completed || state == slurm::JobState::Failed;
}

} // namespace

Result<void> JobSteps::awaitMarker(JobRecord& job, bool& there) {
    const auto text = m_transport.read(fs::path(job.folder) / kExitFile, 0, kMarkerBytes, m_stop);
    if (!text && isOfCluster(text.error()))
        return tl::unexpected<Error>(text.error());
    const auto marker = text ? readEndMarker(*text, job) : std::nullopt;
    there = marker.has_value();
    if (marker)
        job.exitCode = marker->exitCode;
    return {};
}

/// What only this side knows is written beside what comes from there.
Result<void> JobSteps::copyFiles(JobRecord& job, const CopyLimits& limits) {
    const auto here = makeLocalTransport();
    if (auto made = here->makeFolders(job.runFolder, m_stop); !made)
        return made;
    const char* description = job.request.kind == JobKind::Poc ? kRunFile : kDescriptionFile;
    if (auto written = here->write(job.runFolder / description, runDescription(job), false, m_stop); !written)
        return written;
    if (auto written = here->write(job.runFolder / kSlurmFile, slurmDescription(job), false, m_stop);
        !written)
        return written;
    Progress progress;
    PullOptions options;
    options.limits = limits;
    const auto pulled = pullFolder(m_transport, job.folder, job.runFolder, options, m_stop, progress);
    if (!pulled)
        return tl::unexpected<Error>(pulled.error());
    job.reason.clear();
    if (!pulled->failed.empty())
        job.reason =
            fmt::format("{} of its files could not be pulled; the first is {}: {}", pulled->failed.size(),
                        pulled->failed.front().file.string(), pulled->failed.front().why);
    return {};
}

Result<void> JobSteps::pull(JobRecord& job) {
    bool there = false;
    if (auto read = awaitMarker(job, there); !read)
        return read;
    const std::int64_t waited = std::time(nullptr) - job.missingSince.value_or(0);
    const bool expected =
        endedByItself(job.slurmState) && waited >= 0 && waited < m_jobs.m_options.markerPatience.count();
    if (!there && expected)
        return {};
    const auto copied = copyFiles(job, {});
    if (!copied && isOfCluster(copied.error()))
        return copied;
    if (!copied && copied.error().code == ErrorCode::Unwritable) {
        // This side is full: there is no hurry, the files stay where they are.
        if (job.reason != copied.error().message)
            return enter(job, JobState::Ended, copied.error().message);
        return {};
    }
    return enter(job, JobState::Pulled, copied ? job.reason : copied.error().message);
}

Result<void> JobSteps::judge(JobRecord& job) {
    if (job.request.kind == JobKind::Poc) {
        triage::Options options;
        options.ranksExpected = job.request.ranks;
        const auto report = triage::triage({job.runFolder}, options, m_stop);
        if (!report && report.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(report.error());
        job.verdict = report ? report->verdict : triage::Verdict::Inconclusive;
        job.cause = report ? report->diagnosis.cause : "";
        job.sentence = report ? report->diagnosis.sentence : report.error().message;
    }
    return enter(job, JobState::Judged, job.reason);
}

Result<void> JobSteps::pullAgain(JobRecord& job, const CopyLimits& limits) {
    if (auto copied = copyFiles(job, limits); !copied)
        return copied;
    return job.state == JobState::Judged ? judge(job) : save(job);
}

} // namespace ddp::remote
