// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <functional>
#include <map>

namespace ddp::remote {

struct TailOptions {
    /// Which files of the folder, by name; empty: all.
    std::function<bool(const std::string& name)> wanted = {};
    std::size_t mostBytes = 1u << 20; ///< in one look, of all files together
};

struct TailText {
    std::string file;       ///< its name in the folder
    std::string text;       ///< valid UTF-8: what is none is replaced by U+FFFD
    bool restarted = false; ///< the file was cut or another one has its name: this is from its beginning
};

/// Follows the files of one folder of a job as they grow. Whole lines are given; a last line without an end
/// comes when it did not grow between two looks or is long, and never in the middle of a character. One
/// listing a look, and one read for each file that grew. Used by the thread that owns the transport.
class LogTail {
public:
    using Offsets = std::map<std::string, std::uint64_t>; ///< bytes given so far, by name

    explicit LogTail(std::filesystem::path folder, TailOptions options = {}, const Offsets& from = {});

    /// What is new, by name; nothing is no error. Files that can not be read are looked at again next time.
    Result<std::vector<TailText>> next(Transport& transport, std::stop_token stop);
    /// The last look left something, because of its limit.
    bool more() const { return m_more; }
    Offsets offsets() const;

private:
    struct File {
        std::uint64_t given = 0;
        std::uint64_t seen = 0; ///< size at the last look
        std::string last;       ///< the last bytes given: another file would have others there
    };
    Result<void> look(Transport& transport, const FolderEntry& entry, std::size_t room, std::stop_token stop,
                      std::vector<TailText>& found);

    std::filesystem::path m_folder;
    TailOptions m_options;
    std::map<std::string, File> m_files;
    std::string m_first; ///< where the next look begins, so that a file that grows fast does not hide others
    bool m_more = false;
};

} // namespace ddp::remote
