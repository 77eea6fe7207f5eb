// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/run.h"

#include "core/records/line_reader.h"
#include "core/triage/log_text.h"
#include "core/triage/run_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace ddp::triage {

namespace {

// A script writes a few bytes there; a file that is larger was not written by it.
constexpr std::size_t kLongestSmallFile = std::size_t{1} << 20;

std::string readSmallFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kLongestSmallFile, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text;
}

void readExitCode(const NamedFile& file, Run& run) {
    const std::string text = records::repairedUtf8(readSmallFile(file.path));
    std::string_view rest = trimmed(std::string_view(text).substr(0, text.find('\n')));
    run.exitEvidence = {file.shown, 1, records::shortened(rest, 400)};
    const auto code = takeNumber(rest);
    if (code && rest.empty())
        run.exitCode = code;
}

void readDescription(const NamedFile& file, Run& run) {
    const auto described = nlohmann::json::parse(readSmallFile(file.path), nullptr, false);
    if (!described.is_object())
        return;
    const auto text = [&](const char* key) {
        const auto at = described.find(key);
        return at != described.end() && at->is_string() ? records::repairedUtf8(at->get<std::string>())
                                                        : std::string();
    };
    if (const auto node = text("node"); !node.empty())
        run.plannedNode = node;
    if (const auto simulate = text("simulate"); !simulate.empty() && simulate != "none")
        run.simulate = simulate;
    const auto ranks = described.find("ranks");
    if (!run.expected && ranks != described.end() && ranks->is_number_integer() && *ranks > 0 &&
        *ranks < 10'000'000)
        run.expected = ranks->get<int>();
}

// A rank that was ended before its first record left an empty file: it has no records, which is an answer.
bool isEmpty(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return !error && size == 0;
}

Result<void> addRecords(const RunFiles::Records& from, Run& run) {
    RankRun rank;
    rank.shown = from.file.shown;
    if (!isEmpty(from.file.path)) {
        auto read = records::readRecords(from.file.path);
        if (!read)
            return forward(read);
        if (read->rank)
            rank.records = std::move(*read);
    }
    const auto number = rank.records ? rank.records->rank : from.rank;
    if (!number)
        return {}; // nothing readable, and no folder that says whose it is
    rank.rank = *number;
    const auto same =
        std::find_if(run.ranks.begin(), run.ranks.end(), [&](const RankRun& r) { return r.rank == *number; });
    if (same == run.ranks.end()) {
        run.ranks.push_back(std::move(rank));
    } else if (!same->records) {
        *same = std::move(rank);
    } else if (rank.records) {
        return fail(ErrorCode::Usage,
                    fmt::format("{} and {} are both records of rank {}: judge one run at a time.",
                                same->records->file.string(), from.file.path.string(), *number));
    }
    return {};
}

std::optional<int> worldSizeOf(const Run& run) {
    int size = 0;
    for (const RankRun& rank : run.ranks) {
        if (rank.records && rank.records->start)
            size = std::max(size, rank.records->start->value.worldSize);
    }
    return size > 0 ? std::optional(size) : std::nullopt;
}

void settleFacts(const Options& options, Run& run) {
    std::sort(run.ranks.begin(), run.ranks.end(),
              [](const RankRun& a, const RankRun& b) { return a.rank < b.rank; });
    // The ranks themselves know best how many they were; then the launcher, then the logs.
    if (const auto size = worldSizeOf(run))
        run.expected = size;
    else if (!run.expected)
        run.expected = run.logs.worldSize;
    if (options.ranksExpected)
        run.expected = options.ranksExpected;

    for (const RankRun& rank : run.ranks) {
        if (!rank.records || !rank.records->start)
            continue;
        const std::string& simulate = rank.records->start->value.simulate;
        if (!simulate.empty() && simulate != "none")
            run.simulate = simulate;
    }
    for (const auto& [rank, seen] : run.logs.ranks) {
        if (seen.simulated && run.simulate.empty())
            run.simulate = "simulate_bug";
    }
}

} // namespace

bool Run::hasRecords() const {
    return std::any_of(ranks.begin(), ranks.end(), [](const RankRun& r) { return r.records.has_value(); });
}

bool Run::hardware() const {
    return std::any_of(ranks.begin(), ranks.end(), [](const RankRun& r) {
        return r.records && r.records->start && r.records->start->value.mode == "hardware";
    });
}

const RankRun* Run::find(int rank) const {
    const auto at =
        std::find_if(ranks.begin(), ranks.end(), [&](const RankRun& r) { return r.rank == rank; });
    return at == ranks.end() ? nullptr : &*at;
}

const records::RankRecords* Run::recordsOf(int rank) const {
    const RankRun* found = find(rank);
    return found && found->records ? &*found->records : nullptr;
}

std::vector<int> Run::missingRanks() const {
    std::vector<int> missing;
    constexpr std::size_t kNamed = 1000; // the number of ranks is only a claim
    for (int rank = 0; rank < expected.value_or(0) && missing.size() < kNamed; ++rank) {
        if (!recordsOf(rank))
            missing.push_back(rank);
    }
    for (const RankRun& rank : ranks) {
        if (!rank.records && rank.rank >= expected.value_or(0))
            missing.push_back(rank.rank);
    }
    return missing;
}

std::optional<std::string> Run::hostOf(int rank) const {
    if (const auto* records = recordsOf(rank);
        records && records->start && !records->start->value.host.empty())
        return records->start->value.host;
    const auto seen = logs.ranks.find(rank);
    return seen == logs.ranks.end() ? std::nullopt : seen->second.host;
}

std::vector<std::string> Run::hosts() const {
    std::vector<std::string> found;
    const auto add = [&](const std::optional<std::string>& host) {
        if (host && std::find(found.begin(), found.end(), *host) == found.end())
            found.push_back(*host);
    };
    for (const RankRun& rank : ranks)
        add(hostOf(rank.rank));
    for (const auto& [rank, seen] : logs.ranks)
        add(seen.host);
    return found;
}

Result<Run> loadRun(const std::vector<std::filesystem::path>& paths, const Options& options,
                    std::stop_token stop) {
    const auto files = findRunFiles(paths);
    if (!files)
        return tl::unexpected<Error>(files.error());
    Run run;
    run.launched = files->launched;
    if (files->exitCode)
        readExitCode(*files->exitCode, run);
    if (files->description)
        readDescription(*files->description, run);
    for (const auto& records : files->records) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "The triage was stopped.");
        if (auto added = addRecords(records, run); !added)
            return forward(added);
    }
    for (const int rank : files->rankFolders) {
        if (!run.find(rank))
            run.ranks.push_back({rank, {}, {}});
    }
    std::uint32_t order = 0;
    for (const LogFile& log : files->logs) {
        if (auto scanned = scanLog(log, order++, RuleSet::builtin(), run.logs, stop); !scanned)
            return forward(scanned);
    }
    settleFacts(options, run);
    return run;
}

} // namespace ddp::triage
