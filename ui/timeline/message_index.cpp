// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/message_index.h"

#include <algorithm>

namespace ddp::ui {

namespace {

TimeRange spanOf(const MessageArrow& arrow) {
    return {std::min(arrow.sent, arrow.received), std::max(arrow.sent, arrow.received)};
}

} // namespace

std::shared_ptr<const MessageIndex> MessageIndex::of(std::shared_ptr<const TraceStore> store,
                                                     const std::stop_token& stop) {
    auto index = std::make_shared<MessageIndex>();
    index->m_store = std::move(store);
    index->m_has.resize(index->m_store->locations().size());
    const std::span<const Message> messages = index->m_store->records().messages();
    index->m_blocks.reserve(messages.size() / kBlock + 1);
    for (std::size_t first = 0; first < messages.size() && !stop.stop_requested(); first += kBlock) {
        TimeRange span = spanOf(index->arrow(first));
        for (std::size_t i = first; i < std::min(first + kBlock, messages.size()); ++i) {
            const TimeRange one = spanOf(index->arrow(i));
            span = {std::min(span.begin, one.begin), std::max(span.end, one.end)};
            index->m_has[messages[i].sender.index()] = true;
            index->m_has[messages[i].receiver.index()] = true;
            index->m_withheld = index->m_withheld || !index->comparable(messages[i]);
        }
        index->m_blocks.add(span);
    }
    index->m_blocks.finish();
    return index;
}

MessageArrow MessageIndex::arrow(std::size_t i) const {
    const Message& message = m_store->records().messages()[i];
    return {message.sender, message.receiver, m_store->time(message.sender, message.sendNs),
            m_store->time(message.receiver, message.receiveNs)};
}

bool MessageIndex::comparable(const Message& message) const {
    const ClockInfo& from = m_store->ranks()[m_store->location(message.sender).rankIndex].clock;
    const ClockInfo& to = m_store->ranks()[m_store->location(message.receiver).rankIndex].clock;
    return from.domain == to.domain ||
           (from.quality != ClockQuality::Uncalibrated && to.quality != ClockQuality::Uncalibrated);
}

bool MessageIndex::inSight(TimeRange window, std::size_t most, std::vector<MessageArrow>& out) const {
    out.clear();
    const std::span<const Message> messages = m_store->records().messages();
    const auto [first, last] = m_blocks.touching(window);
    if ((last - first) > most / kBlock + 2)
        return false;
    for (std::size_t i = first * kBlock; i < std::min(last * kBlock, messages.size()); ++i) {
        const MessageArrow one = arrow(i);
        const TimeRange span = spanOf(one);
        if (span.begin <= window.end && span.end >= window.begin && comparable(messages[i]))
            out.push_back(one);
    }
    if (out.size() <= most)
        return true;
    out.clear();
    return false;
}

} // namespace ddp::ui
