// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/trace/otf2_archive.h"

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdio>
#include <map>

namespace ddp::worker::trace {

namespace {

// libotf2's events are buffered in chunks of this size per location.
constexpr std::uint64_t kEventChunkBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kDefinitionChunkBytes = std::uint64_t{4} << 20;

// Events are written before the definitions, so this string's number is agreed on beforehand.
constexpr OTF2_StringRef kProgramName = 0;

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

/// libotf2 prints its own errors in several lines on stderr; here the first of them is kept for our one
/// sentence.
OTF2_ErrorCode keepFirst(void* userData, const char*, std::uint64_t, const char*, OTF2_ErrorCode code,
                         const char* format, va_list arguments) {
    auto& first = *static_cast<std::string*>(userData);
    if (first.empty() && code != OTF2_SUCCESS) {
        char text[400];
        std::vsnprintf(text, sizeof text, format, arguments);
        first =
            std::string(OTF2_Error_GetDescription(code)) + (*text ? std::string(": ") + text : std::string());
    }
    return code;
}

struct CollectiveRole {
    const char* name;
    OTF2_RegionRole role;
};

constexpr CollectiveRole kCollectiveRoles[] = {
    {"gloo:all_reduce", OTF2_REGION_ROLE_COLL_ALL2ALL}, {"gloo:all_gather", OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"gloo:all_to_all", OTF2_REGION_ROLE_COLL_ALL2ALL}, {"gloo:broadcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
    {"gloo:scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},    {"gloo:reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
    {"gloo:gather", OTF2_REGION_ROLE_COLL_ALL2ONE},     {"gloo:barrier", OTF2_REGION_ROLE_BARRIER},
    {"gloo:send", OTF2_REGION_ROLE_POINT2POINT},        {"gloo:recv", OTF2_REGION_ROLE_POINT2POINT},
};

OTF2_RegionRole roleOf(const Region& region) {
    if (region.kind != RegionKind::Collective)
        return OTF2_REGION_ROLE_FUNCTION;
    for (const auto& known : kCollectiveRoles) {
        if (region.name == known.name)
            return known.role;
    }
    return OTF2_REGION_ROLE_COLL_OTHER;
}

/// One archive being written. Errors do not stop it half way, since libotf2 must be told to close in any
/// case; the first one is kept.
class ArchiveWriter {
public:
    ArchiveWriter(const Snapshot& snapshot, const ArchiveFacts& facts)
        : m_snapshot(snapshot), m_facts(facts) {}

    std::string write() {
        OTF2_Error_RegisterCallback(keepFirst, &m_error);
        m_archive = OTF2_Archive_Open(m_facts.folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunkBytes,
                                      kDefinitionChunkBytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (m_archive == nullptr)
            return m_error.empty() ? "libotf2 could not open it" : m_error;
        static const OTF2_FlushCallbacks flush{flushAlways, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(m_archive, &flush, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(m_archive));
        check(OTF2_Archive_SetCreator(m_archive, m_facts.creator.c_str()));
        property("DDPSCOPE::RANK", std::to_string(m_facts.rank));
        property("DDPSCOPE::WORLD_SIZE", std::to_string(m_facts.worldSize));
        property("DDPSCOPE::TIMER", "CLOCK_MONOTONIC");
        writeEvents();
        writeLocalDefinitions();
        writeGlobalDefinitions();
        check(OTF2_Archive_Close(m_archive));
        return m_error;
    }

private:
    void check(OTF2_ErrorCode code) {
        if (code != OTF2_SUCCESS && m_error.empty())
            m_error = OTF2_Error_GetDescription(code);
    }
    void property(const char* name, const std::string& value) {
        check(OTF2_Archive_SetProperty(m_archive, name, value.c_str(), false));
    }

    void writeEvents() {
        check(OTF2_Archive_OpenEvtFiles(m_archive));
        for (std::size_t i = 0; i < m_snapshot.lanes.size(); ++i) {
            OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(m_archive, i);
            if (writer == nullptr)
                continue;
            // Where the process began and ended, on its main thread: what is still open then was open until
            // the end.
            if (i == 0)
                check(OTF2_EvtWriter_ProgramBegin(writer, nullptr,
                                                  static_cast<OTF2_TimeStamp>(m_snapshot.beginMonotonicNs),
                                                  kProgramName, 0, nullptr));
            for (const Event& event : m_snapshot.lanes[i].events) {
                const auto time = static_cast<OTF2_TimeStamp>(event.timeNs);
                check(event.enter ? OTF2_EvtWriter_Enter(writer, nullptr, time, event.region)
                                  : OTF2_EvtWriter_Leave(writer, nullptr, time, event.region));
            }
            if (i == 0)
                check(OTF2_EvtWriter_ProgramEnd(writer, nullptr,
                                                static_cast<OTF2_TimeStamp>(m_snapshot.endMonotonicNs),
                                                m_facts.exitCode));
            check(OTF2_Archive_CloseEvtWriter(m_archive, writer));
        }
        check(OTF2_Archive_CloseEvtFiles(m_archive));
    }

    // Readers expect a definition file for every location, empty or not.
    void writeLocalDefinitions() {
        check(OTF2_Archive_OpenDefFiles(m_archive));
        for (std::size_t i = 0; i < m_snapshot.lanes.size(); ++i) {
            if (OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(m_archive, i))
                check(OTF2_Archive_CloseDefWriter(m_archive, writer));
        }
        check(OTF2_Archive_CloseDefFiles(m_archive));
    }

    OTF2_StringRef string(const std::string& text) {
        const auto [entry, isNew] = m_strings.emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
        if (isNew)
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, entry->second, text.c_str()));
        return entry->second;
    }

    void writeGlobalDefinitions() {
        m_definitions = OTF2_Archive_GetGlobalDefWriter(m_archive);
        if (m_definitions == nullptr)
            return;
        check(OTF2_GlobalDefWriter_WriteClockProperties(
            m_definitions, 1'000'000'000, static_cast<std::uint64_t>(m_snapshot.beginMonotonicNs),
            static_cast<std::uint64_t>(m_snapshot.endMonotonicNs - m_snapshot.beginMonotonicNs),
            static_cast<std::uint64_t>(m_snapshot.beginWallNs)));
        string("ddpscope-worker"); // the first one, so that its number is kProgramName
        string("");
        writeSystem();
        for (std::size_t i = 0; i < m_snapshot.regions.size(); ++i) {
            const Region& region = m_snapshot.regions[i];
            const OTF2_StringRef name = string(region.name);
            // OTF2 3.0 knows no paradigm for Gloo.
            const OTF2_Paradigm paradigm =
                region.kind == RegionKind::Collective ? OTF2_PARADIGM_UNKNOWN : OTF2_PARADIGM_USER;
            check(OTF2_GlobalDefWriter_WriteRegion(m_definitions, static_cast<OTF2_RegionRef>(i), name, name,
                                                   string(""), roleOf(region), paradigm,
                                                   OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
        }
        check(OTF2_Archive_CloseGlobalDefWriter(m_archive, m_definitions));
    }

    void writeSystem() {
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, 0, string("Linux"), string("machine"),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_definitions, 0,
                                                             OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, 1, string(m_facts.host), string("node"),
                                                       0));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_definitions, 1,
                                                             OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
        check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, 0, string("Process"),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, 1,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        for (std::size_t i = 0; i < m_snapshot.lanes.size(); ++i) {
            const Lane& lane = m_snapshot.lanes[i];
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, i, string(lane.name),
                                                     OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     lane.events.size() + (i == 0 ? 2 : 0), 0));
        }
    }

    const Snapshot& m_snapshot;
    const ArchiveFacts& m_facts;
    OTF2_Archive* m_archive = nullptr;
    OTF2_GlobalDefWriter* m_definitions = nullptr;
    std::map<std::string, OTF2_StringRef> m_strings;
    std::string m_error;
};

} // namespace

std::string writeOtf2Archive(const Snapshot& snapshot, const ArchiveFacts& facts) {
    return ArchiveWriter(snapshot, facts).write();
}

} // namespace ddp::worker::trace
