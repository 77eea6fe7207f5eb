// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/event_callbacks.h"

#include <algorithm>

namespace ddp::otf2 {

namespace {

LocationSink& sinkOf(void* userData) {
    return *static_cast<LocationSink*>(userData);
}

// Behind the cut end of a file libotf2 may decode what an earlier file left in its buffer, and damaged bytes
// give any time: what lies outside the archive's own range is no event of this location.
bool outside(LocationSink& sink, OTF2_TimeStamp time) {
    if (time - sink.firstTick <= sink.ticks) // wraps to a huge number for a time before the first tick
        return false;
    ++sink.outside;
    return true;
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
    if (!outside(sink, time))
        sink.builder->enter(sink.converter->nanoseconds(time), regionOf(sink, region));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLeave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                          OTF2_AttributeList*, OTF2_RegionRef region) {
    LocationSink& sink = sinkOf(userData);
    if (!outside(sink, time))
        sink.builder->leave(sink.converter->nanoseconds(time), regionOf(sink, region));
    return OTF2_CALLBACK_SUCCESS;
}

// One body for all other kinds of event, whatever they carry behind the common part.
template <class... Rest>
OTF2_CallbackCode onOther(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                          OTF2_AttributeList*, Rest...) {
    LocationSink& sink = sinkOf(userData);
    if (!outside(sink, time))
        sink.builder->other(sink.converter->nanoseconds(time));
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onUnknown(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t position,
                            void* userData, OTF2_AttributeList* attributes) {
    ++sinkOf(userData).unknownRecords;
    return onOther(location, time, position, userData, attributes);
}

// A table: one line per kind of event that libotf2 knows.
void setOthers(OTF2_EvtReaderCallbacks* all) {
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(all, onOther);
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
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(all, onOther);
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
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, onOther);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all, onOther);
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

EventCallbacks makeEventCallbacks() {
    EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New());
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks.get(), onEnter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks.get(), onLeave);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), onUnknown);
    setOthers(callbacks.get());
    return callbacks;
}

} // namespace ddp::otf2
