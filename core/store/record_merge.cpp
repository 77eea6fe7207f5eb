// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/record_merge.h"

#include <algorithm>
#include <tuple>

namespace ddp {

CommunicatorId RecordMerge::addCommunicator(std::string_view name, std::span<const std::uint32_t> members) {
    const CommunicatorId id(m_out.communicators.size());
    m_out.communicators.push_back({m_strings.intern(name), static_cast<std::uint32_t>(m_out.members.size()),
                                   static_cast<std::uint32_t>(members.size())});
    m_out.members.insert(m_out.members.end(), members.begin(), members.end());
    return id;
}

void RecordMerge::reserve(std::span<const LocationRecords* const> locations) {
    std::size_t nodes = 0;
    std::size_t rows = 0;
    for (const LocationRecords* location : locations) {
        nodes += location->m_nodes.size();
        rows += location->m_sliceAttributes.size();
    }
    m_out.nodes.reserve(nodes);
    m_out.sliceAttributes.reserve(rows);
}

void RecordMerge::addLocation(LocationId id, std::uint32_t rankIndex, LocationRecords* records) {
    m_out.firstAttributes.push_back(m_out.sliceAttributes.size());
    m_out.firstCollective.push_back(m_out.collectives.size());
    if (!records)
        return;
    std::vector<StringId> texts;
    for (std::size_t i = 0; i < records->m_texts.size(); ++i)
        texts.push_back(m_strings.intern(records->m_texts.view(StringId(i))));
    addAttributes(*records, texts);
    addCounters(id, rankIndex, *records, texts);
    for (const MessageEnd& end : records->m_sends)
        m_sends.push_back({end, rankIndex, id});
    for (const MessageEnd& end : records->m_receives)
        m_receives.push_back({end, rankIndex, id});
    for (Collective& row : records->m_collectives) {
        row.location = id;
        row.operation = texts[row.operation.index()];
        m_out.collectives.push_back(row);
    }
    *records = {};
}

void RecordMerge::addAttributes(LocationRecords& records, std::span<const StringId> texts) {
    std::vector<std::uint32_t> keys;
    for (const AttributeKey& key : records.m_keys) {
        const AttributeKey global{texts[key.name.index()], key.type};
        const auto [known, isNew] =
            m_keys.try_emplace({global.name, global.type}, static_cast<std::uint32_t>(m_out.keys.size()));
        if (isNew)
            m_out.keys.push_back(global);
        keys.push_back(known->second);
    }
    const auto base = static_cast<std::uint32_t>(m_out.nodes.size());
    const auto moved = [base](std::uint32_t node) {
        return node == AttributeNode::kNone ? node : node + base;
    };
    for (AttributeNode node : records.m_nodes) {
        if (records.m_keys[node.key].type == ValueType::Text)
            node.value = Value::of(texts[node.value.text().index()]);
        node.key = keys[node.key];
        node.before = moved(node.before);
        m_out.nodes.push_back(node);
    }
    for (const SliceAttributes& row : records.m_sliceAttributes)
        m_out.sliceAttributes.push_back({row.slice, moved(row.last)});
}

void RecordMerge::addCounters(LocationId id, std::uint32_t rankIndex, LocationRecords& records,
                              std::span<const StringId> texts) {
    for (LocationRecords::Series& series : records.m_series) {
        Counter counter = series.info;
        for (StringId* text : {&counter.name, &counter.description, &counter.unit, &counter.scope})
            *text = texts[text->index()];
        counter.location = id;
        if (counter.rankIndex == TraceRecords::kNotInRun)
            counter.rankIndex = rankIndex;
        counter.first = m_out.samples.size();
        counter.count = series.samples.size();
        m_out.samples.insert(m_out.samples.end(), series.samples.begin(), series.samples.end());
        m_out.counters.push_back(counter);
        series.samples = {}; // now: all samples twice would be the peak of the import
    }
}

// MPI keeps the order of the messages of one communicator, sender, receiver and tag: the n-th one sent is the
// n-th one that was asked for.
void RecordMerge::matchMessages(std::vector<UnmatchedMessages>& unmatched) {
    const auto channel = [](const End& end, bool isSend) {
        return std::tuple(end.end.communicator, isSend ? end.rank : end.end.peerRank,
                          isSend ? end.end.peerRank : end.rank, end.end.tag);
    };
    const auto sort = [&](std::vector<End>& ends, bool isSend) {
        std::sort(ends.begin(), ends.end(), [&](const End& a, const End& b) {
            return std::tuple_cat(channel(a, isSend), std::tuple(a.end.postedNs, a.location, a.end.order)) <
                   std::tuple_cat(channel(b, isSend), std::tuple(b.end.postedNs, b.location, b.end.order));
        });
    };
    sort(m_sends, true);
    sort(m_receives, false);
    auto receive = m_receives.begin();
    for (const End& send : m_sends) {
        const auto wanted = channel(send, true);
        for (; receive != m_receives.end() && channel(*receive, false) < wanted; ++receive)
            ++unmatched[receive->rank].receives;
        if (receive == m_receives.end() || channel(*receive, false) != wanted) {
            ++unmatched[send.rank].sends;
            continue;
        }
        m_out.messages.push_back({send.end.ns, receive->end.ns, send.location, receive->location,
                                  send.end.communicator, send.end.tag, send.end.bytes});
        ++receive;
    }
    for (; receive != m_receives.end(); ++receive)
        ++unmatched[receive->rank].receives;
    m_sends = {};
    m_receives = {};
}

std::vector<UnmatchedMessages> RecordMerge::finish(std::size_t rankCount) {
    std::vector<UnmatchedMessages> unmatched(rankCount);
    m_out.firstAttributes.push_back(m_out.sliceAttributes.size());
    m_out.firstCollective.push_back(m_out.collectives.size());
    matchMessages(unmatched);
    std::stable_sort(m_out.messages.begin(), m_out.messages.end(),
                     [](const Message& a, const Message& b) { return a.sendNs < b.sendNs; });
    std::stable_sort(m_out.markers.begin(), m_out.markers.end(),
                     [](const Marker& a, const Marker& b) { return a.ns < b.ns; });
    return unmatched;
}

} // namespace ddp
