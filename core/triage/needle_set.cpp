// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/needle_set.h"

#include <queue>

namespace ddp::triage {

namespace {

char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::uint8_t NeedleSet::classOf(char c) {
    auto& known = m_classes[static_cast<unsigned char>(folded(c))];
    if (known == 0)
        known = m_classCount++;
    return known;
}

void NeedleSet::add(std::string_view needle, std::uint32_t owner) {
    if (needle.empty())
        return;
    std::vector<std::uint8_t> classes;
    for (const char c : needle)
        classes.push_back(classOf(c));
    m_needles.push_back(std::move(classes));
    m_owners.push_back({owner, static_cast<std::uint32_t>(needle.size())});
}

void NeedleSet::build() {
    for (int c = 'A'; c <= 'Z'; ++c)
        m_classes[static_cast<std::size_t>(c)] =
            m_classes[static_cast<std::size_t>(folded(static_cast<char>(c)))];

    const std::size_t width = m_classCount;
    m_nodes.assign(1, Node{std::vector<std::uint32_t>(width, 0), {}});
    for (std::size_t i = 0; i < m_needles.size(); ++i) {
        std::uint32_t at = 0;
        for (const std::uint8_t c : m_needles[i]) {
            if (m_nodes[at].next[c] == 0) {
                m_nodes[at].next[c] = static_cast<std::uint32_t>(m_nodes.size());
                m_nodes.push_back({std::vector<std::uint32_t>(width, 0), {}});
            }
            at = m_nodes[at].next[c];
        }
        m_nodes[at].outputs.push_back(m_owners[i]);
    }

    // Breadth first, so that the state to fall back to is finished before the states that need it.
    std::vector<std::uint32_t> fallback(m_nodes.size(), 0);
    std::queue<std::uint32_t> waiting;
    waiting.push(0);
    while (!waiting.empty()) {
        const std::uint32_t at = waiting.front();
        waiting.pop();
        for (std::size_t c = 0; c < width; ++c) {
            std::uint32_t& next = m_nodes[at].next[c];
            const std::uint32_t other = at == 0 ? 0 : m_nodes[fallback[at]].next[c];
            if (next == 0) {
                next = other;
                continue;
            }
            fallback[next] = other;
            const auto& inherited = m_nodes[other].outputs;
            m_nodes[next].outputs.insert(m_nodes[next].outputs.end(), inherited.begin(), inherited.end());
            waiting.push(next);
        }
    }

    m_table.resize(m_nodes.size() * width);
    for (std::size_t at = 0; at < m_nodes.size(); ++at) {
        for (std::size_t c = 0; c < width; ++c) {
            const std::uint32_t next = m_nodes[at].next[c];
            m_table[at * width + c] = next * 2 + (m_nodes[next].outputs.empty() ? 0 : 1);
        }
    }
}

void NeedleSet::find(std::string_view text, std::vector<Found>& found) const {
    if (m_table.empty())
        return;
    const std::size_t width = m_classCount;
    std::size_t state = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint32_t entry = m_table[state * width + m_classes[static_cast<unsigned char>(text[i])]];
        state = entry >> 1;
        if ((entry & 1) == 0)
            continue;
        for (const Output& output : m_nodes[state].outputs)
            found.push_back({output.owner, i + 1 - output.length});
    }
}

} // namespace ddp::triage
