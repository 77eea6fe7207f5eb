// SPDX-License-Identifier: GPL-3.0-or-later
// A table: one function per kind of event, each as libotf2 wants it.
#include "core/import/otf2/record_callbacks.h"

#include "core/import/otf2/location_recorder.h"

namespace ddp::otf2 {

namespace {

using Location = OTF2_LocationRef;
using Time = OTF2_TimeStamp;
using Position = std::uint64_t;
using List = OTF2_AttributeList*;

// Counts the event and hands it on, unless its time is impossible.
template <class Keep>
OTF2_CallbackCode record(void* userData, Time time, Keep keep) {
    LocationSink& sink = *static_cast<LocationSink*>(userData);
    if (sink.accepts(time))
        keep(*sink.recorder, sink.builder->other(sink.nanoseconds(time)));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onMeasurement(Location, Time time, Position, void* data, List, OTF2_MeasurementMode mode) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) {
        if (mode == OTF2_MEASUREMENT_OFF)
            to.measurementOff();
    });
}

OTF2_CallbackCode onBufferFlush(Location, Time time, Position, void* data, List, Time) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) { to.bufferFlush(); });
}

OTF2_CallbackCode onMetric(Location, Time time, Position, void* data, List, OTF2_MetricRef id,
                           std::uint8_t count, const OTF2_Type* types, const OTF2_MetricValue* values) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.metric(ns, id, std::span(types, count), values);
    });
}

OTF2_CallbackCode onString(Location, Time time, Position, void* data, List, OTF2_ParameterRef id,
                           OTF2_StringRef text) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) { to.stringParameter(id, text); });
}

OTF2_CallbackCode onInt(Location, Time time, Position, void* data, List, OTF2_ParameterRef id,
                        std::int64_t value) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) {
        to.parameter(id, ValueType::Int64, Value::of(value));
    });
}

OTF2_CallbackCode onUint(Location, Time time, Position, void* data, List, OTF2_ParameterRef id,
                         std::uint64_t value) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) {
        to.parameter(id, ValueType::Uint64, Value::of(value));
    });
}

template <LocationRecorder::TransferKind kind>
OTF2_CallbackCode onTransfer(Location, Time time, Position, void* data, List, OTF2_RmaWinRef window,
                             std::uint32_t remote, std::uint64_t bytes, std::uint64_t id) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.beginTransfer(ns, kind, {window, remote, bytes, id});
    });
}

OTF2_CallbackCode onAtomic(Location, Time time, Position, void* data, List, OTF2_RmaWinRef window,
                           std::uint32_t remote, OTF2_RmaAtomicType, std::uint64_t sent,
                           std::uint64_t received, std::uint64_t id) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.beginTransfer(ns, LocationRecorder::TransferKind::Atomic, {window, remote, sent + received, id});
    });
}

template <bool remote>
OTF2_CallbackCode onTransferEnd(Location, Time time, Position, void* data, List, OTF2_RmaWinRef window,
                                std::uint64_t id) {
    return record(data, time,
                  [&](LocationRecorder& to, std::int64_t ns) { to.endTransfer(ns, window, id, remote); });
}

OTF2_CallbackCode onSend(Location, Time time, Position, void* data, List, std::uint32_t receiver,
                         OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
    return record(data, time,
                  [&](LocationRecorder& to, std::int64_t ns) { to.send(ns, comm, receiver, tag, bytes); });
}

OTF2_CallbackCode onIsend(Location location, Time time, Position position, void* data, List list,
                          std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                          std::uint64_t) {
    return onSend(location, time, position, data, list, receiver, comm, tag, bytes);
}

OTF2_CallbackCode onReceive(Location, Time time, Position, void* data, List, std::uint32_t sender,
                            OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
    return record(data, time,
                  [&](LocationRecorder& to, std::int64_t ns) { to.receive(ns, comm, sender, tag, bytes); });
}

OTF2_CallbackCode onReceiveRequest(Location, Time time, Position, void* data, List, std::uint64_t request) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) { to.requestReceive(ns, request); });
}

OTF2_CallbackCode onRequestedReceive(Location, Time time, Position, void* data, List, std::uint32_t sender,
                                     OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                                     std::uint64_t request) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.receiveRequested(ns, comm, sender, tag, bytes, request);
    });
}

OTF2_CallbackCode onCancelled(Location, Time time, Position, void* data, List, std::uint64_t request) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t) { to.cancelRequest(request); });
}

OTF2_CallbackCode onCollectiveBegin(Location, Time time, Position, void* data, List) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) { to.beginCollective(ns); });
}

OTF2_CallbackCode onCollectiveEnd(Location, Time time, Position, void* data, List,
                                  OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root,
                                  std::uint64_t sent, std::uint64_t received) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.endCollective(ns, {operation, comm, root, sent, received});
    });
}

OTF2_CallbackCode onRmaCollectiveEnd(Location, Time time, Position, void* data, List,
                                     OTF2_CollectiveOp operation, OTF2_RmaSyncLevel, OTF2_RmaWinRef window,
                                     std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.endRmaCollective(ns, window, {operation, OTF2_UNDEFINED_COMM, root, sent, received});
    });
}

OTF2_CallbackCode onCollectiveRequest(Location, Time time, Position, void* data, List,
                                      std::uint64_t request) {
    return record(data, time,
                  [&](LocationRecorder& to, std::int64_t ns) { to.requestCollective(ns, request); });
}

OTF2_CallbackCode onCollectiveComplete(Location, Time time, Position, void* data, List,
                                       OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root,
                                       std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.completeCollective(ns, {operation, comm, root, sent, received}, request);
    });
}

OTF2_CallbackCode onContextEnter(Location, Time time, Position, void* data, List list,
                                 OTF2_CallingContextRef id, std::uint32_t unwindDistance) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.enterContext(ns, id, unwindDistance, true);
        to.attributesOfContext(id, list);
    });
}

OTF2_CallbackCode onContextLeave(Location, Time time, Position, void* data, List list,
                                 OTF2_CallingContextRef id) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) { to.leaveContext(ns, id, list); });
}

OTF2_CallbackCode onContextSample(Location, Time time, Position, void* data, List, OTF2_CallingContextRef id,
                                  std::uint32_t unwindDistance, OTF2_InterruptGeneratorRef) {
    return record(data, time, [&](LocationRecorder& to, std::int64_t ns) {
        to.enterContext(ns, id, unwindDistance, false);
    });
}

} // namespace

void setRecordCallbacks(OTF2_EvtReaderCallbacks* all) {
    using Kind = LocationRecorder::TransferKind;
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(all, onMeasurement);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(all, onBufferFlush);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, onMetric);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(all, onString);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(all, onInt);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, onUint);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, onTransfer<Kind::Get>);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, onTransfer<Kind::Put>);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(all, onAtomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, onTransferEnd<false>);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(all, onTransferEnd<false>);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(all, onTransferEnd<true>);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, onSend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, onIsend);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, onReceive);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, onReceiveRequest);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, onRequestedReceive);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, onCancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, onCollectiveBegin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, onCollectiveEnd);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(all, onCollectiveBegin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(all, onRmaCollectiveEnd);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, onCollectiveRequest);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all, onCollectiveComplete);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(all, onContextEnter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(all, onContextLeave);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(all, onContextSample);
}

} // namespace ddp::otf2
