// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/handles.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ddp::otf2 {

/// The global definitions that are used, as they stand in the archive: references by number, nothing
/// resolved, because a definition may be missing, damaged, or stand after its use. The first of several with
/// one number counts.
struct RawDefinitions {
    struct Node {
        OTF2_StringRef name, className;
        OTF2_SystemTreeNodeRef parent;
    };
    struct Group {
        OTF2_LocationGroupRef id;
        OTF2_StringRef name;
        OTF2_LocationGroupType type;
        OTF2_SystemTreeNodeRef node;
        OTF2_LocationGroupRef creator;
    };
    struct Location {
        OTF2_LocationRef id;
        OTF2_StringRef name;
        OTF2_LocationType type;
        std::uint64_t events;
        OTF2_LocationGroupRef group;
    };
    struct Region {
        OTF2_RegionRef id;
        OTF2_StringRef name, canonicalName, sourceFile;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
        std::uint32_t line;
    };

    struct Attribute {
        OTF2_StringRef name;
        OTF2_Type type;
    };
    struct Parameter {
        OTF2_StringRef name;
        OTF2_ParameterType type;
    };
    struct MetricMember {
        OTF2_StringRef name, description, unit;
        OTF2_MetricMode mode;
        OTF2_Type type;
        OTF2_Base base;
        std::int64_t exponent;
    };
    struct MetricInstance {
        OTF2_MetricRef metricClass;
        OTF2_MetricScope scope;
        std::uint64_t scopeRef;
    };
    struct MemberGroup {
        OTF2_StringRef name;
        OTF2_GroupType type;
        OTF2_Paradigm paradigm;
        std::vector<std::uint64_t> members;
    };
    struct Comm {
        OTF2_CommRef id;
        OTF2_StringRef name;
        OTF2_GroupRef group;
        OTF2_GroupRef remoteGroup; ///< of an intercommunicator, else undefined
    };
    struct Window {
        OTF2_StringRef name;
        OTF2_CommRef comm;
    };
    struct CallingContext {
        OTF2_CallingContextRef id;
        OTF2_RegionRef region;
        OTF2_CallingContextRef parent;
    };
    struct SourceCodeLocation {
        OTF2_StringRef file;
        std::uint32_t line;
    };

    bool hasClock = false;
    std::uint64_t ticksPerSecond = 0, globalOffset = 0, traceLength = 0;
    std::unordered_map<OTF2_StringRef, std::string> strings;
    std::unordered_map<OTF2_Paradigm, OTF2_StringRef> paradigms;
    std::unordered_map<OTF2_SystemTreeNodeRef, Node> nodes;
    std::vector<Group> groups;
    std::vector<Location> locations;
    std::vector<Region> regions;
    std::unordered_map<OTF2_AttributeRef, Attribute> attributes;
    std::unordered_map<OTF2_ParameterRef, Parameter> parameters;
    std::unordered_map<OTF2_MetricMemberRef, MetricMember> metricMembers;
    std::unordered_map<OTF2_MetricRef, std::vector<OTF2_MetricMemberRef>> metricClasses;
    std::unordered_map<OTF2_MetricRef, MetricInstance> metricInstances;
    std::unordered_map<OTF2_GroupRef, MemberGroup> memberGroups;
    std::vector<Comm> comms;
    std::unordered_map<OTF2_RmaWinRef, Window> windows;
    std::vector<CallingContext> callingContexts;
    std::unordered_map<OTF2_SourceCodeLocationRef, SourceCodeLocation> sourceCodeLocations;
    std::unordered_map<OTF2_InterruptGeneratorRef, OTF2_StringRef> interruptGenerators;
    std::unordered_map<OTF2_IoFileRef, OTF2_StringRef> ioFiles;
    std::unordered_map<OTF2_IoHandleRef, OTF2_StringRef> ioHandles;
    std::uint64_t duplicates = 0;
    std::uint64_t unknown = 0; ///< records of a later version of the format

    std::string_view text(OTF2_StringRef id) const {
        const auto found = strings.find(id);
        return found == strings.end() ? std::string_view{} : std::string_view(found->second);
    }
};

/// Fills `out` from the first `count` of the archive's global definitions; gives libotf2's answer, and what
/// was read before it failed.
OTF2_ErrorCode readRawDefinitions(OTF2_Reader* reader, std::uint64_t count, RawDefinitions& out);

} // namespace ddp::otf2
