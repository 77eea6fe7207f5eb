// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ddp::triage {

/// Finds many short texts in one pass over a line, without regard to ASCII case (Aho-Corasick). It decides
/// which rules are worth their regular expression; most lines of a log meet none. Built once, then any thread
/// may search.
class NeedleSet {
public:
    struct Found {
        std::uint32_t owner = 0;
        std::size_t begin = 0; ///< where the needle begins in the text
    };

    void add(std::string_view needle, std::uint32_t owner);
    void build();
    /// Appends every occurrence, in the order in which they end.
    void find(std::string_view text, std::vector<Found>& found) const;

private:
    struct Output {
        std::uint32_t owner;
        std::uint32_t length;
    };
    struct Node {
        std::vector<std::uint32_t> next; // by byte class; 0: none while adding
        std::vector<Output> outputs;
    };

    std::uint8_t classOf(char c);

    std::array<std::uint8_t, 256> m_classes{}; // 0: a byte that no needle has
    std::uint8_t m_classCount = 1;
    std::vector<std::vector<std::uint8_t>> m_needles;
    std::vector<Output> m_owners;
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_table; // state * classes + class -> next state * 2 + (it has outputs)
};

} // namespace ddp::triage
