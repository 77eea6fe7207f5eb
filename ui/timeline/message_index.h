// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "ui/timeline/span_index.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace ddp::ui {

/// A message in the times of the run.
struct MessageArrow {
    LocationId sender;
    LocationId receiver;
    Nanoseconds sent;
    Nanoseconds received;
};

/// Finds messages by time. Frozen.
class MessageIndex {
public:
    /// Reads every message once; any thread. After a stop the answer is worthless.
    static std::shared_ptr<const MessageIndex> of(std::shared_ptr<const TraceStore> store,
                                                  const std::stop_token& stop);

    /// Those in sight between locations whose clocks may be compared. False, and nothing in `out`, when more
    /// than `most` have to be looked at; the cost is that of `most`.
    bool inSight(TimeRange window, std::size_t most, std::vector<MessageArrow>& out) const;
    /// Whether the location sends or receives any.
    bool has(LocationId location) const { return m_has[location.index()]; }
    /// Some lie between ranks whose clocks may not be compared.
    bool withheld() const { return m_withheld; }
    const TraceStore& store() const { return *m_store; }

private:
    static constexpr std::size_t kBlock = 32; // messages that share an entry of the index

    MessageArrow arrow(std::size_t i) const;
    bool comparable(const Message& message) const;

    std::shared_ptr<const TraceStore> m_store;
    SpanIndex m_blocks;
    std::vector<bool> m_has; // by LocationId
    bool m_withheld = false;
};

} // namespace ddp::ui
