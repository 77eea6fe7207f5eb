// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/marker_reader.h"

#include "core/import/otf2/record_scan.h"

#include <fmt/format.h>
#include <string>
#include <unordered_map>

namespace ddp::otf2 {

namespace {

struct Kind {
    std::string group, category;
    OTF2_MarkerSeverity severity;
};

// What the callbacks fill.
struct Filling {
    const ArchiveTables& tables;
    TraceDefinitions& out;
    std::unordered_map<OTF2_MarkerRef, Kind> kinds;
    std::uint64_t undefined = 0;
};

Filling& filling(void* userData) {
    return *static_cast<Filling*>(userData);
}

OTF2_CallbackCode onKind(void* userData, OTF2_MarkerRef id, const char* group, const char* category,
                         OTF2_MarkerSeverity severity) {
    filling(userData).kinds.try_emplace(id, Kind{group ? group : "", category ? category : "", severity});
    return OTF2_CALLBACK_SUCCESS;
}

template <class Map>
std::optional<std::size_t> lookUp(const Map& map, std::uint64_t id) {
    const auto found = map.find(static_cast<typename Map::key_type>(id));
    return found == map.end() ? std::nullopt : std::optional(found->second);
}

// Which definition a scope is; none for the whole archive, whose scope has no name.
OTF2_Type typeOf(OTF2_MarkerScope scope) {
    switch (scope) {
    case OTF2_MARKER_SCOPE_LOCATION:
        return OTF2_TYPE_LOCATION;
    case OTF2_MARKER_SCOPE_LOCATION_GROUP:
        return OTF2_TYPE_LOCATION_GROUP;
    case OTF2_MARKER_SCOPE_GROUP:
        return OTF2_TYPE_GROUP;
    case OTF2_MARKER_SCOPE_COMM:
        return OTF2_TYPE_COMM;
    default:
        return OTF2_TYPE_NONE;
    }
}

void setScope(Filling& fill, OTF2_MarkerScope scope, std::uint64_t id, DeclaredMarker& marker) {
    std::optional<std::size_t> process;
    if (scope == OTF2_MARKER_SCOPE_LOCATION)
        process = lookUp(fill.tables.processOfLocation, id);
    else if (scope == OTF2_MARKER_SCOPE_LOCATION_GROUP)
        process = lookUp(fill.tables.processOfGroup, id);
    marker.process = process.value_or(0);
    std::optional<std::string> name;
    if (scope == OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE) {
        const auto node = fill.tables.raw.nodes.find(static_cast<OTF2_SystemTreeNodeRef>(id));
        if (node != fill.tables.raw.nodes.end())
            name = fill.tables.raw.text(node->second.name);
    } else {
        name = fill.tables.name(typeOf(scope), id);
    }
    if (!name && scope != OTF2_MARKER_SCOPE_GLOBAL)
        ++fill.undefined;
    marker.scope = name.value_or("");
}

OTF2_CallbackCode onMarker(void* userData, OTF2_TimeStamp time, OTF2_TimeStamp duration, OTF2_MarkerRef id,
                           OTF2_MarkerScope scope, std::uint64_t scopeRef, const char* text) {
    Filling& fill = filling(userData);
    DeclaredMarker marker;
    marker.tick = time;
    marker.length = duration;
    marker.text = text ? text : "";
    if (const auto kind = fill.kinds.find(id); kind != fill.kinds.end()) {
        marker.group = kind->second.group;
        marker.category = kind->second.category;
        marker.severity = kind->second.severity;
    } else {
        ++fill.undefined;
    }
    setScope(fill, scope, scopeRef, marker);
    fill.out.markers.push_back(std::move(marker));
    return OTF2_CALLBACK_SUCCESS;
}

} // namespace

void readMarkers(OTF2_Reader* reader, const std::filesystem::path& anchor, std::uint64_t chunkSize,
                 const ArchiveTables& tables, TraceDefinitions& definitions) {
    std::filesystem::path file = anchor;
    file.replace_extension(".marker");
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return;
    const RecordScan scan = scanRecords(file, chunkSize, RecordFile::Markers);
    Filling fill{tables, definitions, {}, 0};
    bool complete = scan.complete;
    if (scan.intact > 0) {
        const MarkerReader markers(OTF2_Reader_GetMarkerReader(reader), {reader});
        const MarkerCallbacks callbacks(OTF2_MarkerReaderCallbacks_New());
        OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks.get(), onKind);
        OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks.get(), onMarker);
        std::uint64_t read = 0;
        complete &= markers &&
                    OTF2_Reader_RegisterMarkerCallbacks(reader, markers.get(), callbacks.get(), &fill) ==
                        OTF2_SUCCESS &&
                    OTF2_Reader_ReadMarkers(reader, markers.get(), scan.intact, &read) == OTF2_SUCCESS;
    }
    const auto add = [&](const char* name, IssueSeverity severity, std::uint64_t count,
                         std::string sentence) {
        if (count > 0)
            definitions.issues.push_back(
                {name, severity, count, std::nullopt, std::nullopt, std::move(sentence)});
    };
    add("damaged_marker_file", IssueSeverity::DataLoss, complete ? 0 : 1,
        fmt::format("{} is damaged; the markers behind that place are missing.", file.string()));
    add("undefined_marker", IssueSeverity::Warning, fill.undefined,
        "Markers are of a kind, or about something, that the archive does not define.");
}

} // namespace ddp::otf2
