// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/pull/pull.h"
#include "remote/pull/pull_state.h"

#include <chrono>
#include <optional>

namespace ddp::remote {

/// Brings files here by the quickest way. Many small ones come as one archive by tar, where the other side
/// has one, since each of them would cost round trips; large ones by SFTP; all of it compressed by zstd when
/// that was asked for or the link was measured to be slow. What a way does not bring comes by the plain one.
class Transfer {
public:
    Transfer(Transport& transport, std::filesystem::path from, PullState& state, PullReport& report,
             Progress& progress, Compression compression, std::stop_token stop);

    /// An error costs all of the files; what one of them lacks is in the report.
    Result<void> run(const std::vector<CopyItem>& files);

private:
    using Items = std::vector<CopyItem>;

    std::chrono::steady_clock::duration oneByOne(const Items& files) const;
    /// Gives what did not come.
    Result<Items> archive(const Items& files);
    Command archiveCommand(const Items& files) const;
    Result<void> addChanged(const Items& files, Items& missing);
    Result<void> rest(Items files);
    Result<void> measure(Items& files);
    /// False: the other side has no zstd.
    Result<bool> compressed(const CopyItem& file);
    Result<void> fetch(const Items& files, std::uint64_t most = UINT64_MAX);
    bool compress() const;
    void measured(std::uint64_t bytes, std::chrono::steady_clock::duration time);

    Transport& m_transport;
    std::filesystem::path m_from;
    PullState& m_state;
    PullReport& m_report;
    Progress& m_progress;
    Compression m_compression;
    std::stop_token m_stop;
    bool m_hasZstd = true;        ///< until it is known that not
    std::optional<double> m_rate; ///< bytes a second, as measured
};

} // namespace ddp::remote
