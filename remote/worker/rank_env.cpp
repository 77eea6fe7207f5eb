// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/rank_env.h"

#include <charconv>
#include <climits>
#include <cstring>

namespace ddp::worker {

namespace {

constexpr const char* kNotStarted =
    "this process was started neither by torchrun (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) nor by srun "
    "(SLURM_PROCID, SLURM_NTASKS); use --spawn 2 to start two ranks on this machine";

std::optional<long long> number(const char* text, long long low, long long high) {
    if (text == nullptr)
        return std::nullopt;
    long long value = 0;
    const char* end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc{} || stop != end || value < low || value > high)
        return std::nullopt;
    return value;
}

/// Reads numbers and remembers the first sentence about one that is missing or wrong.
class Reader {
public:
    explicit Reader(const Environment& environment) : m_environment(environment) {}

    const char* text(const char* name) const { return m_environment(name); }
    std::string textOr(const char* name, const char* fallback) const {
        const char* value = m_environment(name);
        return value != nullptr && *value != '\0' ? value : fallback;
    }
    int number(const char* name, int low, int high) {
        const char* value = m_environment(name);
        if (const auto parsed = worker::number(value, low, high))
            return static_cast<int>(*parsed);
        if (m_problem.empty())
            m_problem = value == nullptr
                            ? std::string(name) +
                                  " is not set in the environment; start every rank by torchrun or srun"
                            : std::string(name) + "=" + value + " in the environment is not a number from " +
                                  std::to_string(low) + " to " + std::to_string(high);
        return low;
    }
    const std::string& problem() const { return m_problem; }

private:
    const Environment& m_environment;
    std::string m_problem;
};

PlaceFound checked(RankPlace place, const Reader& reader) {
    if (!reader.problem().empty())
        return {std::nullopt, reader.problem()};
    if (place.worldSize < 2)
        return {std::nullopt,
                "the world size is 1, and one rank has no peer whose collectives could be checked; start "
                "at least two (--spawn 2, torchrun --nproc-per-node=2, or srun --ntasks=2)"};
    if (place.rank >= place.worldSize)
        return {std::nullopt, "rank " + std::to_string(place.rank) + " does not exist in a world of " +
                                  std::to_string(place.worldSize) + "; RANK or SLURM_PROCID is wrong"};
    return {std::move(place), {}};
}

PlaceFound fromTorchrun(Reader& reader) {
    RankPlace place;
    place.launcher = "torchrun";
    place.rank = reader.number("RANK", 0, INT_MAX);
    place.worldSize = reader.number("WORLD_SIZE", 1, INT_MAX);
    place.localRank = reader.text("LOCAL_RANK") ? reader.number("LOCAL_RANK", 0, INT_MAX) : place.rank;
    place.storePort = reader.number("MASTER_PORT", 1, 65535);
    place.storeHost = reader.textOr("MASTER_ADDR", "");
    if (place.storeHost.empty() && reader.problem().empty())
        return {std::nullopt, "MASTER_ADDR is not set in the environment; set it to the host of rank 0"};
    const auto local = number(reader.text("LOCAL_WORLD_SIZE"), 1, INT_MAX);
    place.oneMachine =
        local ? *local == place.worldSize : place.storeHost == "127.0.0.1" || place.storeHost == "localhost";
    // torchrun's agent already serves the store at MASTER_PORT; a second server there would fail to bind.
    place.hostsStore = place.rank == 0 && reader.textOr("TORCHELASTIC_USE_AGENT_STORE", "False") != "True";
    place.storePrefix = "ddpscope/attempt_" + reader.textOr("TORCHELASTIC_RESTART_COUNT", "0");
    return checked(std::move(place), reader);
}

PlaceFound fromSrun(Reader& reader) {
    RankPlace place;
    place.launcher = "srun";
    place.rank = reader.number("SLURM_PROCID", 0, INT_MAX);
    // The step's own numbers win: SLURM_NTASKS is that of the allocation where a step is smaller than it.
    place.worldSize = reader.number(
        reader.text("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS", 1, INT_MAX);
    place.localRank = reader.number("SLURM_LOCALID", 0, INT_MAX);
    const std::string nodeList =
        reader.textOr("SLURM_STEP_NODELIST", reader.textOr("SLURM_NODELIST", "").c_str());
    const std::string nodeCount =
        reader.textOr("SLURM_STEP_NUM_NODES", reader.textOr("SLURM_NNODES", "1").c_str());
    place.oneMachine = nodeCount == "1";
    // A batch script that sets these two knows better: node names need not resolve, and a port may be in use.
    place.storeHost =
        reader.textOr("MASTER_ADDR", (place.oneMachine ? "127.0.0.1" : firstHost(nodeList)).c_str());
    if (place.storeHost.empty() && reader.problem().empty())
        return {std::nullopt,
                "the step has " + nodeCount +
                    " nodes, but SLURM_STEP_NODELIST names none, so the host of rank 0 is unknown; start "
                    "the ranks by srun inside the allocation"};
    const auto job = number(reader.text("SLURM_JOB_ID"), 0, LLONG_MAX);
    const auto step = number(reader.text("SLURM_STEP_ID"), 0, LLONG_MAX);
    place.storePort = reader.text("MASTER_PORT") ? reader.number("MASTER_PORT", 1, 65535)
                                                 : portOfStep(job.value_or(0), step.value_or(0));
    place.hostsStore = place.rank == 0;
    place.storePrefix = "ddpscope/step_" + std::to_string(job.value_or(0)) + "." +
                        std::to_string(step.value_or(0)) + "." + reader.textOr("SLURM_RESTART_COUNT", "0");
    return checked(std::move(place), reader);
}

PlaceFound fromParent(const char* text) {
    RankPlace place;
    place.launcher = "spawn";
    const std::string all = text;
    const auto first = all.find('/');
    const auto second = all.find('/', first + 1);
    const auto part = [&](std::size_t from, std::size_t to) {
        return number(all.substr(from, to - from).c_str(), 0, INT_MAX);
    };
    if (first == std::string::npos || second == std::string::npos)
        return {std::nullopt, std::string(kSpawnVariable) + " is set by --spawn only; unset it"};
    const auto rank = part(0, first);
    const auto worldSize = part(first + 1, second);
    const auto socket = part(second + 1, all.size());
    if (!rank || !worldSize || !socket)
        return {std::nullopt, std::string(kSpawnVariable) + " is set by --spawn only; unset it"};
    place.rank = place.localRank = static_cast<int>(*rank);
    place.worldSize = static_cast<int>(*worldSize);
    place.parentSocket = static_cast<int>(*socket);
    place.oneMachine = true;
    place.storeHost = "127.0.0.1";
    place.hostsStore = place.rank == 0;
    place.storePrefix = "ddpscope/spawn";
    return {std::move(place), {}};
}

} // namespace

std::string firstHost(const std::string& nodeList) {
    std::string host;
    for (std::size_t i = 0; i < nodeList.size() && nodeList[i] != ','; ++i) {
        if (nodeList[i] != '[') {
            host += nodeList[i];
            continue;
        }
        const auto close = nodeList.find(']', i);
        const auto firstEnd = nodeList.find_first_of(",-]", i + 1);
        if (close == std::string::npos || firstEnd == std::string::npos)
            return {};
        host += nodeList.substr(i + 1, firstEnd - i - 1);
        i = close;
    }
    return host;
}

int portOfStep(long long jobId, long long stepId) {
    constexpr unsigned long long kLowest = 15'000;
    constexpr unsigned long long kCount = 14'000;
    const auto mixed =
        static_cast<unsigned long long>(jobId) * 101 + static_cast<unsigned long long>(stepId) * 7;
    return static_cast<int>(kLowest + mixed % kCount);
}

PlaceFound placeFromEnvironment(const Environment& environment) {
    Reader reader(environment);
    if (const char* text = reader.text(kSpawnVariable))
        return fromParent(text);
    if (reader.text("RANK") != nullptr || reader.text("WORLD_SIZE") != nullptr)
        return fromTorchrun(reader);
    if (reader.text("SLURM_PROCID") != nullptr)
        return fromSrun(reader);
    return {std::nullopt, kNotStarted};
}

} // namespace ddp::worker
