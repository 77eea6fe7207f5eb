// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddp::report {

/// An OTF2 archive (anchor NAME.otf2, NAME.def, folder NAME) that comes to be only when all of it was
/// written: until commit() it lies in a hidden folder beside, which goes away with the object.
class OutputArchive {
public:
    /// Fails when a part of it exists (unless it is to be replaced) or when it can not be made. Replaced is
    /// only what is an archive: never a folder that holds other files, or that no anchor belongs to.
    static Result<OutputArchive> create(const std::filesystem::path& anchor, bool replace);
    OutputArchive(OutputArchive&& other) noexcept;
    OutputArchive& operator=(OutputArchive&&) = delete;
    ~OutputArchive();

    /// Where the archive is to be written, under the name stem().
    std::filesystem::path folder() const { return m_folder / "new"; }
    std::string stem() const { return m_anchor.stem().string(); }
    const std::filesystem::path& anchor() const { return m_anchor; }
    /// 0 when so many bytes are free for it just now, else an errno.
    int reserve(std::uint64_t bytes) const;
    Result<void> commit();

private:
    OutputArchive(std::filesystem::path anchor, std::filesystem::path folder, bool replace);
    std::array<std::filesystem::path, 3> parts() const; // names, the anchor last
    std::filesystem::path placeOf(const std::filesystem::path& part) const;
    Result<void> moveAway();
    Result<void> moveIn();
    void putBack();

    std::filesystem::path m_anchor;
    std::filesystem::path m_folder; // holds "new" and what it replaces, "old"; empty: moved from
    bool m_replace = false;
};

} // namespace ddp::report
