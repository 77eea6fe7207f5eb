// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/archive_tables.h"

#include "core/import/otf2/enums.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ddp::otf2 {

namespace {

template <class Map, class Key>
auto find(const Map& map, Key key) {
    const auto found = map.find(static_cast<typename Map::key_type>(key));
    return found == map.end() ? nullptr : &found->second;
}

template <class Row>
std::optional<OTF2_StringRef> nameIn(const Row* row) {
    return row ? std::optional(row->name) : std::nullopt;
}

std::optional<OTF2_StringRef> nameIn(const OTF2_StringRef* row) {
    return row ? std::optional(*row) : std::nullopt;
}

template <class Rows>
std::optional<OTF2_StringRef> nameOfId(const Rows& rows, std::uint64_t id) {
    const auto found = std::find_if(rows.begin(), rows.end(), [id](const auto& row) { return row.id == id; });
    return found == rows.end() ? std::nullopt : std::optional(found->name);
}

} // namespace

void ArchiveTables::fill(TraceDefinitions& definitions) {
    for (std::size_t i = 0; i < raw.locations.size(); ++i) {
        locations.emplace(raw.locations[i].id, i);
        processOfLocation.emplace(raw.locations[i].id, definitions.locations[i].process);
    }
    for (const auto& region : raw.regions)
        regionNames.emplace_back(region.id, region.name);
    std::sort(regionNames.begin(), regionNames.end());
    contexts = CallingContextTable(raw.callingContexts);
    fillComms(definitions);
    if (!raw.windows.empty())
        addTransferRegions(definitions);
}

// A group of a communicator lists places in the list of all locations that its paradigm uses.
std::vector<OTF2_LocationRef> ArchiveTables::membersOf(OTF2_GroupRef id, const Locations& locationsOf) const {
    const auto* group = find(raw.memberGroups, id);
    if (!group)
        return {};
    if (group->type != OTF2_GROUP_TYPE_COMM_GROUP)
        return group->members;
    const auto found = locationsOf.find(group->paradigm);
    const auto* all = found == locationsOf.end() ? nullptr : found->second;
    std::vector<OTF2_LocationRef> members;
    for (std::uint64_t place : group->members)
        members.push_back(all && place < all->members.size() ? all->members[place] : OTF2_UNDEFINED_LOCATION);
    return members;
}

std::size_t ArchiveTables::processOf(OTF2_LocationRef location) const {
    const auto* process = find(processOfLocation, location);
    return process ? *process : DeclaredCommunicator::kUnknown;
}

void ArchiveTables::fillComms(TraceDefinitions& definitions) {
    std::map<OTF2_GroupRef, const RawDefinitions::MemberGroup*> ordered; // the first of a paradigm counts
    for (const auto& [id, group] : raw.memberGroups)
        if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            ordered.emplace(id, &group);
    Locations locationsOf;
    for (const auto& [id, group] : ordered)
        locationsOf.emplace(group->paradigm, group);
    for (const auto& comm : raw.comms) {
        CommMembers members;
        members.declared = definitions.communicators.size();
        const auto* group = find(raw.memberGroups, comm.group);
        members.self = group && group->type == OTF2_GROUP_TYPE_COMM_SELF;
        members.members = membersOf(comm.group, locationsOf);
        members.remote = membersOf(comm.remoteGroup, locationsOf);
        DeclaredCommunicator declared{std::string(raw.text(comm.name)), {}};
        for (const auto* side : {&members.members, &members.remote})
            for (OTF2_LocationRef location : *side)
                declared.members.push_back(processOf(location));
        definitions.communicators.push_back(std::move(declared));
        comms.emplace(comm.id, std::move(members));
    }
}

void ArchiveTables::addTransferRegions(TraceDefinitions& definitions) {
    transferRegions = definitions.regions.size();
    const auto* comm = find(comms, raw.windows.begin()->second.comm);
    const auto* group = comm ? find(raw.memberGroups, raw.comms[comm->declared].group) : nullptr;
    for (const char* name : {"Memcpy HtoD", "Memcpy DtoH", "RMA get", "RMA put", "RMA atomic"}) {
        RegionDescription region;
        region.name = name;
        region.paradigm = group ? paradigmName(group->paradigm) : "";
        region.role = RegionRole::Transfer;
        definitions.regions.push_back(std::move(region));
    }
}

std::optional<OTF2_LocationRef> ArchiveTables::peer(OTF2_CommRef id, std::uint32_t rank,
                                                    OTF2_LocationRef from) const {
    const auto* comm = find(comms, id);
    if (!comm)
        return std::nullopt;
    if (comm->self)
        return from;
    const bool across = !comm->remote.empty() &&
                        std::any_of(comm->members.begin(), comm->members.end(), [&](OTF2_LocationRef member) {
                            return processOf(member) == processOf(from);
                        });
    const auto& members = across ? comm->remote : comm->members;
    return rank < members.size() ? std::optional(members[rank]) : std::nullopt;
}

std::optional<std::size_t> ArchiveTables::peerProcess(OTF2_CommRef comm, std::uint32_t rank,
                                                      OTF2_LocationRef from) const {
    const auto location = peer(comm, rank, from);
    const std::size_t process = location ? processOf(*location) : DeclaredCommunicator::kUnknown;
    return process == DeclaredCommunicator::kUnknown ? std::nullopt : std::optional(process);
}

std::optional<OTF2_StringRef> ArchiveTables::nameRef(OTF2_Type type, std::uint64_t id) const {
    switch (type) {
    case OTF2_TYPE_STRING:
        return static_cast<OTF2_StringRef>(id);
    case OTF2_TYPE_ATTRIBUTE:
        return nameIn(find(raw.attributes, id));
    case OTF2_TYPE_LOCATION: {
        const auto* row = find(locations, id);
        return row ? std::optional(raw.locations[*row].name) : std::nullopt;
    }
    case OTF2_TYPE_REGION: {
        const auto row =
            std::lower_bound(regionNames.begin(), regionNames.end(), id,
                             [](const auto& region, std::uint64_t wanted) { return region.first < wanted; });
        return row != regionNames.end() && row->first == id ? std::optional(row->second) : std::nullopt;
    }
    case OTF2_TYPE_GROUP:
        return nameIn(find(raw.memberGroups, id));
    case OTF2_TYPE_COMM: {
        const auto* comm = find(comms, id);
        return comm ? std::optional(raw.comms[comm->declared].name) : std::nullopt;
    }
    case OTF2_TYPE_PARAMETER:
        return nameIn(find(raw.parameters, id));
    case OTF2_TYPE_RMA_WIN:
        return nameIn(find(raw.windows, id));
    case OTF2_TYPE_INTERRUPT_GENERATOR:
        return nameIn(find(raw.interruptGenerators, id));
    case OTF2_TYPE_IO_FILE:
        return nameIn(find(raw.ioFiles, id));
    case OTF2_TYPE_IO_HANDLE:
        return nameIn(find(raw.ioHandles, id));
    case OTF2_TYPE_LOCATION_GROUP:
        return nameOfId(raw.groups, id);
    default:
        return std::nullopt;
    }
}

std::optional<std::string> ArchiveTables::name(OTF2_Type type, std::uint64_t id) const {
    if (type == OTF2_TYPE_METRIC) {
        const auto* instance = find(raw.metricInstances, id);
        const auto* members = find(raw.metricClasses, instance ? instance->metricClass : id);
        const auto* first =
            members && !members->empty() ? find(raw.metricMembers, members->front()) : nullptr;
        return first ? std::optional(std::string(raw.text(first->name))) : std::nullopt;
    }
    if (type == OTF2_TYPE_CALLING_CONTEXT) {
        const auto region = contexts.region(static_cast<OTF2_CallingContextRef>(id));
        return region ? name(OTF2_TYPE_REGION, *region) : std::nullopt;
    }
    if (type == OTF2_TYPE_SOURCE_CODE_LOCATION) {
        const auto* place = find(raw.sourceCodeLocations, id);
        return place ? std::optional(fmt::format("{}:{}", raw.text(place->file), place->line)) : std::nullopt;
    }
    const auto text = nameRef(type, id);
    const auto* string = text ? find(raw.strings, *text) : nullptr;
    return string ? std::optional(*string) : std::nullopt;
}

} // namespace ddp::otf2
