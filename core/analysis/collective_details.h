// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collective_name.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ddp {

/// What the attributes of a slice say about the collective that it is a part of.
struct CollectiveDetails {
    using Key = std::pair<ValueType, std::uint64_t>; ///< a value, to compare and to look up again
    std::optional<std::uint64_t> sequence;
    std::optional<Key> group;
    std::optional<Key> groupRanks; ///< two groups of one name may have other ranks
    std::uint32_t members = 0;     ///< 0: not known
    std::optional<CollectiveFamily> family;
    std::optional<std::uint64_t> bytes; ///< of the larger side, as the tests of NCCL count
};

/// Reads them, under the names of Kineto and NCCL and those of ddpscope-worker. Remembers the names that it
/// met, so every thread has its own.
class CollectiveDetailReader {
public:
    explicit CollectiveDetailReader(const TraceStore& store)
        : m_store(store), m_any(store.records().slicesWithAttributes() > 0) {}

    CollectiveDetails of(LocationId location, SliceRef slice);

private:
    enum class Detail : std::uint8_t;
    struct Name;
    static const Name kNames[];
    Detail detailOf(StringId name);

    const TraceStore& m_store;
    bool m_any;
    std::unordered_map<StringId, Detail> m_known;
};

} // namespace ddp
