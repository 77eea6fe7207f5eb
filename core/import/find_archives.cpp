// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/find_archives.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace ddp {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAnchorExtension = ".otf2";

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// rank-2 before rank-10: runs of digits are compared by value.
bool naturallyLess(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        const auto number = [](std::string_view text, std::size_t& at) {
            while (at < text.size() && text[at] == '0')
                ++at;
            const std::size_t begin = at;
            while (at < text.size() && isDigit(text[at]))
                ++at;
            return text.substr(begin, at - begin);
        };
        const std::string_view left = number(a, i);
        const std::string_view right = number(b, j);
        if (left.size() != right.size())
            return left.size() < right.size();
        if (left != right)
            return left < right;
    }
    return a.size() - i < b.size() - j;
}

class Finder {
public:
    Result<void> add(const fs::path& given) {
        if (given.empty())
            return fail(ErrorCode::Usage, "The path of the trace is empty; name a trace or a run folder.");
        std::error_code error;
        const fs::file_status status = fs::status(given, error);
        if (status.type() == fs::file_type::not_found)
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} does not exist; check the path.", given.string()));
        if (error || !fs::exists(status))
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} can not be reached ({}); check that you may read it.", given.string(),
                                    error.message()));
        if (!fs::is_directory(status))
            return addFile(given, status);
        const std::size_t before = m_found.archives.size();
        const std::size_t issuesBefore = m_found.issues.size();
        const std::size_t knownBefore = m_repeated;
        descend(given, {nameOf(given)});
        if (m_found.archives.size() == before && m_repeated == knownBefore) {
            if (m_found.issues.size() > issuesBefore) // then that is the reason
                return fail(ErrorCode::Unreadable, m_found.issues.back().sentence);
            return fail(
                ErrorCode::Unreadable,
                fmt::format(
                    "{} holds no trace: there is no OTF2 anchor file (*.otf2) in it or below it; name "
                    "the folder that the tracer or ddpscope-worker wrote.",
                    given.string()));
        }
        return {};
    }

    FoundArchives take() { return std::move(m_found); }

private:
    // A trailing slash or a "." has no name of its own.
    static std::string nameOf(const fs::path& folder) {
        std::error_code error;
        const fs::path whole = fs::weakly_canonical(folder, error);
        return (error ? folder : whole).filename().string();
    }

    Result<void> addFile(const fs::path& file, const fs::file_status& status) {
        if (!fs::is_regular_file(status))
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} is neither a file nor a folder; name a trace.", file.string()));
        if (file.extension() != kAnchorExtension)
            return fail(
                ErrorCode::Unreadable,
                fmt::format("{} is no trace that ddpscope can open: name an OTF2 anchor file (*.otf2) or the "
                            "folder of an archive.",
                            file.string()));
        addAnchor(file, {nameOf(fs::absolute(file).parent_path())});
        return {};
    }

    void addAnchor(const fs::path& anchor, std::vector<std::string> folders) {
        std::error_code error;
        const fs::path whole = fs::canonical(anchor, error);
        if (!m_anchors.insert(error ? fs::absolute(anchor) : whole).second) {
            ++m_repeated;
            return;
        }
        std::string name = folders.front();
        m_found.archives.push_back({anchor, std::move(name), std::move(folders)});
    }

    void descend(const fs::path& folder, const std::vector<std::string>& folders) {
        std::error_code error;
        const fs::path whole = fs::canonical(folder, error);
        if (!m_folders.insert(error ? folder : whole).second) {
            ++m_repeated; // seen by another way: a link, or a path that was given twice
            return;
        }
        std::vector<fs::path> anchors;
        std::vector<fs::path> below;
        fs::directory_iterator entry(folder, error);
        if (error) {
            m_found.issues.push_back(
                {"unreadable_folder", IssueSeverity::DataLoss, 1, std::nullopt, std::nullopt,
                 fmt::format("{} can not be looked into ({}); check that you may read it.", folder.string(),
                             error.message())});
            return;
        }
        for (; entry != fs::directory_iterator(); entry.increment(error)) {
            std::error_code unreadable; // of a link that leads nowhere, for instance
            if (entry->is_directory(unreadable))
                below.push_back(entry->path());
            else if (entry->path().extension() == kAnchorExtension)
                anchors.push_back(entry->path());
        }
        const auto byName = [](const fs::path& a, const fs::path& b) {
            return naturallyLess(a.filename().string(), b.filename().string());
        };
        std::sort(anchors.begin(), anchors.end(), byName);
        std::sort(below.begin(), below.end(), byName);
        for (const fs::path& anchor : anchors)
            addAnchor(anchor, folders);
        for (const fs::path& next : below) {
            // The folder of an archive's own files may hold two for each of thousands of locations.
            const bool own = std::any_of(anchors.begin(), anchors.end(), [&](const fs::path& anchor) {
                return anchor.stem() == next.filename();
            });
            if (own)
                continue;
            std::vector<std::string> path{next.filename().string()};
            path.insert(path.end(), folders.begin(), folders.end());
            descend(next, path);
        }
    }

    FoundArchives m_found;
    std::set<fs::path> m_anchors;
    std::set<fs::path> m_folders;
    std::size_t m_repeated = 0;
};

} // namespace

Result<FoundArchives> findArchives(const std::vector<std::filesystem::path>& paths) {
    if (paths.empty())
        return fail(ErrorCode::Usage, "No trace was named; name a trace or a run folder.");
    Finder finder;
    for (const auto& path : paths)
        if (auto added = finder.add(path); !added)
            return forward(added);
    return finder.take();
}

} // namespace ddp
