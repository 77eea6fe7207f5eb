// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/store/slice_ref.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace ddp {

// What a trace holds beside its slices. All rows are trivially copyable: a store file holds them as they are.

using CommunicatorId = StrongId<struct CommunicatorTag>;

enum class ValueType : std::uint8_t { Int64, Uint64, Double, Text };

/// 64 bits whose meaning a ValueType tells; those of a text are its StringId.
struct Value {
    std::uint64_t bits = 0;

    static Value of(std::int64_t value) { return {std::bit_cast<std::uint64_t>(value)}; }
    static Value of(std::uint64_t value) { return {value}; }
    static Value of(double value) { return {std::bit_cast<std::uint64_t>(value)}; }
    static Value of(StringId value) { return {value.value}; }

    std::int64_t signedNumber() const { return std::bit_cast<std::int64_t>(bits); }
    std::uint64_t unsignedNumber() const { return bits; }
    double real() const { return std::bit_cast<double>(bits); }
    StringId text() const { return StringId(static_cast<std::size_t>(bits)); }
    /// Of a number; 0 of a text.
    double asDouble(ValueType type) const {
        switch (type) {
        case ValueType::Int64:
            return static_cast<double>(signedNumber());
        case ValueType::Uint64:
            return static_cast<double>(bits);
        case ValueType::Double:
            return real();
        case ValueType::Text:
            break;
        }
        return 0;
    }
    friend bool operator==(Value, Value) = default;
};

struct AttributeKey {
    StringId name;
    ValueType type = ValueType::Uint64;
};

/// The attributes of a slice are a chain, the last one first. Slices whose attributes begin alike share that
/// part: the kernels of a training step have the same few parameters each time.
struct AttributeNode {
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t before = kNone; ///< node
    std::uint32_t key = 0;        ///< row of the keys
    Value value;
    friend bool operator==(const AttributeNode&, const AttributeNode&) = default;
};

struct SliceAttributes {
    SliceRef slice;
    std::uint32_t last = AttributeNode::kNone; ///< node
};

enum class CounterMode : std::uint8_t {
    Accumulated, ///< grows from the start of the measurement
    Absolute,    ///< the value itself
    Relative,    ///< the change since the sample before
};

/// For which time a sample holds.
enum class CounterTiming : std::uint8_t { SinceStart, Point, SinceLast, UntilNext };

/// A series of samples of one quantity. Its value in `unit` is sample · base^exponent.
struct Counter {
    StringId name;
    StringId description;
    StringId unit;
    StringId scope;              ///< name of the device, process or host that it tells about; may be empty
    LocationId location;         ///< that recorded it
    std::uint32_t rankIndex = 0; ///< into TraceStore::ranks(): of its scope, else of its location
    std::int32_t exponent = 0;
    std::uint8_t base = 10; ///< 2 or 10
    ValueType type = ValueType::Uint64;
    CounterMode mode = CounterMode::Absolute;
    CounterTiming timing = CounterTiming::Point;
    std::uint64_t first = 0; ///< row of the samples
    std::uint64_t count = 0;
};

struct CounterSample {
    std::int64_t ns = 0;
    Value value;
};

struct Communicator {
    StringId name;
    std::uint32_t first = 0; ///< row of the members, which are rank indices in the order of its ranks
    std::uint32_t count = 0;
};

/// A message whose sending and receiving were both found.
struct Message {
    std::int64_t sendNs = 0;    ///< a time of the sender
    std::int64_t receiveNs = 0; ///< a time of the receiver: when it was there
    LocationId sender;
    LocationId receiver;
    CommunicatorId communicator;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
};

/// What one process did in a collective operation.
struct Collective {
    static constexpr std::uint32_t kNoRoot = 0xffffffffu;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    LocationId location;
    SliceRef slice;     ///< around its begin; not valid when there is none
    StringId operation; ///< "ALLREDUCE", …
    CommunicatorId communicator;
    std::uint32_t root = kNoRoot; ///< rank in the communicator
    std::uint32_t nonBlocking = 0;
    std::uint64_t bytesSent = 0;
    std::uint64_t bytesReceived = 0;
};

// Times of rows are those of the store file; TraceStore::time() turns them into the run's.

/// A remark that the tracer or another program put into the archive.
struct Marker {
    std::int64_t ns = 0;
    std::int64_t lengthNs = 0;
    StringId group;
    StringId category;
    StringId text;
    StringId scope;              ///< name of what it is about; empty: the whole run
    std::uint32_t rankIndex = 0; ///< whose time it is in
    std::uint32_t severity = 0;  ///< 0 none, 1 low, 2 medium, 3 high
};

/// All of it, as it is collected and written.
struct RecordTables {
    std::vector<Counter> counters;
    std::vector<CounterSample> samples;
    std::vector<AttributeKey> keys;
    std::vector<AttributeNode> nodes;
    std::vector<SliceAttributes> sliceAttributes; // of a location ordered by slice
    std::vector<std::uint64_t> firstAttributes;   // per location, and the end
    std::vector<Message> messages;
    std::vector<Collective> collectives;
    std::vector<std::uint64_t> firstCollective; // per location, and the end
    std::vector<Communicator> communicators;
    std::vector<std::uint32_t> members;
    std::vector<Marker> markers;
};

} // namespace ddp
