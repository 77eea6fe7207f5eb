// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/location_recorder.h"

#include "core/import/otf2/enums.h"

#include <algorithm>
#include <fmt/format.h>

namespace ddp::otf2 {

namespace {

// Nothing for a reference, whose value is a text.
std::optional<std::pair<ValueType, Value>> numberOf(OTF2_Type type, const OTF2_AttributeValue& value) {
    const auto plain = [](std::uint64_t number) { return std::pair(ValueType::Uint64, Value::of(number)); };
    const auto integer = [](std::int64_t number) { return std::pair(ValueType::Int64, Value::of(number)); };
    const auto real = [](double number) { return std::pair(ValueType::Double, Value::of(number)); };
    switch (type) {
    case OTF2_TYPE_UINT8:
        return plain(value.uint8);
    case OTF2_TYPE_UINT16:
        return plain(value.uint16);
    case OTF2_TYPE_UINT32:
        return plain(value.uint32);
    case OTF2_TYPE_UINT64:
        return plain(value.uint64);
    case OTF2_TYPE_INT8:
        return integer(value.int8);
    case OTF2_TYPE_INT16:
        return integer(value.int16);
    case OTF2_TYPE_INT32:
        return integer(value.int32);
    case OTF2_TYPE_INT64:
        return integer(value.int64);
    case OTF2_TYPE_FLOAT:
        return real(static_cast<double>(value.float32));
    case OTF2_TYPE_DOUBLE:
        return real(value.float64);
    default:
        return std::nullopt;
    }
}

// Locations are the only things that have a number of 64 bits.
std::uint64_t referenceOf(OTF2_Type type, const OTF2_AttributeValue& value) {
    return type == OTF2_TYPE_LOCATION ? value.locationRef : value.uint32;
}

} // namespace

LocationRecorder::LocationRecorder(const ArchiveTables& tables, const RegionTable& regions,
                                   const EventTarget& target, const DeclaredLocation& location,
                                   LocationBuilder& builder)
    : m_tables(tables), m_regions(regions), m_target(target), m_location(location), m_builder(builder),
      m_contexts(tables.contexts, builder) {}

StringId LocationRecorder::text(OTF2_Type type, std::uint64_t reference) {
    const auto [known, isNew] = m_texts.try_emplace({type, reference});
    if (isNew) {
        const auto name = m_tables.name(type, reference);
        if (!name)
            count(RecordFault::UndefinedValue);
        known->second = records().text(name ? *name : fmt::format("(undefined {})", reference));
    }
    return known->second;
}

std::uint32_t LocationRecorder::findKey(OTF2_Type kind, std::uint32_t id, ValueType type,
                                        std::uint64_t packed) {
    const auto [known, isNew] = m_keys.try_emplace(packed);
    if (isNew) {
        const bool isParameter = kind == OTF2_TYPE_PARAMETER;
        const auto name = m_tables.name(kind, id);
        if (!name)
            count(isParameter ? RecordFault::UndefinedParameter : RecordFault::UndefinedAttribute);
        const StringId text = records().text(
            name ? *name : fmt::format("(undefined {} {})", isParameter ? "parameter" : "attribute", id));
        known->second = records().key(text, type);
    }
    return known->second;
}

void LocationRecorder::attributes(const OTF2_AttributeList* list, SliceTag slice) {
    const std::uint32_t size = OTF2_AttributeList_GetNumberOfElements(list);
    for (std::uint32_t i = 0; i < size; ++i) {
        OTF2_AttributeRef id = 0;
        OTF2_Type type = 0;
        OTF2_AttributeValue value{};
        if (OTF2_AttributeList_GetAttributeByIndex(list, i, &id, &type, &value) != OTF2_SUCCESS)
            continue;
        if (slice != kNoTag)
            addAttribute(slice, id, type, value);
        else
            count(RecordFault::AttributeOutside);
    }
}

void LocationRecorder::addAttribute(SliceTag slice, OTF2_AttributeRef id, OTF2_Type type,
                                    const OTF2_AttributeValue& value) {
    if (const auto number = numberOf(type, value)) {
        records().addAttribute(slice, attributeKey(OTF2_TYPE_ATTRIBUTE, id, number->first), number->second);
    } else if (type > OTF2_TYPE_LOCATION_GROUP || type == OTF2_TYPE_NONE) {
        count(RecordFault::UnknownValue);
        records().addAttribute(slice, attributeKey(OTF2_TYPE_ATTRIBUTE, id, ValueType::Uint64),
                               Value::of(std::uint64_t{value.uint64}));
    } else {
        records().addAttribute(slice, attributeKey(OTF2_TYPE_ATTRIBUTE, id, ValueType::Text),
                               Value::of(text(type, referenceOf(type, value))));
    }
}

void LocationRecorder::stringParameter(OTF2_ParameterRef id, OTF2_StringRef string) {
    parameter(id, ValueType::Text, Value::of(text(OTF2_TYPE_STRING, string)));
}

// On a stream it is a copy between host and device, as seen from the device; elsewhere one-sided
// communication.
RegionId LocationRecorder::transferRegion(TransferKind kind) const {
    if (!m_tables.transferRegions)
        return m_target.unknownRegion;
    const bool onDevice = m_location.kind == LocationKind::Stream;
    TransferRegion region = TransferRegion::Atomic;
    if (kind == TransferKind::Get)
        region = onDevice ? TransferRegion::ToDevice : TransferRegion::Get;
    else if (kind == TransferKind::Put)
        region = onDevice ? TransferRegion::FromDevice : TransferRegion::Put;
    return m_target.regions[*m_tables.transferRegions + static_cast<std::size_t>(region)];
}

void LocationRecorder::beginTransfer(std::int64_t ns, TransferKind kind, const Transfer& transfer) {
    const SliceTag slice = m_builder.open(ns, transferRegion(kind));
    m_transfers.emplace(std::pair(transfer.window, transfer.matchingId), slice);
    if (slice != kNoTag)
        describeTransfer(slice, transfer);
}

void LocationRecorder::describeTransfer(SliceTag slice, const Transfer& transfer) {
    LocationRecords& out = records();
    const auto window = m_tables.raw.windows.find(transfer.window);
    if (window == m_tables.raw.windows.end()) {
        count(RecordFault::UndefinedWindow);
    } else {
        out.addAttribute(slice, out.key(out.text("window"), ValueType::Text),
                         Value::of(text(OTF2_TYPE_RMA_WIN, transfer.window)));
        if (const auto remote = m_tables.peer(window->second.comm, transfer.remote, m_location.id))
            out.addAttribute(slice, out.key(out.text("remote"), ValueType::Text),
                             Value::of(text(OTF2_TYPE_LOCATION, *remote)));
    }
    out.addAttribute(slice, out.key(out.text("bytes"), ValueType::Uint64), Value::of(transfer.bytes));
}

void LocationRecorder::endTransfer(std::int64_t ns, OTF2_RmaWinRef window, std::uint64_t matchingId,
                                   bool remote) {
    const auto begun = m_transfers.lower_bound({window, matchingId}); // the oldest of that number
    if (begun == m_transfers.end() || begun->first != std::pair(window, matchingId)) {
        if (!remote)
            count(RecordFault::UnmatchedTransferEnd);
        return;
    }
    m_builder.close(ns, begun->second);
    m_transfers.erase(begun);
}

MessageEnd LocationRecorder::messageEnd(std::int64_t ns, OTF2_CommRef comm, std::uint32_t peer,
                                        std::uint32_t tag, std::uint64_t bytes) {
    const auto process = m_tables.peerProcess(comm, peer, m_location.id);
    if (!process) {
        count(RecordFault::UndefinedCommunicator);
        return {};
    }
    return {ns,
            ns,
            m_posted++,
            bytes,
            m_target.communicators[m_tables.comms.at(comm).declared],
            m_target.ranks[*process],
            tag};
}

void LocationRecorder::send(std::int64_t ns, OTF2_CommRef comm, std::uint32_t receiver, std::uint32_t tag,
                            std::uint64_t bytes) {
    if (const MessageEnd end = messageEnd(ns, comm, receiver, tag, bytes); end.communicator.valid())
        records().addSend(end);
}

void LocationRecorder::receive(std::int64_t ns, OTF2_CommRef comm, std::uint32_t sender, std::uint32_t tag,
                               std::uint64_t bytes) {
    if (const MessageEnd end = messageEnd(ns, comm, sender, tag, bytes); end.communicator.valid())
        records().addReceive(end);
}

void LocationRecorder::requestReceive(std::int64_t ns, std::uint64_t request) {
    m_receiveRequests.insert_or_assign(request, Posted{ns, m_posted++});
}

void LocationRecorder::receiveRequested(std::int64_t ns, OTF2_CommRef comm, std::uint32_t sender,
                                        std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    MessageEnd end = messageEnd(ns, comm, sender, tag, bytes);
    const auto posted = m_receiveRequests.find(request);
    if (posted == m_receiveRequests.end()) {
        count(RecordFault::UnmatchedRequest);
    } else {
        end.postedNs = posted->second.ns;
        end.order = posted->second.order;
        m_receiveRequests.erase(posted);
    }
    if (end.communicator.valid())
        records().addReceive(end);
}

void LocationRecorder::addCollective(std::int64_t ns, const Begun& begun, const CollectiveData& data,
                                     bool nonBlocking) {
    Collective row;
    row.beginNs = begun.ns;
    row.endNs = ns;
    const auto name = collectiveName(data.operation);
    if (!name)
        count(RecordFault::UnknownValue);
    row.operation = records().text(name ? *name : fmt::format("operation {}", data.operation));
    if (const auto comm = m_tables.comms.find(data.comm); comm != m_tables.comms.end())
        row.communicator = m_target.communicators[comm->second.declared];
    else
        count(RecordFault::UndefinedCommunicator);
    row.root = data.root;
    row.nonBlocking = nonBlocking ? 1 : 0;
    row.bytesSent = data.sent;
    row.bytesReceived = data.received;
    records().addCollective(row, begun.slice);
}

void LocationRecorder::endCollective(std::int64_t ns, const CollectiveData& data) {
    Begun begun{ns, m_builder.innermost()};
    if (m_collectives.empty()) {
        count(RecordFault::UnmatchedCollectiveEnd);
    } else {
        begun = m_collectives.back();
        m_collectives.pop_back();
    }
    addCollective(ns, begun, data, false);
}

void LocationRecorder::endRmaCollective(std::int64_t ns, OTF2_RmaWinRef id, CollectiveData data) {
    const auto window = m_tables.raw.windows.find(id);
    data.comm = window == m_tables.raw.windows.end() ? OTF2_UNDEFINED_COMM : window->second.comm;
    endCollective(ns, data);
}

void LocationRecorder::requestCollective(std::int64_t ns, std::uint64_t request) {
    m_collectiveRequests.insert_or_assign(request, Begun{ns, m_builder.innermost()});
}

void LocationRecorder::completeCollective(std::int64_t ns, const CollectiveData& data,
                                          std::uint64_t request) {
    Begun begun{ns, m_builder.innermost()};
    if (const auto found = m_collectiveRequests.find(request); found != m_collectiveRequests.end()) {
        begun = found->second;
        m_collectiveRequests.erase(found);
    } else {
        count(RecordFault::UnmatchedRequest);
    }
    addCollective(ns, begun, data, true);
}

void LocationRecorder::enterContext(std::int64_t ns, OTF2_CallingContextRef id, std::uint32_t unwindDistance,
                                    bool instrumented) {
    const std::uint32_t row = m_tables.contexts.find(id);
    if (row == CallingContextTable::kNone)
        return count(RecordFault::UndefinedContext);
    // The frame at that distance is the first that was there before.
    const std::uint32_t entered = unwindDistance > 0 ? unwindDistance - 1 : 0;
    m_contexts.moveTo(ns, row, entered, instrumented, [this](OTF2_RegionRef number) {
        const RegionId region = m_regions.find(number);
        return region.valid() ? region : m_target.unknownRegion;
    });
}

void LocationRecorder::attributesOfContext(OTF2_CallingContextRef id, const OTF2_AttributeList* list) {
    if (OTF2_AttributeList_GetNumberOfElements(list) > 0)
        attributes(list, m_contexts.slice(m_tables.contexts.find(id)));
}

void LocationRecorder::leaveContext(std::int64_t ns, OTF2_CallingContextRef id,
                                    const OTF2_AttributeList* list) {
    const std::uint32_t row = m_tables.contexts.find(id);
    if (row == CallingContextTable::kNone)
        return count(RecordFault::UndefinedContext);
    attributesOfContext(id, list);
    m_contexts.leave(ns, row);
}

void LocationRecorder::finish() {
    const std::int64_t end = m_builder.lastEvent().value_or(0);
    for (const auto& [number, slice] : m_transfers)
        m_builder.close(end, slice);
    m_contexts.finish(end);
    m_faults[RecordFault::UnfinishedTransfer] += m_transfers.size();
    m_faults[RecordFault::UnfinishedCollective] += m_collectives.size() + m_collectiveRequests.size();
    m_faults[RecordFault::ContextMismatch] += m_contexts.mismatches();
    m_faults[RecordFault::ContextsLeftOut] += m_contexts.leftOut();
    m_transfers.clear();
}

} // namespace ddp::otf2
