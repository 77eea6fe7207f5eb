// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/event_callbacks.h"

#include "core/import/otf2/location_recorder.h"
#include "core/import/otf2/record_callbacks.h"

#include <algorithm>

namespace ddp::otf2 {

namespace {

LocationSink& sinkOf(void* userData) {
    return *static_cast<LocationSink*>(userData);
}

RegionId regionOf(LocationSink& sink, OTF2_RegionRef number) {
    const RegionId region = sink.regions->find(number);
    if (region.valid())
        return region;
    ++sink.undefinedRegions;
    return sink.unknownRegion;
}

OTF2_CallbackCode onEnter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                          OTF2_AttributeList*, OTF2_RegionRef region) {
    LocationSink& sink = sinkOf(userData);
    if (sink.accepts(time))
        sink.builder->enter(sink.nanoseconds(time), regionOf(sink, region));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLeave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                          OTF2_AttributeList*, OTF2_RegionRef region) {
    LocationSink& sink = sinkOf(userData);
    if (sink.accepts(time))
        sink.builder->leave(sink.nanoseconds(time), regionOf(sink, region));
    return OTF2_CALLBACK_SUCCESS;
}

// The same for a file that holds attributes: most do not, and should not pay for looking.
OTF2_CallbackCode onEnterWithAttributes(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        std::uint64_t position, void* userData,
                                        OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    onEnter(location, time, position, userData, attributes, region);
    LocationSink& sink = sinkOf(userData);
    if (sink.accepted(time) && OTF2_AttributeList_GetNumberOfElements(attributes) > 0)
        sink.recorder->attributes(attributes, sink.builder->innermost());
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLeaveWithAttributes(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        std::uint64_t position, void* userData,
                                        OTF2_AttributeList* attributes, OTF2_RegionRef region) {
    LocationSink& sink = sinkOf(userData);
    if (sink.accepted(time) && OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        const RegionId id = sink.regions->find(region);
        sink.recorder->attributes(attributes, sink.builder->leaving(id.valid() ? id : sink.unknownRegion));
    }
    return onLeave(location, time, position, userData, attributes, region);
}

// One body for all other kinds of event, whatever they carry behind the common part.
template <class... Rest>
OTF2_CallbackCode onOther(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                          OTF2_AttributeList*, Rest...) {
    LocationSink& sink = sinkOf(userData);
    if (sink.accepts(time))
        sink.builder->other(sink.nanoseconds(time));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onUnknown(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t position,
                            void* userData, OTF2_AttributeList* attributes) {
    ++sinkOf(userData).unknownRecords;
    return onOther(location, time, position, userData, attributes);
}

// A table: one line per kind of event that libotf2 knows.
void setOthers(OTF2_EvtReaderCallbacks* all) {
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(all, onOther);
}

} // namespace

RegionTable::RegionTable(const std::vector<OTF2_RegionRef>& numbers, const std::vector<RegionId>& ids) {
    const std::size_t dense =
        2 * numbers.size() + 1024; // room for gaps, no more memory than the definitions took
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] >= dense) {
            m_sparse.emplace(numbers[i], ids[i]);
            continue;
        }
        m_dense.resize(std::max<std::size_t>(m_dense.size(), numbers[i] + std::size_t{1}));
        m_dense[numbers[i]] = ids[i];
    }
}

EventCallbacks makeEventCallbacks(bool withAttributes) {
    EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks.get(),
                                             withAttributes ? onEnterWithAttributes : onEnter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks.get(),
                                             withAttributes ? onLeaveWithAttributes : onLeave);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), onUnknown);
    setOthers(callbacks.get());
    setRecordCallbacks(callbacks.get());
    return callbacks;
}

} // namespace ddp::otf2
