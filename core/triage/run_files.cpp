// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/run_files.h"

#include "core/records/line_reader.h"
#include "core/records/worker_records.h"
#include "core/triage/log_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

namespace ddp::triage {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000; // of one folder: beyond it, it is no run folder

std::optional<int> rankOfFolder(const fs::path& folder) {
    const std::string name = folder.filename().string();
    std::string_view rest = name;
    const std::string_view prefix = records::kRankFolderPrefix;
    if (!rest.starts_with(prefix))
        return {};
    rest.remove_prefix(prefix.size());
    const auto rank = takeNumber(rest);
    return rest.empty() ? rank : std::nullopt;
}

// Files of a run that hold no lines for people: traces, records, what our own launcher wrote for itself.
bool isNoLog(const fs::path& file) {
    constexpr std::array kKinds = {".otf2",  ".def",  ".evt", ".marker", ".snap", ".json",
                                   ".jsonl", ".gz",   ".zst", ".sqlite", ".db",   ".nsys-rep",
                                   ".sh",    ".py",   ".pt",  ".so",     ".bin",  ".png",
                                   ".svg",   ".html", ".pdf", ".exit",   ".zip",  ".tar"};
    const std::string name = file.filename().string();
    const std::string kind = file.extension().string();
    return name.starts_with('.') || name.starts_with("core.") ||
           std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

// What a file is when it is no text: a copy of the worker in the run folder holds the text of every message.
const char* foreignKind(const fs::path& file) {
    std::array<char, 4> begin{};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    const std::string_view magic(begin.data(), begin.size());
    if (magic == "\x7f"
                 "ELF")
        return "a program";
    if (magic.starts_with("\x1f\x8b") || magic.starts_with("PK\x03\x04") || magic == "\x28\xb5\x2f\xfd")
        return "a compressed file (unpack it first)";
    return nullptr;
}

Result<std::vector<fs::directory_entry>> entriesOf(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    fs::directory_iterator at(folder, error);
    while (!error && at != fs::directory_iterator() && entries.size() < kMostFiles) {
        entries.push_back(*at);
        at.increment(error);
    }
    if (error)
        return fail(ErrorCode::Unreadable,
                    fmt::format("The folder {} can not be read ({}): check its permissions.", folder.string(),
                                error.message()));
    std::sort(entries.begin(), entries.end());
    return entries;
}

class Finder {
public:
    explicit Finder(RunFiles& files) : m_files(files) {}

    Result<void> path(const fs::path& path) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            if (auto readable = records::checkReadable(path); !readable)
                return readable;
            if (const char* kind = foreignKind(path))
                return fail(
                    ErrorCode::Unreadable,
                    fmt::format("{} is {}, not a log: name a log or a run folder.", path.string(), kind));
            file(path, path.string(), rankOfFolder(path.parent_path()), true);
            return {};
        }
        // A path like "run/" has an empty file name, which would hide the rank of "rank-0/".
        const fs::path folder = path.has_filename() ? path : path.parent_path();
        if (const auto rank = rankOfFolder(folder)) {
            m_files.rankFolders.push_back(*rank);
            return rankFolder(folder, folder.filename().string() + "/", *rank);
        }
        return runFolder(folder);
    }

private:
    Result<void> runFolder(const fs::path& folder) {
        auto entries = entriesOf(folder);
        if (!entries)
            return forward(entries);
        std::vector<std::string> runs;
        for (const auto& entry : *entries) {
            std::error_code ignored;
            if (!entry.is_directory(ignored)) {
                file(entry.path(), entry.path().filename().string(), {}, false);
                continue;
            }
            if (const auto rank = rankOfFolder(entry.path())) {
                m_files.rankFolders.push_back(*rank);
                auto done = rankFolder(entry.path(), entry.path().filename().string() + "/", *rank);
                if (!done)
                    return done;
            } else if (holdsRun(entry.path())) {
                runs.push_back(entry.path().filename().string());
            } else if (!entry.path().filename().string().starts_with("scorep-")) {
                auto done = rankFolder(entry.path(), entry.path().filename().string() + "/", {});
                if (!done)
                    return done;
            }
        }
        if (!runs.empty())
            return fail(ErrorCode::Usage,
                        fmt::format("{} holds {} runs ({}{}): name one of them.", folder.string(),
                                    runs.size(), runs.front(), runs.size() > 1 ? ", …" : ""));
        return {};
    }

    static bool holdsRun(const fs::path& folder) {
        std::error_code ignored;
        return fs::exists(folder / "run.json", ignored) || fs::is_directory(folder / "rank-0", ignored) ||
               fs::exists(folder / "job.exit", ignored);
    }

    Result<void> rankFolder(const fs::path& folder, const std::string& shown, std::optional<int> rank) {
        auto entries = entriesOf(folder);
        if (!entries)
            return forward(entries);
        for (const auto& entry : *entries) {
            std::error_code ignored;
            if (!entry.is_directory(ignored))
                file(entry.path(), shown + entry.path().filename().string(), rank, false);
        }
        return {};
    }

    void file(const fs::path& path, std::string shown, std::optional<int> rank, bool named) {
        const std::string name = path.filename().string();
        std::error_code ignored;
        if (!named && !fs::is_regular_file(path, ignored))
            return;
        if (path.extension() == ".jsonl") {
            m_files.records.push_back({{path, std::move(shown)}, rank});
        } else if (name == "job.exit" || name == "run.json") {
            m_files.launched = true;
            auto& place = name == "job.exit" ? m_files.exitCode : m_files.description;
            if (!place)
                place = NamedFile{path, std::move(shown)};
        } else if (named || (!isNoLog(path) && !foreignKind(path))) {
            m_files.launched = m_files.launched || name == "job.out" || name == "job.err";
            m_files.logs.push_back({path, std::move(shown), rank});
        }
    }

    RunFiles& m_files;
};

bool isEmptyFile(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    return !error && size == 0;
}

} // namespace

Result<RunFiles> findRunFiles(const std::vector<std::filesystem::path>& paths) {
    if (paths.empty())
        return fail(ErrorCode::Usage, "Nothing to judge: name a run folder or log files.");
    RunFiles files;
    Finder finder(files);
    for (const auto& path : paths) {
        if (auto found = finder.path(path); !found)
            return forward(found);
    }
    std::stable_sort(files.logs.begin(), files.logs.end(), [](const LogFile& a, const LogFile& b) {
        constexpr int kAfterAllRanks = 1'000'000'000;
        return a.rank.value_or(kAfterAllRanks) < b.rank.value_or(kAfterAllRanks);
    });
    const bool nothing = std::all_of(files.logs.begin(), files.logs.end(),
                                     [](const auto& log) { return isEmptyFile(log.path); }) &&
                         std::all_of(files.records.begin(), files.records.end(),
                                     [](const auto& r) { return isEmptyFile(r.file.path); });
    if (nothing && !files.launched && files.rankFolders.empty()) {
        std::error_code ignored;
        const bool folder = fs::is_directory(paths.front(), ignored);
        return fail(
            ErrorCode::Unreadable,
            folder ? fmt::format("{} holds no log and no records of ddpscope-worker: name a run folder (with "
                                 "rank-0/ in it), a folder of logs, or log files.",
                                 paths.front().string())
                   : fmt::format("{} is empty: there is nothing to judge.", paths.front().string()));
    }
    return files;
}

} // namespace ddp::triage
