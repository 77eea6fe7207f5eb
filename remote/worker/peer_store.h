// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "remote/worker/compat/torch_compat.h"
#include "remote/worker/rank_session.h"

#include <optional>
#include <string>

namespace ddp::worker {

/// What the ranks tell each other outside of any collective: facts and stages in a TCPStore. Main thread
/// only.
class PeerStore {
public:
    /// Reaches the store, or serves it on the rank that hosts it. Throws what libtorch throws.
    explicit PeerStore(RankSession& session);

    /// Lets peers see where this rank is. Never throws: that a peer can not see it is not a failure of this
    /// rank.
    void publishStage(const char* stage);
    void publishFacts(const records::Facts& facts);
    /// Facts and stages of all ranks, waiting for missing facts until patienceEndNs (monotonic).
    records::StoreView view(std::int64_t patienceEndNs);
    /// Says that this rank is through; the host waits for all others, since its end closes the store.
    void leave(std::int64_t patienceEndNs);
    /// A part of the store of its own for the process group.
    compat::Store groupStore() const;

private:
    std::optional<std::string> read(const std::string& key);
    void write(const std::string& key, const std::string& text);

    RankSession& m_session;
    compat::Store m_store;
};

} // namespace ddp::worker
