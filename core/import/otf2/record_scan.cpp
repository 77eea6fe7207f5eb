// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/record_scan.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <vector>

namespace ddp::otf2 {

namespace {

using Byte = unsigned char;

// A chunk: header, records, one of the two ends. A record: type, length (one byte, or 0xff and eight),
// content. Times in event files are records without a length.
constexpr Byte kEndOfChunk = 0;
constexpr Byte kEndOfFile = 2;
constexpr Byte kChunkHeader = 3;
constexpr Byte kTime = 5;          // in event files
constexpr Byte kAttributeList = 6; // in event files, belongs to the event that follows
constexpr std::size_t kHeaderBytes = 18;
constexpr std::size_t kTimeBytes = 8;
constexpr Byte kLongLength = 0xff;
constexpr Byte kBigEndian = 0x23;
constexpr Byte kLittleEndian = 0x42;

// The records with lists whose number of elements is a 32-bit number.
constexpr Byte kGroup = 18;        // in definitions
constexpr Byte kMappingTable = 5;  // in local definitions
constexpr Byte kProgramBegin = 83; // in events

class Cursor {
public:
    Cursor(const Byte* at, const Byte* end) : m_at(at), m_end(end) {}

    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    bool skip(std::uint64_t bytes) {
        if (bytes > left())
            return false;
        m_at += bytes;
        return true;
    }
    std::optional<Byte> byte() { return left() > 0 ? std::optional(*m_at++) : std::nullopt; }

    std::optional<std::uint64_t> fixed(std::size_t bytes, bool bigEndian) {
        if (bytes > left())
            return std::nullopt;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value = value << 8 | m_at[bigEndian ? i : bytes - 1 - i];
        m_at += bytes;
        return value;
    }
    // Integers are written without their leading zero bytes: number of bytes, bytes. 0xff alone is
    // "undefined".
    std::optional<std::uint64_t> compressed(bool bigEndian) {
        const auto bytes = byte();
        if (!bytes)
            return std::nullopt;
        if (*bytes == 0xff)
            return UINT64_MAX;
        return *bytes <= 8 ? fixed(*bytes, bigEndian) : std::nullopt;
    }

private:
    const Byte* m_at;
    const Byte* m_end;
};

bool hasList(RecordFile kind, Byte type) {
    switch (kind) {
    case RecordFile::Definitions:
        return type == kGroup;
    case RecordFile::LocalDefinitions:
        return type == kMappingTable;
    case RecordFile::Events:
        return type == kProgramBegin;
    }
    return false;
}

// Whether the list at the end of a record can be as long as the record says: an element takes a byte or more.
bool listFits(Cursor content, RecordFile kind, bool bigEndian) {
    bool before = false; // what stands in front of the number of elements
    switch (kind) {
    case RecordFile::Definitions:
        before = content.compressed(bigEndian) && content.compressed(bigEndian) &&
                 content.skip(1); // id, name; type
        break;
    case RecordFile::LocalDefinitions:
        before = content.skip(1); // what is mapped
        break;
    case RecordFile::Events:
        before = content.compressed(bigEndian).has_value(); // name of the program
        break;
    }
    const auto elements = before ? content.compressed(bigEndian) : std::nullopt;
    return elements && *elements <= content.left();
}

enum class ChunkEnd { Chunk, File, Damage };

// One step per record over plain pointers: this runs over every byte of a trace, beside libotf2's own
// decoding.
ChunkEnd scanChunk(const Byte* at, const Byte* end, RecordFile kind, std::uint64_t& intact) {
    const auto left = [&] { return static_cast<std::size_t>(end - at); };
    if (left() < kHeaderBytes || at[0] != kChunkHeader || (at[1] != kBigEndian && at[1] != kLittleEndian))
        return ChunkEnd::Damage;
    const bool bigEndian = at[1] == kBigEndian;
    const bool events = kind == RecordFile::Events;
    at += kHeaderBytes;
    while (at < end) {
        const Byte type = *at++;
        if (type == kTime && events) {
            if (left() < kTimeBytes)
                break;
            at += kTimeBytes;
            continue;
        }
        if (type == kEndOfChunk)
            return ChunkEnd::Chunk;
        if (type == kEndOfFile)
            return ChunkEnd::File;
        if (at == end)
            break;
        std::uint64_t length = *at++;
        if (length == kLongLength) {
            Cursor cursor(at, end);
            const auto longer = cursor.fixed(8, bigEndian);
            if (!longer)
                break;
            length = *longer;
            at += 8;
        }
        if (length > left() || (hasList(kind, type) && !listFits(Cursor(at, at + length), kind, bigEndian)))
            break;
        at += length;
        intact += !events || type != kAttributeList ? 1 : 0;
    }
    return ChunkEnd::Damage;
}

} // namespace

RecordScan scanRecords(const std::filesystem::path& file, std::uint64_t chunkSize, RecordFile kind) {
    RecordScan scan;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream || chunkSize == 0)
        return scan;
    // Read, not mapped: a mapped file that shrinks meanwhile (a run that is being written) would end the
    // program.
    std::vector<char> buffer(std::min(chunkSize, size));
    while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || stream.gcount() > 0) {
        const auto* begin = reinterpret_cast<const Byte*>(buffer.data());
        const ChunkEnd end = scanChunk(begin, begin + stream.gcount(), kind, scan.intact);
        scan.complete = end == ChunkEnd::File;
        if (end != ChunkEnd::Chunk)
            break;
    }
    return scan;
}

} // namespace ddp::otf2
