// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_report.h"

#include "app/exit_code.h"
#include "core/report/envelope.h"
#include "core/report/text_table.h"
#include "core/report/triage_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>

namespace ddp::cli {

using namespace remote;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

Json orNull(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json nanoseconds(const std::optional<std::int64_t>& seconds) {
    return seconds ? Json(*seconds * kNanoseconds) : Json(nullptr);
}

std::string slurmWords(const JobRecord& job) {
    return job.slurmId ? fmt::format("job {}", job.slurmId->number) : "";
}

int exitCodeOf(const JobRecord& job) {
    switch (job.state) {
    case JobState::Judged:
        break;
    case JobState::Failed:
        return app::exitCodeOf(ErrorCode::Failed);
    case JobState::Cancelled:
        return 2;
    default:
        return app::exitCodeOf(ErrorCode::Timeout);
    }
    if (job.request.kind != JobKind::Poc)
        return job.exitCode ? (*job.exitCode == 0 ? 0 : 1) : 2;
    return job.verdict == triage::Verdict::Pass ? 0 : job.verdict == triage::Verdict::Fail ? 1 : 2;
}

} // namespace

Json jobJson(const JobRecord& job) {
    const JobRequest& request = job.request;
    const bool known = job.slurmState != slurm::JobState::Unknown;
    return {
        {"id", job.id},
        {"cluster", job.cluster},
        {"node", orNull(request.node)},
        {"kind", jobKindWord(request.kind)},
        {"hardware", request.hardware},
        {"simulate", request.simulateBug ? "SIMULATE_BUG=1" : records::simulationName(request.simulation)},
        {"loading", loadingModeWord(request.loading)},
        {"ranks", request.ranks},
        {"state", jobStateWord(job.state)},
        {"reason", orNull(job.reason)},
        {"cancel_wanted", job.cancelWanted},
        {"slurm_id", job.slurmId ? Json(job.slurmId->number) : Json(nullptr)},
        {"slurm_state", known ? Json(slurm::jobStateWord(job.slurmState)) : Json(nullptr)},
        {"slurm_reason", orNull(job.slurmReason)},
        {"restarts", job.restarts},
        {"recorded_ns", nanoseconds(job.recorded)},
        {"submitted_ns", nanoseconds(job.submitted)},
        {"started_ns", nanoseconds(job.started)},
        {"ended_ns", nanoseconds(job.ended)},
        {"exit_code", job.exitCode ? Json(*job.exitCode) : Json(nullptr)},
        {"verdict", job.verdict ? Json(report::verdictName(*job.verdict)) : Json(nullptr)},
        {"cause", orNull(job.cause)},
        {"sentence", orNull(job.sentence)},
        {"folder", job.folder},
        {"run_folder", job.state >= JobState::Pulled && job.state <= JobState::Judged
                           ? Json(job.runFolder.string())
                           : Json(nullptr)}};
}

Json jobsJson(const char* verb, const std::vector<JobRecord>& jobs) {
    Json answer = report::envelope(verb);
    answer["rows"] = Json::array();
    for (const JobRecord& job : jobs)
        answer["rows"].push_back(jobJson(job));
    return answer;
}

std::string jobStatus(const JobRecord& job) {
    const std::string node = job.request.node.empty() ? "" : " on " + job.request.node;
    switch (job.state) {
    case JobState::Recorded:
        return "waits for its turn" + std::string(job.cancelWanted ? ", to be cancelled" : "");
    case JobState::Preparing:
    case JobState::Submitting:
        return "is being submitted" + node;
    case JobState::Queued:
        return fmt::format("queued{}{}{}", node, job.slurmReason.empty() ? "" : ": ", job.slurmReason);
    case JobState::Running:
        return fmt::format("running{}{}{}", node, job.reason.empty() ? "" : "; ", job.reason);
    case JobState::Ended:
    case JobState::Pulled:
        return "ended, its files are pulled";
    case JobState::Failed:
        return "could not be submitted: " + job.reason;
    case JobState::Cancelled:
        return "cancelled before it was submitted";
    case JobState::Judged:
        break;
    }
    std::string status;
    if (job.verdict)
        status = fmt::format("{}{}{}", report::verdictName(*job.verdict), job.cause.empty() ? "" : "  ",
                             job.cause);
    else
        status = job.exitCode ? fmt::format("ended with exit code {}", *job.exitCode)
                              : fmt::format("ended: {}", slurm::jobStateWord(job.slurmState));
    return job.reason.empty() ? status : status + "; " + job.reason;
}

std::string jobLine(const JobRecord& job) {
    return fmt::format("{:%H:%M:%S}  {}  {}\n", fmt::localtime(std::time(nullptr)), job.id,
                       report::shown(jobStatus(job)));
}

std::string jobTable(const std::vector<JobRecord>& jobs) {
    std::vector<report::Row> rows{{"recorded", "job", "cluster", "in Slurm", "status"}};
    for (const JobRecord& job : jobs)
        rows.push_back(
            {fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(job.recorded))), job.id,
             job.cluster, slurmWords(job), report::shown(jobStatus(job))});
    return report::table(rows, "lllll");
}

int exitCodeOf(const std::vector<JobRecord>& jobs) {
    // The most telling one: what went wrong in our own work first, then what the jobs found.
    constexpr std::array kOrder{70, 75, 1, 2, 0};
    for (const int code : kOrder)
        if (std::any_of(jobs.begin(), jobs.end(),
                        [&](const JobRecord& job) { return exitCodeOf(job) == code; }))
            return code;
    return 0;
}

} // namespace ddp::cli
