// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <otf2/otf2.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddp::test {

/// Writes an archive whose records are written by libotf2's own functions, for the records that Otf2Archive
/// does not know. One tick is one nanosecond, the time range [0, 1,000,000]; node "node01"; strings are
/// defined as they are asked for.
class RawArchive {
public:
    using Fill = std::function<void(RawArchive&)>;

    explicit RawArchive(const std::filesystem::path& folder) : m_anchor(folder / "traces.otf2") {
        std::filesystem::create_directories(folder);
        m_archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (!m_archive)
            throw std::runtime_error("no archive in " + folder.string());
        static const OTF2_FlushCallbacks flush{always, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(m_archive, &flush, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(m_archive));
        check(OTF2_Archive_OpenEvtFiles(m_archive));
    }
    RawArchive(const RawArchive&) = delete;
    RawArchive& operator=(const RawArchive&) = delete;
    ~RawArchive() {
        if (m_archive)
            OTF2_Archive_Close(m_archive);
    }

    /// The events of one location, which belongs to a process of its own when `group` is new.
    void location(std::uint64_t id, const std::string& name, OTF2_LocationType type, std::uint32_t group,
                  const std::function<void(OTF2_EvtWriter*)>& fill) {
        OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(m_archive, id);
        fill(writer);
        std::uint64_t events = 0;
        check(OTF2_EvtWriter_GetNumberOfEvents(writer, &events));
        check(OTF2_Archive_CloseEvtWriter(m_archive, writer));
        m_locations.push_back({id, name, type, group, events});
    }
    void thread(std::uint64_t id, const std::function<void(OTF2_EvtWriter*)>& fill) {
        location(id, "thread " + std::to_string(id), OTF2_LOCATION_TYPE_CPU_THREAD,
                 static_cast<std::uint32_t>(id), fill);
    }
    /// Groups that are not named here are processes "MPI Rank <n>".
    void accelerator(std::uint32_t group, const std::string& name, std::uint32_t creator) {
        m_accelerators[group] = {name, creator};
    }
    void region(std::uint32_t id, const std::string& name) { m_regions[id] = name; }

    /// Writes the definitions that everything above needs, then those of `fill`; closes the archive and gives
    /// its anchor.
    std::filesystem::path finish(const Fill& fill = {}) {
        check(OTF2_Archive_CloseEvtFiles(m_archive));
        check(OTF2_Archive_OpenDefFiles(m_archive));
        for (const auto& location : m_locations)
            check(OTF2_Archive_CloseDefWriter(m_archive, OTF2_Archive_GetDefWriter(m_archive, location.id)));
        check(OTF2_Archive_CloseDefFiles(m_archive));
        m_definitions = OTF2_Archive_GetGlobalDefWriter(m_archive);
        for (const auto& [text, id] : m_strings)
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, id, text.c_str()));
        check(OTF2_GlobalDefWriter_WriteClockProperties(m_definitions, 1'000'000'000, 0, 1'000'000,
                                                        OTF2_UNDEFINED_TIMESTAMP));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, 0, string("node01"), string("node"),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        std::map<std::uint32_t, bool> groups;
        for (const auto& location : m_locations)
            if (groups.emplace(location.group, true).second)
                writeGroup(location.group);
        for (const auto& location : m_locations)
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, location.id, string(location.name),
                                                     location.type, location.events, location.group));
        for (const auto& [id, name] : m_regions)
            check(OTF2_GlobalDefWriter_WriteRegion(m_definitions, id, string(name), string(name), string(""),
                                                   OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                                   OTF2_REGION_FLAG_NONE, string("file.cpp"), 1, 2));
        if (fill)
            fill(*this);
        check(OTF2_Archive_CloseGlobalDefWriter(m_archive, m_definitions));
        check(OTF2_Archive_Close(m_archive));
        m_archive = nullptr;
        return m_anchor;
    }

    OTF2_Archive* archive() { return m_archive; }
    OTF2_GlobalDefWriter* definitions() { return m_definitions; }
    OTF2_StringRef string(const std::string& text) {
        const auto [entry, isNew] =
            m_strings.try_emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
        if (isNew && m_definitions)
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, entry->second, text.c_str()));
        return entry->second;
    }
    /// A communicator of these locations, in the order of its ranks, and what it needs.
    void communicator(std::uint32_t id, const std::string& name, std::vector<std::uint64_t> locations) {
        std::vector<std::uint64_t> places(locations.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = places.size() - 1 - i; // the list of all is in another order than the communicator
        const std::vector<std::uint64_t> all(locations.rbegin(), locations.rend());
        const auto size = static_cast<std::uint32_t>(all.size());
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 100 + 2 * id, string(""),
                                              OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, size, all.data()));
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 101 + 2 * id, string(""),
                                              OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, size, places.data()));
        check(OTF2_GlobalDefWriter_WriteComm(m_definitions, id, string(name), 101 + 2 * id,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }

    static void check(OTF2_ErrorCode code) {
        if (code != OTF2_SUCCESS)
            throw std::runtime_error(OTF2_Error_GetDescription(code));
    }

private:
    static OTF2_FlushType always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

    void writeGroup(std::uint32_t id) {
        const auto device = m_accelerators.find(id);
        if (device == m_accelerators.end())
            return check(OTF2_GlobalDefWriter_WriteLocationGroup(
                m_definitions, id, string("MPI Rank " + std::to_string(id)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                0, OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, id, string(device->second.first),
                                                      OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0,
                                                      device->second.second));
    }

    struct Location {
        std::uint64_t id;
        std::string name;
        OTF2_LocationType type;
        std::uint32_t group;
        std::uint64_t events;
    };
    std::filesystem::path m_anchor;
    OTF2_Archive* m_archive = nullptr;
    OTF2_GlobalDefWriter* m_definitions = nullptr;
    std::vector<Location> m_locations;
    std::map<std::uint32_t, std::pair<std::string, std::uint32_t>> m_accelerators;
    std::map<std::uint32_t, std::string> m_regions;
    std::map<std::string, OTF2_StringRef> m_strings;
};

} // namespace ddp::test
