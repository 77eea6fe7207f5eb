// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives.h"

#include "core/analysis/collective_match.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace ddp {

namespace {

class Measure {
public:
    Measure(const TraceStore& store, const RunActivity& activity, const RunSteps& steps,
            const FoundParts& found)
        : m_store(store), m_activity(activity), m_steps(steps), m_found(found) {}

    CollectiveInstance of(std::span<const std::uint32_t> members, bool confident) const {
        const FoundPart& first = m_found.parts[members.front()];
        CollectiveInstance instance;
        instance.region = first.region;
        if (first.communicator.valid())
            instance.communicator = first.communicator;
        if (const std::string& group = m_found.groups[first.order]; !group.empty())
            instance.group = group;
        instance.match = first.match;
        instance.confident = confident;
        instance.step = m_steps.at(first.rankIndex, first.range.begin);
        instance.bytes = bytesOf(members);
        for (const std::uint32_t i : members)
            instance.parts.push_back(partOf(m_found.parts[i]));
        if (members.size() > 1)
            compare(instance, first);
        return instance;
    }

private:
    CollectivePart partOf(const FoundPart& found) const {
        // The part itself is communication: what is hidden in its range is hidden of it.
        const WindowActivity activity = m_activity.over(found.device, found.range);
        return {found.rankIndex, found.location,  found.slice, found.range, {},
                activity.hidden, activity.exposed};
    }

    // Nothing where the ranks do not agree: some count what they send, others what all send.
    std::optional<std::uint64_t> bytesOf(std::span<const std::uint32_t> members) const {
        std::optional<std::uint64_t> bytes;
        for (const std::uint32_t i : members)
            if (const auto& own = m_found.parts[i].bytes) {
                if (bytes && *bytes != *own)
                    return std::nullopt;
                bytes = own;
            }
        return bytes;
    }

    void compare(CollectiveInstance& instance, const FoundPart& first) const {
        auto& parts = instance.parts;
        const auto shortest = std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
            return a.range.length() < b.range.length();
        });
        instance.transfer = shortest->range.length();
        if (!instance.confident)
            return;
        for (CollectivePart& part : parts)
            part.wait = part.range.length() - *instance.transfer;
        if (comparable(parts))
            findLate(instance);
        if (instance.bytes.value_or(0) == 0 || instance.transfer->count <= 0)
            return;
        instance.algorithmGBps =
            static_cast<double>(*instance.bytes) / static_cast<double>(instance.transfer->count);
        if (const auto factor = busFactor(m_found.kinds[first.kind], first.members))
            instance.busGBps = *instance.algorithmGBps * *factor;
    }

    const ClockInfo& clock(const CollectivePart& part) const { return m_store.ranks()[part.rankIndex].clock; }

    bool comparable(const std::vector<CollectivePart>& parts) const {
        const std::size_t domain = clock(parts.front()).domain;
        return std::all_of(parts.begin(), parts.end(),
                           [&](const auto& part) { return clock(part).domain == domain; }) ||
               std::none_of(parts.begin(), parts.end(), [&](const auto& part) {
                   return clock(part).quality == ClockQuality::Uncalibrated;
               });
    }

    void findLate(CollectiveInstance& instance) const {
        const auto earlier = [](const CollectivePart& a, const CollectivePart& b) {
            return a.range.begin < b.range.begin;
        };
        const auto [first, last] = std::minmax_element(instance.parts.begin(), instance.parts.end(), earlier);
        instance.skew = last->range.begin - first->range.begin;
        // Nobody is late by less than both clocks may be off.
        const auto unsure = [&](const CollectivePart& part) {
            return static_cast<double>(clock(part).uncertaintyNs.value_or(0));
        };
        if (static_cast<double>(instance.skew->count) > unsure(*first) + unsure(*last))
            instance.lateRank = last->rankIndex;
    }

    const TraceStore& m_store;
    const RunActivity& m_activity;
    const RunSteps& m_steps;
    const FoundParts& m_found;
};

} // namespace

RunCollectives findCollectives(const TraceStore& store, const RunActivity& activity, const RunSteps& steps,
                               std::stop_token stop) {
    const FoundParts found = findParts(store, activity, stop);
    if (stop.stop_requested())
        return {};
    MatchedParts matched = matchParts(store, found, stop);
    const auto placeOf = [&](const MatchedParts::Row& row) {
        const FoundPart& first = found.parts[matched.members[row.first]];
        return std::tuple(first.range.begin, first.rankIndex, first.range.end, first.location, first.slice);
    };
    std::sort(matched.rows.begin(), matched.rows.end(),
              [&](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
    const Measure measure(store, activity, steps, found);
    RunCollectives collectives;
    collectives.instances.reserve(matched.rows.size());
    for (const MatchedParts::Row& row : matched.rows) {
        if (stop.stop_requested())
            break;
        collectives.instances.push_back(measure.of(matched.of(row), row.confident));
    }
    return collectives;
}

} // namespace ddp
