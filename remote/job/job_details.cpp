// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_details.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ddp::remote {

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json orNull(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

template <class Value>
std::optional<Value> maybe(const Json& json, const char* key) {
    const auto at = json.find(key);
    return at == json.end() || at->is_null() ? std::nullopt : std::optional(at->get<Value>());
}

Json requestJson(const JobRequest& request) {
    return {{"kind", jobKindWord(request.kind)},
            {"hardware", request.hardware},
            {"simulate", records::simulationName(request.simulation)},
            {"simulate_bug", request.simulateBug},
            {"ranks", request.ranks},
            {"loading", loadingModeWord(request.loading)},
            {"time_limit_s", request.timeLimit.count()},
            {"stage_deadline_s", request.stageDeadline.count()},
            {"command", request.command}};
}

bool readRequest(const Json& json, JobRequest& request) {
    const auto kind = parseJobKind(json.at("kind").get<std::string>());
    const auto loading = parseLoadingMode(json.at("loading").get<std::string>());
    const auto simulate = json.at("simulate").get<std::string>();
    const auto simulation =
        std::find_if(std::begin(records::kSimulations), std::end(records::kSimulations),
                     [&](Simulation s) { return simulate == records::simulationName(s); });
    if (!kind || !loading || simulation == std::end(records::kSimulations))
        return false;
    request.kind = *kind;
    request.loading = *loading;
    request.simulation = *simulation;
    request.hardware = json.at("hardware").get<bool>();
    request.simulateBug = json.at("simulate_bug").get<bool>();
    request.ranks = json.at("ranks").get<int>();
    request.timeLimit = std::chrono::seconds(json.at("time_limit_s").get<std::int64_t>());
    request.stageDeadline = std::chrono::seconds(json.at("stage_deadline_s").get<std::int64_t>());
    request.command = json.at("command").get<std::vector<std::string>>();
    return true;
}

Json slurmJson(const JobRecord& job) {
    Json json{{"state", slurm::jobStateWord(job.slurmState)},
              {"reason", job.slurmReason},
              {"restarts", job.restarts},
              {"submitted", orNull(job.submitted)},
              {"started", orNull(job.started)},
              {"ended", orNull(job.ended)}};
    if (job.slurmId)
        json.update({{"number", job.slurmId->number}, {"cluster", job.slurmId->cluster}});
    if (job.slurmExit)
        json.update({{"exit_code", job.slurmExit->code}, {"exit_signal", job.slurmExit->signal}});
    return json;
}

void readSlurm(const Json& json, JobRecord& job) {
    job.slurmState = slurm::parseJobState(json.at("state").get<std::string>());
    job.slurmReason = json.at("reason").get<std::string>();
    job.restarts = json.at("restarts").get<int>();
    job.submitted = maybe<std::int64_t>(json, "submitted");
    job.started = maybe<std::int64_t>(json, "started");
    job.ended = maybe<std::int64_t>(json, "ended");
    if (const auto number = maybe<std::uint64_t>(json, "number"))
        job.slurmId = slurm::JobId{*number, json.at("cluster").get<std::string>()};
    if (const auto code = maybe<int>(json, "exit_code"))
        job.slurmExit = slurm::ExitCode{*code, json.at("exit_signal").get<int>()};
}

} // namespace

std::string jobDetails(const JobRecord& job) {
    const Json json{{"request", requestJson(job.request)},
                    {"slurm", slurmJson(job)},
                    {"nonce", job.nonce},
                    {"folder", job.folder},
                    {"run_folder", job.runFolder.string()},
                    {"exit_code", orNull(job.exitCode)},
                    {"reason", job.reason},
                    {"cause", job.cause},
                    {"sentence", job.sentence},
                    {"attempted", orNull(job.attempted)},
                    {"missing_since", orNull(job.missingSince)},
                    {"asked_to_end", orNull(job.askedToEnd)},
                    {"cancelled", orNull(job.cancelled)}};
    // Names and reasons come from a cluster and may hold any bytes.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> readJobDetails(std::string_view details, JobRecord& job) {
    try {
        const Json json = Json::parse(details);
        if (!readRequest(json.at("request"), job.request))
            return fail(ErrorCode::Unreadable, "it has a word of a newer ddpscope: use that one.");
        readSlurm(json.at("slurm"), job);
        job.nonce = json.at("nonce").get<std::string>();
        job.folder = json.at("folder").get<std::string>();
        job.runFolder = json.at("run_folder").get<std::string>();
        job.exitCode = maybe<int>(json, "exit_code");
        job.reason = json.at("reason").get<std::string>();
        job.cause = json.at("cause").get<std::string>();
        job.sentence = json.at("sentence").get<std::string>();
        job.attempted = maybe<std::int64_t>(json, "attempted");
        job.missingSince = maybe<std::int64_t>(json, "missing_since");
        job.askedToEnd = maybe<std::int64_t>(json, "asked_to_end");
        job.cancelled = maybe<std::int64_t>(json, "cancelled");
        return {};
    } catch (const nlohmann::json::exception& exception) {
        return fail(ErrorCode::Unreadable, std::string("its entry is damaged (") + exception.what() + ").");
    }
}

} // namespace ddp::remote
