// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/record_scan.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>

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
        return type == kProgramBegin || type == kAttributeList;
    case RecordFile::Markers:
        return false;
    }
    return false;
}

// Whether the list at the end of a record can be as long as the record says: an element takes a byte or more.
bool listFits(Cursor content, RecordFile kind, Byte type, bool bigEndian) {
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
        before = type == kAttributeList || content.compressed(bigEndian); // name of the program
        break;
    case RecordFile::Markers:
        break;
    }
    const auto elements = before ? content.compressed(bigEndian) : std::nullopt;
    return elements && *elements <= content.left();
}

enum class ChunkEnd { Chunk, File, Damage };

struct Walk {
    const Byte* at;
    const Byte* end;
    RecordFile kind;
    bool bigEndian;

    std::size_t left() const { return static_cast<std::size_t>(end - at); }
};

// One record that is no time and no end; false when it is damaged.
bool stepRecord(Walk& walk, RecordScan& scan) {
    const Byte type = *walk.at++;
    if (walk.left() == 0)
        return false;
    std::uint64_t length = *walk.at++;
    if (length == kLongLength) {
        Cursor cursor(walk.at, walk.end);
        const auto longer = cursor.fixed(8, walk.bigEndian);
        if (!longer)
            return false;
        length = *longer;
        walk.at += 8;
    }
    if (length > walk.left() || (hasList(walk.kind, type) && !listFits(Cursor(walk.at, walk.at + length),
                                                                       walk.kind, type, walk.bigEndian)))
        return false;
    walk.at += length;
    const bool isList = walk.kind == RecordFile::Events && type == kAttributeList;
    scan.attributeLists |= isList;
    scan.intact += isList ? 0 : 1;
    return true;
}

// The usual events: a time in front or not, nothing that needs a look inside. This runs over every byte of a
// trace, beside libotf2's own decoding: where a record begins follows from the length of the one before it
// only, and the time in front of it is guessed right, so that the processor is ahead of the memory. Stops at
// the first record that is not so.
void walkUsualEvents(Walk& walk, std::uint64_t& intact) {
    constexpr std::size_t kMostBytes = 1 + kTimeBytes + 2 + kLongLength;
    const Byte* at = walk.at;
    std::uint64_t events = 0;
    while (static_cast<std::size_t>(walk.end - at) >= kMostBytes) {
        const Byte* record = *at == kTime ? at + 1 + kTimeBytes : at;
        const Byte type = record[0];
        const Byte length = record[1];
        if (type <= kAttributeList || type == kProgramBegin || length == kLongLength)
            break;
        at = record + 2 + length;
        ++events;
    }
    walk.at = at;
    intact += events;
}

ChunkEnd scanChunk(const Byte* at, const Byte* end, RecordFile kind, RecordScan& scan) {
    Walk walk{at, end, kind, false};
    if (walk.left() < kHeaderBytes || at[0] != kChunkHeader ||
        (at[1] != kBigEndian && at[1] != kLittleEndian))
        return ChunkEnd::Damage;
    walk.bigEndian = at[1] == kBigEndian;
    walk.at += kHeaderBytes;
    while (walk.left() > 0) {
        if (kind == RecordFile::Events)
            walkUsualEvents(walk, scan.intact);
        if (walk.left() == 0)
            break;
        if (*walk.at == kEndOfChunk)
            return ChunkEnd::Chunk;
        if (*walk.at == kEndOfFile) // and its length
            return walk.left() > 1 ? ChunkEnd::File : ChunkEnd::Damage;
        if (*walk.at == kTime && kind == RecordFile::Events) {
            if (walk.left() < 1 + kTimeBytes)
                break;
            walk.at += 1 + kTimeBytes;
        } else if (!stepRecord(walk, scan)) {
            break;
        }
    }
    return ChunkEnd::Damage;
}

} // namespace

RecordScan scanRecords(const std::filesystem::path& file, std::uint64_t chunkSize, RecordFile kind,
                       std::stop_token stop) {
    RecordScan scan;
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream || chunkSize == 0)
        return scan;
    // Read, not mapped: a mapped file that shrinks meanwhile (a run that is being written) would end the
    // program.
    const std::uint64_t bytes = std::min(chunkSize, size);
    const auto buffer = std::make_unique_for_overwrite<char[]>(bytes);
    while (stream.read(buffer.get(), static_cast<std::streamsize>(bytes)) || stream.gcount() > 0) {
        const auto* begin = reinterpret_cast<const Byte*>(buffer.get());
        const ChunkEnd end = scanChunk(begin, begin + stream.gcount(), kind, scan);
        scan.complete = end == ChunkEnd::File;
        if (end != ChunkEnd::Chunk || stop.stop_requested())
            break;
    }
    return scan;
}

} // namespace ddp::otf2
