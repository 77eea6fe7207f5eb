// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store_file.h"

#include <array>

namespace ddp {

// A store file: header, then whatever was appended, each piece at a multiple of kAlignment, then the
// directory of its sections. The header is written last: without it a file is none.
struct StoreFile::Header {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t byteOrder;
    std::uint64_t size; // of the file
    std::uint64_t keyLow;
    std::uint64_t keyHigh;
    std::uint64_t directory; // offset
    std::uint64_t sections;  // in the directory
    std::uint64_t directoryChecksum;
    std::uint64_t checksum; // of the header up to here

    static constexpr std::array<char, 8> kMagic{'d', 'd', 'p', 's', 'c', 'o', 'p', 'e'};
    static constexpr std::uint32_t kByteOrder = 0x01020304;
};

struct StoreFile::Section {
    std::uint32_t kind;
    std::uint32_t elementBytes;
    std::uint64_t index;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint64_t checksum;
    std::uint32_t use; // SectionUse
    std::uint32_t unused;
};

} // namespace ddp
