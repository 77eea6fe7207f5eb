// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/file_container.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>

namespace ddp::fuzz {

namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::uint8_t kSecondRank = 0x80;
constexpr std::uint8_t kNumbers = 3 + 2 * 8; // of one rank: three files, and two for each of eight locations

} // namespace

FileContainer unpack(std::span<const std::uint8_t> input) {
    FileContainer files;
    while (input.size() > kLengthBytes) {
        const std::uint8_t number =
            static_cast<std::uint8_t>((input[0] & kSecondRank) | ((input[0] & ~kSecondRank) % kNumbers));
        std::size_t length = 0;
        for (std::size_t i = kLengthBytes; i > 0; --i)
            length = length << 8 | input[i];
        input = input.subspan(1 + kLengthBytes);
        length = std::min(length, input.size());
        files[number].assign(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(length));
        input = input.subspan(length);
    }
    return files;
}

std::vector<std::uint8_t> pack(const FileContainer& files) {
    std::vector<std::uint8_t> input;
    for (const auto& [number, content] : files) {
        input.push_back(number);
        for (std::size_t i = 0; i < kLengthBytes; ++i)
            input.push_back(static_cast<std::uint8_t>(content.size() >> 8 * i));
        input.insert(input.end(), content.begin(), content.end());
    }
    return input;
}

std::filesystem::path pathOf(std::uint8_t number) {
    const std::filesystem::path rank = number & kSecondRank ? "scorep-rank-1" : "scorep-rank-0";
    const unsigned file = number & ~kSecondRank;
    constexpr const char* kOfTheArchive[] = {"traces.otf2", "traces.def", "scorep.cfg"};
    if (file < std::size(kOfTheArchive))
        return rank / kOfTheArchive[file];
    const std::uint64_t location = std::uint64_t{(file - 3) / 2} << 32;
    return rank / "traces" / (std::to_string(location) + (file % 2 ? ".def" : ".evt"));
}

FileContainer collect(const std::filesystem::path& folder) {
    FileContainer files;
    for (const unsigned rank : {0u, unsigned{kSecondRank}}) {
        for (unsigned file = 0; file < kNumbers; ++file) {
            const auto number = static_cast<std::uint8_t>(rank | file);
            std::ifstream stream(folder / pathOf(number), std::ios::binary);
            if (stream)
                files[number].assign(std::istreambuf_iterator<char>(stream), {});
        }
    }
    return files;
}

RunFolder::RunFolder() {
    std::error_code none;
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "ddpscope-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error("no folder in " + parent.string());
    m_path = name;
    for (const char* rank : {"scorep-rank-0/traces", "scorep-rank-1/traces"})
        std::filesystem::create_directories(m_path / rank);
}

RunFolder::~RunFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

void RunFolder::fill(const FileContainer& files) {
    for (const auto& [number, content] : m_present)
        if (!files.contains(number))
            std::filesystem::remove(m_path / pathOf(number));
    for (const auto& [number, content] : files) {
        const auto present = m_present.find(number);
        if (present == m_present.end() || present->second != content)
            std::ofstream(m_path / pathOf(number), std::ios::binary) << content;
    }
    m_present = files;
}

} // namespace ddp::fuzz
