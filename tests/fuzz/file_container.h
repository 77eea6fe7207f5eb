// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ddp::fuzz {

/// The files of a run as one input: for each file its number (a byte), its length (four bytes, little
/// endian) and its bytes. Every byte string is one: a length that goes too far takes what is left, and the
/// last of several files with one number counts.
using FileContainer = std::map<std::uint8_t, std::string>;

FileContainer unpack(std::span<const std::uint8_t> input);
std::vector<std::uint8_t> pack(const FileContainer& files);

/// Where the file of that number lies below the folder of a run of two ranks: anchor, definitions,
/// scorep.cfg, then definitions and events of the locations 0, 2^32, … as Score-P numbers them.
std::filesystem::path pathOf(std::uint8_t number);

/// The container of what lies below `folder` under the names of pathOf().
FileContainer collect(const std::filesystem::path& folder);

/// A folder in memory that holds the files of one input at a time.
class RunFolder {
public:
    RunFolder();
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// Makes the folder hold these files and no others.
    void fill(const FileContainer& files);
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    FileContainer m_present;
};

} // namespace ddp::fuzz
