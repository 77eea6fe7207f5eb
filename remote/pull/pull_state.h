// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <string>
#include <unordered_map>

namespace ddp::remote {

/// What is known of a pulled folder, kept beside it in .NAME.pull: a line for every file that is here,
/// written when it got its name, and the parts of files that are not whole yet. Locked against a second pull
/// into the same folder while it lives.
class PullState {
public:
    /// Makes the folders. `source` tells one far folder from another; what is known of another one is
    /// dropped.
    static Result<PullState> open(const std::filesystem::path& to, const std::string& source);
    ~PullState();
    PullState(PullState&& other) noexcept;
    PullState& operator=(PullState&&) = delete;

    /// The same size and time as when it was pulled, and not touched here since.
    bool upToDate(const CopyItem& item) const;

    /// Where the file grows. Its name holds path, size and time: the bytes in it belong to this very file.
    std::filesystem::path partFile(const CopyItem& item) const;
    std::uint64_t partSize(const CopyItem& item) const;
    /// Gives a whole file its name and remembers it.
    Result<void> adopt(const std::filesystem::path& whole, const CopyItem& item);

    /// The next pull takes it anew.
    void forget(const CopyItem& item);

    /// For what is unpacked; empty.
    Result<std::filesystem::path> staging() const;

    /// Everything that was wanted is here: no part is needed any more.
    void dropParts() const;
    /// Brings the files to the disk, then what is known of them.
    Result<void> sync();

private:
    struct Known {
        std::uint64_t size;
        std::int64_t modified;
        std::int64_t ours; ///< time of the file on this machine, ns
    };
    explicit PullState(std::filesystem::path to);
    Result<void> lock();
    void read(const std::string& source);
    Result<void> startJournal(const std::string& source);

    std::filesystem::path m_to;
    std::filesystem::path m_folder;
    std::string m_source;
    std::unordered_map<std::string, Known> m_known;
    int m_lock = -1;
    int m_journal = -1;
};

} // namespace ddp::remote
