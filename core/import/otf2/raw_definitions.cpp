// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/raw_definitions.h"

#include <unordered_set>

namespace ddp::otf2 {

namespace {

// What the callbacks fill; the sets find a second definition of the same number.
struct Filling {
    RawDefinitions& out;
    std::unordered_set<OTF2_LocationGroupRef> groups;
    std::unordered_set<OTF2_LocationRef> locations;
    std::unordered_set<OTF2_RegionRef> regions;

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

    Filling fill{out, {}, {}, {}};
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions.get(), callbacks.get(), &fill);
    std::uint64_t read = 0;
    return OTF2_Reader_ReadGlobalDefinitions(reader, definitions.get(), count, &read);
}

} // namespace ddp::otf2
