// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/pull/pull.h"
#include "remote/pull/pull_state.h"

#include <map>

namespace ddp::remote {

/// Writes what comes of files to their parts, and gives each its name when it is whole. What a file lacks is
/// told in the report; what costs all of them, a full disk, is an error.
class PartWriter final : public FileSink {
public:
    PartWriter(PullState& state, const std::vector<CopyItem>& items, PullReport& report, Progress& progress)
        : m_state(state), m_items(items), m_report(report), m_progress(progress) {}
    ~PartWriter() override;

    /// The rest of a file, as far as it is not here, but not more than `most` bytes.
    FilePart ask(std::size_t index, const std::filesystem::path& from, std::uint64_t most = UINT64_MAX);

    bool begin(std::size_t index) override;
    Result<void> take(std::size_t index, std::string_view bytes) override;
    Result<void> end(std::size_t index, Result<void> how) override;

private:
    struct Part {
        std::filesystem::path file;
        int fd;
        std::uint64_t size;
        std::uint64_t end; ///< of what was asked for
    };
    void failed(std::size_t index, std::string why);

    PullState& m_state;
    const std::vector<CopyItem>& m_items;
    PullReport& m_report;
    Progress& m_progress;
    std::map<std::size_t, std::uint64_t> m_ends;
    std::map<std::size_t, Part> m_open;
};

} // namespace ddp::remote
