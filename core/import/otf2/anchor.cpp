// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/anchor.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ddp::otf2 {

namespace {

constexpr std::string_view kMagic("OTF2\0", 5);
constexpr unsigned char kChunkHeader = 3;
constexpr unsigned char kLittleEndian = 0x42;
constexpr unsigned char kBigEndian = 0x23;
constexpr std::uint64_t kEndOfFile = 2;
constexpr std::uint64_t kKnownFormat = 3;   // behind a later one there may be more fields
constexpr std::uint64_t kPlainFiles = 1;    // OTF2_SUBSTRATE_POSIX
constexpr std::uint64_t kNoCompression = 1; // the only one since OTF2 3.0

// An anchor is a few hundred bytes; properties could make it longer, but not this long.
constexpr std::size_t kMostBytes = 16 << 20;

// What libotf2 lets a writer choose is 256 KiB to 16 MiB; room is left for later versions.
constexpr std::uint64_t kLargestChunk = 256 << 20;

// Every location has an entry of some bytes in the definitions and two files; more than this is damage.
constexpr std::uint64_t kMostLocations = 1ull << 32;

// Reads the fields of an anchor in their order; once one lies beyond the end, `intact` stays false.
class Fields {
public:
    explicit Fields(std::string_view bytes) : m_rest(bytes) {}

    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::size_t at = m_bigEndian ? i : bytes.size() - 1 - i;
            value = value << 8 | static_cast<unsigned char>(bytes[at]);
        }
        return value;
    }
    std::string_view text() {
        const auto end = m_rest.find('\0');
        return take(end == std::string_view::npos ? m_rest.size() + 1 : end + 1);
    }
    std::string_view take(std::size_t size) {
        if (size > m_rest.size()) {
            intact = false;
            m_rest = {};
            return {};
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }
    void setBigEndian(bool bigEndian) { m_bigEndian = bigEndian; }

    bool intact = true;

private:
    std::string_view m_rest;
    bool m_bigEndian = false;
};

// What is wrong with the bytes of an anchor, as the end of a sentence; nothing when they are good.
std::optional<const char*> damage(std::string_view bytes) {
    Fields fields(bytes);
    const auto chunk = fields.number(1);
    const auto endianness = fields.number(1);
    if (chunk != kChunkHeader || (endianness != kLittleEndian && endianness != kBigEndian) ||
        fields.take(kMagic.size()) != kMagic)
        return "is not an OTF2 anchor file; open the .otf2 file that the tracer wrote";
    fields.setBigEndian(endianness == kBigEndian);
    const auto format = fields.number(1);
    fields.take(4); // format of the trace, version; which ones it can read is for libotf2 to say
    const std::uint64_t eventChunk = fields.number(8);
    const std::uint64_t definitionChunk = fields.number(8);
    const auto substrate = fields.number(1);
    const auto compression = fields.number(1);
    const std::uint64_t locations = fields.number(8);
    fields.number(8); // global definitions
    for (int i = 0; i < 3; ++i)
        fields.text(); // machine, creator, description
    // Of the properties; libotf2 refuses one that comes twice.
    std::set<std::string_view> names;
    bool possible = true;
    if (format > 1) {
        const std::uint64_t properties = fields.number(4);
        for (std::uint64_t i = 0; i < properties && fields.intact; ++i) {
            possible = names.insert(fields.text()).second && possible;
            fields.text();
        }
        fields.number(8); // identifier of the trace
    }
    if (format > 2)
        fields.number(8); // numbers of snapshots and thumbnails
    if (format == kKnownFormat)
        possible = fields.number(1) == kEndOfFile && possible;
    possible = possible && format > 0 && compression == kNoCompression && eventChunk > 0 &&
               eventChunk <= kLargestChunk && definitionChunk > 0 && definitionChunk <= kLargestChunk &&
               locations <= kMostLocations;
    if (!fields.intact || !possible)
        return "is a damaged OTF2 anchor file; copy the trace again, or record it again";
    if (substrate != kPlainFiles)
        return "keeps its events in a SION container, which ddpscope can not read; record with "
               "SCOREP_TRACING_USE_SION=false";
    return std::nullopt;
}

} // namespace

Result<void> checkAnchor(const std::filesystem::path& anchor) {
    std::ifstream file(anchor, std::ios::binary);
    if (!file)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be opened ({}); check that it is there and that "
                                "you may read it.",
                                anchor.string(), std::strerror(errno)));
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(anchor, error);
    std::string bytes(error ? 0 : std::min<std::uint64_t>(size, kMostBytes), '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (file.bad())
        return fail(
            ErrorCode::Unreadable,
            fmt::format("{} can not be read; check the disk or the network folder.", anchor.string()));
    if (bytes.empty())
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is empty: the tracer did not finish writing; record the "
                                "trace again.",
                                anchor.string()));
    if (const auto wrong = damage(bytes))
        return fail(ErrorCode::Unreadable, fmt::format("{} {}.", anchor.string(), *wrong));
    return {};
}

} // namespace ddp::otf2
