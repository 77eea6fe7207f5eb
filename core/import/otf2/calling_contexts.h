// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/raw_definitions.h"
#include "core/store/location_builder.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ddp::otf2 {

/// The tree of calling contexts of an archive.
class CallingContextTable {
public:
    /// Deeper ones only come from damaged data; they begin anew at this depth.
    static constexpr std::uint32_t kMaxDepth = 4096;
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct Node {
        OTF2_RegionRef region = 0;
        std::uint32_t parent = kNone;
        std::uint32_t depth = 0; ///< 1 for a root; 0 while not known
    };

    CallingContextTable() = default;
    explicit CallingContextTable(const std::vector<RawDefinitions::CallingContext>& raw);

    std::uint32_t find(OTF2_CallingContextRef id) const {
        const auto found = m_rows.find(id);
        return found == m_rows.end() ? kNone : found->second;
    }
    const Node& node(std::uint32_t row) const { return m_nodes[row]; }
    std::optional<OTF2_RegionRef> region(OTF2_CallingContextRef id) const {
        const std::uint32_t row = find(id);
        return row == kNone ? std::nullopt : std::optional(m_nodes[row].region);
    }
    std::uint64_t brokenParents() const { return m_brokenParents; }

private:
    void measureDepth(std::uint32_t row);

    std::vector<Node> m_nodes;
    std::unordered_map<OTF2_CallingContextRef, std::uint32_t> m_rows;
    std::uint64_t m_brokenParents = 0; // not defined, circular, or too deep
};

/// The stack of one location as its calling context events tell it, made into slices.
class CallingContextStack {
public:
    CallingContextStack(const CallingContextTable& table, LocationBuilder& builder)
        : m_table(table), m_builder(builder) {}

    /// The stack is now `row`, of which the innermost `entered` frames were entered since the event before;
    /// everything else in the last stack that is not part of it was left. `regionOf` gives a node's region.
    template <class RegionOf>
    void moveTo(std::int64_t ns, std::uint32_t row, std::uint32_t entered, bool instrumented,
                RegionOf regionOf) {
        if (!prepare(ns, row, entered))
            return;
        for (auto node = m_path.rbegin(); node != m_path.rend(); ++node)
            m_frames.push_back({*node, m_builder.open(ns, regionOf(m_table.node(*node).region)), false});
        if (instrumented && !m_frames.empty())
            m_frames.back().instrumented = true;
    }
    /// The region of `row` was left.
    void leave(std::int64_t ns, std::uint32_t row);
    /// Samples have no end: what they found last ends with the location.
    void finish(std::int64_t ns);

    /// Of a frame of the stack; not valid when it is none.
    SliceTag slice(std::uint32_t row) const;

    std::uint64_t mismatches() const { return m_mismatches; }
    std::uint64_t leftOut() const { return m_leftOut; }

private:
    struct Frame {
        std::uint32_t row = 0;
        SliceTag slice = kNoTag;
        bool instrumented = false;
    };
    bool prepare(std::int64_t ns, std::uint32_t row, std::uint32_t entered);
    void popTo(std::int64_t ns, std::size_t depth);

    const CallingContextTable& m_table;
    LocationBuilder& m_builder;
    std::vector<Frame> m_frames;
    std::vector<std::uint32_t> m_path; // to enter now, the innermost first
    std::uint64_t m_mismatches = 0;
    std::uint64_t m_leftOut = 0;
    std::uint64_t m_allowance = 1 << 16; // frames that may still be entered
};

} // namespace ddp::otf2
