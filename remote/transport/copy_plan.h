// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

namespace ddp::remote {

/// What a copy will do, parents before their contents.
class CopyPlan {
public:
    CopyPlan(std::string host, std::filesystem::path from, const CopyLimits& limits)
        : m_host(std::move(host)), m_from(std::move(from)), m_limits(limits) {}

    /// Fails beyond the limits.
    Result<void> add(CopyItem item);
    const std::vector<CopyItem>& items() const { return m_items; }
    std::vector<CopyItem> takeItems() { return std::move(m_items); }
    std::uint64_t bytes() const { return m_bytes; }

private:
    std::string m_host;
    std::filesystem::path m_from;
    CopyLimits m_limits;
    std::vector<CopyItem> m_items;
    std::uint64_t m_bytes = 0;
};

/// Everything below a folder of this machine.
Result<CopyPlan> planLocalCopy(const std::string& host, const std::filesystem::path& from,
                               const CopyLimits& limits, std::stop_token stop);

/// A name as the other side lists it that is one step down: not empty, no "..", no '/'.
bool isPlainName(const std::string& name);

} // namespace ddp::remote
