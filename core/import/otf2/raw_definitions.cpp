// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/raw_definitions.h"

#include <unordered_set>
#include <utility>

namespace ddp::otf2 {

namespace {

// What the callbacks fill; the sets find a second definition of the same number.
struct Filling {
    RawDefinitions& out;
    std::unordered_set<OTF2_LocationGroupRef> groups;
    std::unordered_set<OTF2_LocationRef> locations;
    std::unordered_set<OTF2_RegionRef> regions;
    std::unordered_set<OTF2_CommRef> comms;
    std::unordered_set<OTF2_CallingContextRef> callingContexts;

    template <class Set, class Id>
    bool isNew(Set& known, Id id) {
        const bool added = known.insert(id).second;
        out.duplicates += added ? 0 : 1;
        return added;
    }
};

Filling& filling(void* userData) {
    return *static_cast<Filling*>(userData);
}

OTF2_CallbackCode onUnknown(void* userData) {
    ++filling(userData).out.unknown;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onClock(void* userData, std::uint64_t resolution, std::uint64_t offset,
                          std::uint64_t length, std::uint64_t) {
    RawDefinitions& out = filling(userData).out;
    out.hasClock = true;
    out.ticksPerSecond = resolution;
    out.globalOffset = offset;
    out.traceLength = length;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onString(void* userData, OTF2_StringRef id, const char* text) {
    RawDefinitions& out = filling(userData).out;
    out.duplicates += out.strings.try_emplace(id, text ? text : "").second ? 0 : 1;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onParadigm(void* userData, OTF2_Paradigm id, OTF2_StringRef name, OTF2_ParadigmClass) {
    filling(userData).out.paradigms.try_emplace(id, name);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onNode(void* userData, OTF2_SystemTreeNodeRef id, OTF2_StringRef name,
                         OTF2_StringRef className, OTF2_SystemTreeNodeRef parent) {
    RawDefinitions& out = filling(userData).out;
    out.duplicates += out.nodes.try_emplace(id, RawDefinitions::Node{name, className, parent}).second ? 0 : 1;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onGroup(void* userData, OTF2_LocationGroupRef id, OTF2_StringRef name,
                          OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                          OTF2_LocationGroupRef creator) {
    Filling& fill = filling(userData);
    if (fill.isNew(fill.groups, id))
        fill.out.groups.push_back({id, name, type, node, creator});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onLocation(void* userData, OTF2_LocationRef id, OTF2_StringRef name, OTF2_LocationType type,
                             std::uint64_t events, OTF2_LocationGroupRef group) {
    Filling& fill = filling(userData);
    if (fill.isNew(fill.locations, id))
        fill.out.locations.push_back({id, name, type, events, group});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onRegion(void* userData, OTF2_RegionRef id, OTF2_StringRef name,
                           OTF2_StringRef canonicalName, OTF2_StringRef, OTF2_RegionRole role,
                           OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef sourceFile,
                           std::uint32_t line, std::uint32_t) {
    Filling& fill = filling(userData);
    if (fill.isNew(fill.regions, id))
        fill.out.regions.push_back({id, name, canonicalName, sourceFile, role, paradigm, line});
    return OTF2_CALLBACK_SUCCESS;
}

// For the definitions that are only looked up by their number.
template <class Table, class Id, class Row>
OTF2_CallbackCode keep(void* userData, Table RawDefinitions::*table, Id id, Row row) {
    RawDefinitions& out = filling(userData).out;
    out.duplicates += (out.*table).try_emplace(id, std::move(row)).second ? 0 : 1;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onAttribute(void* userData, OTF2_AttributeRef id, OTF2_StringRef name, OTF2_StringRef,
                              OTF2_Type type) {
    return keep(userData, &RawDefinitions::attributes, id, RawDefinitions::Attribute{name, type});
}

OTF2_CallbackCode onParameter(void* userData, OTF2_ParameterRef id, OTF2_StringRef name,
                              OTF2_ParameterType type) {
    return keep(userData, &RawDefinitions::parameters, id, RawDefinitions::Parameter{name, type});
}

OTF2_CallbackCode onMetricMember(void* userData, OTF2_MetricMemberRef id, OTF2_StringRef name,
                                 OTF2_StringRef description, OTF2_MetricType, OTF2_MetricMode mode,
                                 OTF2_Type type, OTF2_Base base, std::int64_t exponent, OTF2_StringRef unit) {
    return keep(userData, &RawDefinitions::metricMembers, id,
                RawDefinitions::MetricMember{name, description, unit, mode, type, base, exponent});
}

OTF2_CallbackCode onMetricClass(void* userData, OTF2_MetricRef id, std::uint8_t count,
                                const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence,
                                OTF2_RecorderKind) {
    return keep(userData, &RawDefinitions::metricClasses, id,
                std::vector<OTF2_MetricMemberRef>(members, members + count));
}

// Its recorder is the location that holds the events, which the reader knows.
OTF2_CallbackCode onMetricInstance(void* userData, OTF2_MetricRef id, OTF2_MetricRef metricClass,
                                   OTF2_LocationRef, OTF2_MetricScope scope, std::uint64_t scopeRef) {
    return keep(userData, &RawDefinitions::metricInstances, id,
                RawDefinitions::MetricInstance{metricClass, scope, scopeRef});
}

OTF2_CallbackCode onMemberGroup(void* userData, OTF2_GroupRef id, OTF2_StringRef name, OTF2_GroupType type,
                                OTF2_Paradigm paradigm, OTF2_GroupFlag, std::uint32_t count,
                                const std::uint64_t* members) {
    return keep(userData, &RawDefinitions::memberGroups, id,
                RawDefinitions::MemberGroup{name, type, paradigm,
                                            std::vector<std::uint64_t>(members, members + count)});
}

OTF2_CallbackCode addComm(void* userData, RawDefinitions::Comm comm) {
    Filling& fill = filling(userData);
    if (fill.isNew(fill.comms, comm.id))
        fill.out.comms.push_back(comm);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onComm(void* userData, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group,
                         OTF2_CommRef, OTF2_CommFlag) {
    return addComm(userData, {id, name, group, OTF2_UNDEFINED_GROUP});
}

OTF2_CallbackCode onInterComm(void* userData, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef groupA,
                              OTF2_GroupRef groupB, OTF2_CommRef, OTF2_CommFlag) {
    return addComm(userData, {id, name, groupA, groupB});
}

OTF2_CallbackCode onWindow(void* userData, OTF2_RmaWinRef id, OTF2_StringRef name, OTF2_CommRef comm,
                           OTF2_RmaWinFlag) {
    return keep(userData, &RawDefinitions::windows, id, RawDefinitions::Window{name, comm});
}

OTF2_CallbackCode onCallingContext(void* userData, OTF2_CallingContextRef id, OTF2_RegionRef region,
                                   OTF2_SourceCodeLocationRef, OTF2_CallingContextRef parent) {
    Filling& fill = filling(userData);
    if (fill.isNew(fill.callingContexts, id))
        fill.out.callingContexts.push_back({id, region, parent});
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode onSourceCodeLocation(void* userData, OTF2_SourceCodeLocationRef id, OTF2_StringRef file,
                                       std::uint32_t line) {
    return keep(userData, &RawDefinitions::sourceCodeLocations, id,
                RawDefinitions::SourceCodeLocation{file, line});
}

OTF2_CallbackCode onInterruptGenerator(void* userData, OTF2_InterruptGeneratorRef id, OTF2_StringRef name,
                                       OTF2_InterruptGeneratorMode, OTF2_Base, std::int64_t, std::uint64_t) {
    return keep(userData, &RawDefinitions::interruptGenerators, id, name);
}

OTF2_CallbackCode onIoFile(void* userData, OTF2_IoFileRef id, OTF2_StringRef name, OTF2_SystemTreeNodeRef) {
    return keep(userData, &RawDefinitions::ioFiles, id, name);
}

OTF2_CallbackCode onIoHandle(void* userData, OTF2_IoHandleRef id, OTF2_StringRef name, OTF2_IoFileRef,
                             OTF2_IoParadigmRef, OTF2_IoHandleFlag, OTF2_CommRef, OTF2_IoHandleRef) {
    return keep(userData, &RawDefinitions::ioHandles, id, name);
}

void setRecordCallbacks(OTF2_GlobalDefReaderCallbacks* all) {
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(all, onAttribute);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(all, onParameter);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(all, onMetricMember);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(all, onMetricClass);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(all, onMetricInstance);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(all, onMemberGroup);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(all, onComm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(all, onInterComm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(all, onWindow);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(all, onCallingContext);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(all, onSourceCodeLocation);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(all, onInterruptGenerator);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(all, onIoFile);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(all, onIoFile);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(all, onIoHandle);
}

} // namespace

OTF2_ErrorCode readRawDefinitions(OTF2_Reader* reader, std::uint64_t count, RawDefinitions& out) {
    GlobalDefinitionReader definitions(OTF2_Reader_GetGlobalDefReader(reader), {reader});
    if (!definitions)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    GlobalDefinitionCallbacks callbacks(OTF2_GlobalDefReaderCallbacks_New());
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks.get(), onUnknown);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks.get(), onClock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks.get(), onString);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(callbacks.get(), onParadigm);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks.get(), onNode);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks.get(), onGroup);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), onLocation);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks.get(), onRegion);

    setRecordCallbacks(callbacks.get());

    Filling fill{out, {}, {}, {}, {}, {}};
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions.get(), callbacks.get(), &fill);
    std::uint64_t read = 0;
    return OTF2_Reader_ReadGlobalDefinitions(reader, definitions.get(), count, &read);
}

} // namespace ddp::otf2
