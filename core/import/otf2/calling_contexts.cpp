// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/calling_contexts.h"

#include <algorithm>

namespace ddp::otf2 {

namespace {

// A record of ten bytes can stand for a whole stack of new frames. Real stacks change in a few of them; what
// asks for more than this on average is damaged, and would fill the memory.
constexpr std::uint64_t kFramesPerEvent = 64;

} // namespace

CallingContextTable::CallingContextTable(const std::vector<RawDefinitions::CallingContext>& raw) {
    for (const auto& context : raw) {
        m_rows.emplace(context.id, static_cast<std::uint32_t>(m_nodes.size()));
        m_nodes.push_back({context.region, kNone, 0});
    }
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i].parent == OTF2_UNDEFINED_CALLING_CONTEXT)
            continue;
        m_nodes[i].parent = find(raw[i].parent);
        m_brokenParents += m_nodes[i].parent == kNone ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
        measureDepth(i);
}

// Down from the nearest ancestor whose depth is known. A node that is met again on the way up is its own
// ancestor.
void CallingContextTable::measureDepth(std::uint32_t row) {
    std::vector<std::uint32_t> chain;
    constexpr std::uint32_t kOnTheWay = 0xffffffffu;
    while (row != kNone && m_nodes[row].depth == 0) {
        m_nodes[row].depth = kOnTheWay;
        chain.push_back(row);
        row = m_nodes[row].parent;
    }
    if (row != kNone && m_nodes[row].depth == kOnTheWay) {
        m_nodes[chain.back()].parent = kNone;
        ++m_brokenParents;
        row = kNone;
    }
    std::uint32_t depth = row == kNone ? 0 : m_nodes[row].depth;
    for (auto node = chain.rbegin(); node != chain.rend(); ++node) {
        if (depth == kMaxDepth) {
            m_nodes[*node].parent = kNone;
            ++m_brokenParents;
            depth = 0;
        }
        m_nodes[*node].depth = ++depth;
    }
}

void CallingContextStack::popTo(std::int64_t ns, std::size_t depth) {
    while (m_frames.size() > depth) {
        m_builder.close(ns, m_frames.back().slice);
        m_frames.pop_back();
    }
}

// Leaves what was left, and finds the path of frames to enter.
bool CallingContextStack::prepare(std::int64_t ns, std::uint32_t row, std::uint32_t entered) {
    m_allowance += kFramesPerEvent;
    m_path.clear();
    std::uint32_t at = row;
    for (; at != CallingContextTable::kNone && entered > 0; --entered, at = m_table.node(at).parent)
        m_path.push_back(at);
    const auto depthOf = [this](std::uint32_t node) {
        return node == CallingContextTable::kNone ? 0u : m_table.node(node).depth;
    };
    const auto isOpen = [&](std::uint32_t node) {
        const std::uint32_t depth = depthOf(node);
        return depth == 0 || (depth <= m_frames.size() && m_frames[depth - 1].row == node);
    };
    if (!isOpen(at)) {
        // The event is right about where it is; what lies between is entered with it.
        ++m_mismatches;
        for (; !isOpen(at); at = m_table.node(at).parent)
            m_path.push_back(at);
    }
    popTo(ns, depthOf(at));
    if (m_path.size() > m_allowance) {
        ++m_leftOut;
        return false;
    }
    m_allowance -= m_path.size();
    return true;
}

void CallingContextStack::leave(std::int64_t ns, std::uint32_t row) {
    if (!prepare(ns, row, 0))
        return;
    if (!m_path.empty()) // never entered
        return;
    const std::uint32_t depth = m_table.node(row).depth;
    popTo(ns, depth - 1);
}

SliceTag CallingContextStack::slice(std::uint32_t row) const {
    const std::size_t depth = row == CallingContextTable::kNone ? 0 : m_table.node(row).depth;
    return depth > 0 && depth <= m_frames.size() && m_frames[depth - 1].row == row ? m_frames[depth - 1].slice
                                                                                   : kNoTag;
}

void CallingContextStack::finish(std::int64_t ns) {
    while (!m_frames.empty() && !m_frames.back().instrumented)
        popTo(ns, m_frames.size() - 1);
}

} // namespace ddp::otf2
