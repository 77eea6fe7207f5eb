// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <string_view>

namespace ddp::remote {

/// What a command is given on its standard input, piece by piece: from memory, or from its source.
class CommandInput {
public:
    explicit CommandInput(const Command& command)
        : m_command(command), m_rest(command.input), m_more(static_cast<bool>(command.source)) {}

    /// What to send next; empty at the end.
    Result<std::string_view> next() {
        if (m_rest.empty() && m_more) {
            auto piece = m_command.source();
            if (!piece)
                return forward(piece);
            m_piece = std::move(*piece);
            m_rest = m_piece;
            m_more = !m_piece.empty();
        }
        return m_rest;
    }
    void sent(std::size_t bytes) { m_rest.remove_prefix(bytes); }

private:
    const Command& m_command;
    std::string m_piece;
    std::string_view m_rest;
    bool m_more;
};

} // namespace ddp::remote
