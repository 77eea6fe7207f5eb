// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <otf2/otf2.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Writes small OTF2 archives with libotf2's own writer. Link the test with PkgConfig::OTF2.
namespace ddp::test {

enum class Record { Enter, Leave, Metric, Parameter, RmaGet, RmaDone, MpiSend };

struct Otf2Event {
    Record record = Record::Enter;
    std::uint64_t tick = 0;
    std::uint32_t region = 0; ///< of ENTER and LEAVE
};

struct Otf2Region {
    std::string name;
    std::string file;
    unsigned role = OTF2_REGION_ROLE_FUNCTION;
    unsigned paradigm = OTF2_PARADIGM_USER;
};

struct Otf2Location {
    std::uint64_t id = 0;
    std::string name = "Master thread";
    unsigned type = OTF2_LOCATION_TYPE_CPU_THREAD;
    std::uint32_t group = 0;
    std::vector<Otf2Event> events;
    std::optional<std::uint64_t> declaredEvents = std::nullopt; ///< else as many as there are
    std::optional<std::int64_t> clockOffset = std::nullopt;     ///< in the location's own definitions
};

struct Otf2Group {
    std::string name = "Process";
    unsigned type = OTF2_LOCATION_GROUP_TYPE_PROCESS;
    std::uint32_t node = 1;
    std::uint32_t creator = OTF2_UNDEFINED_LOCATION_GROUP;
};

struct Otf2Node {
    std::string name;
    std::string className;
    std::uint32_t parent = OTF2_UNDEFINED_SYSTEM_TREE_NODE;
};

struct Otf2Archive {
    std::string stem = "traces";
    std::string creator = "Score-P 9.0";
    std::map<std::string, std::string> properties;
    std::uint64_t ticksPerSecond = 1'000'000'000;
    std::uint64_t globalOffset = 0;
    std::uint64_t traceLength = 0;
    std::vector<Otf2Node> nodes{{"Linux", "machine"}, {"node01", "node", 0}};
    std::vector<Otf2Group> groups{{}};
    std::vector<Otf2Region> regions{{"main", "main.cpp"}};
    std::vector<Otf2Location> locations;
    std::size_t definedRegions = SIZE_MAX; ///< write only the first ones, so that later ones are undefined
    bool definesRecords = false;           ///< metric, parameter and window 0, which the events may name
};

namespace detail {

inline void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(OTF2_Error_GetDescription(code));
}

inline void writeEvent(OTF2_EvtWriter* writer, const Otf2Event& event) {
    const OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value{};
    switch (event.record) {
    case Record::Enter:
        return check(OTF2_EvtWriter_Enter(writer, nullptr, event.tick, event.region));
    case Record::Leave:
        return check(OTF2_EvtWriter_Leave(writer, nullptr, event.tick, event.region));
    case Record::Metric:
        return check(OTF2_EvtWriter_Metric(writer, nullptr, event.tick, 0, 1, &type, &value));
    case Record::Parameter:
        return check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, event.tick, 0, 7));
    case Record::RmaGet:
        return check(OTF2_EvtWriter_RmaGet(writer, nullptr, event.tick, 0, 0, 4096, 42));
    case Record::RmaDone:
        return check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, event.tick, 0, 42));
    case Record::MpiSend:
        return check(OTF2_EvtWriter_MpiSend(writer, nullptr, event.tick, 0, 0, 1, 64));
    }
}

class ArchiveWriter {
public:
    ArchiveWriter(const std::filesystem::path& folder, const Otf2Archive& what) : m_what(what) {
        std::filesystem::create_directories(folder);
        m_archive = OTF2_Archive_Open(folder.c_str(), what.stem.c_str(), OTF2_FILEMODE_WRITE, 1 << 20,
                                      1 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (!m_archive)
            throw std::runtime_error("no archive in " + folder.string());
        static const OTF2_FlushCallbacks flush{always, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(m_archive, &flush, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(m_archive));
        check(OTF2_Archive_SetCreator(m_archive, what.creator.c_str()));
        for (const auto& [name, value] : what.properties)
            check(OTF2_Archive_SetProperty(m_archive, name.c_str(), value.c_str(), true));
        events();
        definitions();
        check(OTF2_Archive_Close(m_archive));
    }

private:
    static OTF2_FlushType always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

    void events() {
        check(OTF2_Archive_OpenEvtFiles(m_archive));
        for (const auto& location : m_what.locations) {
            OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(m_archive, location.id);
            for (const auto& event : location.events)
                writeEvent(writer, event);
            check(OTF2_Archive_CloseEvtWriter(m_archive, writer));
        }
        check(OTF2_Archive_CloseEvtFiles(m_archive));
        check(OTF2_Archive_OpenDefFiles(m_archive));
        for (const auto& location : m_what.locations) {
            OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(m_archive, location.id);
            if (location.clockOffset) // libotf2 interpolates between two; one alone it does not apply
                for (const std::uint64_t tick :
                     {m_what.globalOffset, m_what.globalOffset + m_what.traceLength})
                    check(OTF2_DefWriter_WriteClockOffset(writer, tick, *location.clockOffset, 0));
            check(OTF2_Archive_CloseDefWriter(m_archive, writer));
        }
        check(OTF2_Archive_CloseDefFiles(m_archive));
    }

    OTF2_StringRef string(const std::string& text) {
        const auto [entry, isNew] =
            m_strings.try_emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
        if (isNew)
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, entry->second, text.c_str()));
        return entry->second;
    }

    void definitions() {
        m_definitions = OTF2_Archive_GetGlobalDefWriter(m_archive);
        check(OTF2_GlobalDefWriter_WriteClockProperties(m_definitions, m_what.ticksPerSecond,
                                                        m_what.globalOffset, m_what.traceLength,
                                                        OTF2_UNDEFINED_TIMESTAMP));
        string("");
        std::uint32_t id = 0;
        for (const auto& node : m_what.nodes)
            check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, id++, string(node.name),
                                                           string(node.className), node.parent));
        id = 0;
        for (const auto& group : m_what.groups)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, id++, string(group.name),
                                                          static_cast<OTF2_LocationGroupType>(group.type),
                                                          group.node, group.creator));
        for (const auto& location : m_what.locations)
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, location.id, string(location.name),
                                                     static_cast<OTF2_LocationType>(location.type),
                                                     location.declaredEvents.value_or(location.events.size()),
                                                     location.group));
        id = 0;
        for (const auto& region : m_what.regions)
            if (id < m_what.definedRegions)
                check(OTF2_GlobalDefWriter_WriteRegion(
                    m_definitions, id++, string(region.name), string(region.name), string(""),
                    static_cast<OTF2_RegionRole>(region.role), static_cast<OTF2_Paradigm>(region.paradigm),
                    OTF2_REGION_FLAG_NONE, string(region.file), 1, 2));
        if (m_what.definesRecords)
            recordDefinitions();
        check(OTF2_Archive_CloseGlobalDefWriter(m_archive, m_definitions));
    }

    // As Score-P's CUDA adapter names them; the window's ranks are the locations in their order.
    void recordDefinitions() {
        check(OTF2_GlobalDefWriter_WriteParameter(m_definitions, 0, string("blocks per grid"),
                                                  OTF2_PARAMETER_TYPE_UINT64));
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            m_definitions, 0, string("CUDA Memory"), string("CUDA Memory"), OTF2_METRIC_TYPE_OTHER,
            OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string("bytes")));
        const OTF2_MetricMemberRef member = 0;
        check(OTF2_GlobalDefWriter_WriteMetricClass(m_definitions, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                                    OTF2_RECORDER_KIND_ABSTRACT));
        std::vector<std::uint64_t> all, places;
        for (const auto& location : m_what.locations) {
            places.push_back(all.size());
            all.push_back(location.id);
        }
        const auto size = static_cast<std::uint32_t>(all.size());
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 0, string("CUDA"),
                                              OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA,
                                              OTF2_GROUP_FLAG_NONE, size, all.data()));
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, 1, string("CUDA_GROUP"),
                                              OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA,
                                              OTF2_GROUP_FLAG_NONE, size, places.data()));
        check(OTF2_GlobalDefWriter_WriteComm(m_definitions, 0, string(""), 1, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE));
        check(OTF2_GlobalDefWriter_WriteRmaWin(m_definitions, 0, string("CUDA_WINDOW"), 0,
                                               OTF2_RMA_WIN_FLAG_NONE));
    }

    const Otf2Archive& m_what;
    OTF2_Archive* m_archive = nullptr;
    OTF2_GlobalDefWriter* m_definitions = nullptr;
    std::map<std::string, OTF2_StringRef> m_strings;
};

} // namespace detail

/// Writes folder/STEM.otf2 and its files; gives the anchor.
inline std::filesystem::path writeArchive(const std::filesystem::path& folder, const Otf2Archive& archive) {
    detail::ArchiveWriter(folder, archive);
    return folder / (archive.stem + ".otf2");
}

/// A regular archive of one location: main from `begin` to `end`.
inline Otf2Archive plainArchive(std::uint64_t begin, std::uint64_t end) {
    Otf2Archive archive;
    archive.globalOffset = begin;
    archive.traceLength = end - begin;
    archive.locations = {{0,
                          "Master thread",
                          OTF2_LOCATION_TYPE_CPU_THREAD,
                          0,
                          {{Record::Enter, begin, 0}, {Record::Leave, end, 0}}}};
    return archive;
}

/// One rank of a DDP run as Score-P's CUDA adapter leaves it (trace-viewers.md 2.3): group "Process" and
/// location 0 in every archive, a resolution that differs a little per rank, undefined date, kernels of role
/// 40, COMPUTE IDLE over the kernels of the first stream, NCCL on a stream of its own, parameters, copies as
/// RMA, a metric location.
inline Otf2Archive scorepRank(int rank, int steps) {
    Otf2Archive archive;
    archive.ticksPerSecond = 2'600'005'391 + static_cast<std::uint64_t>(rank) * 184;
    archive.globalOffset = 5'677'925'802'481 + static_cast<std::uint64_t>(rank) * 14'525'697;
    archive.nodes.push_back({"0", "CUDA Device", 1});
    archive.groups.push_back({"CUDA Context 1", OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 2, 0});
    archive.regions = {{"user:step", "train.py"},
                       {"cuLaunchKernel", "CUDRV", OTF2_REGION_ROLE_WRAPPER, OTF2_PARADIGM_CUDA},
                       {"gemm", "CUDA_KERNEL", 40, OTF2_PARADIGM_CUDA},
                       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "CUDA_KERNEL", 40, OTF2_PARADIGM_CUDA},
                       {"COMPUTE IDLE", "CUDA_IDLE", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_CUDA}};
    std::vector<Otf2Event> host, compute, nccl, memory;
    const std::uint64_t zero = archive.globalOffset;
    constexpr std::uint64_t kStep = 1'000'000;
    for (int step = 0; step < steps; ++step) {
        const std::uint64_t t = zero + static_cast<std::uint64_t>(step) * kStep;
        host.insert(host.end(), {{Record::Enter, t, 0},
                                 {Record::Enter, t + 10, 1},
                                 {Record::Leave, t + 20, 1},
                                 {Record::Leave, t + 900'000, 0}});
        compute.insert(compute.end(), {{Record::Enter, t + 1'000, 4},
                                       {Record::Enter, t + 100'000, 2}, // begins while COMPUTE IDLE is open
                                       {Record::Parameter, t + 100'000, 0},
                                       {Record::Leave, t + 150'000, 4},
                                       {Record::Leave, t + 500'000, 2},
                                       {Record::RmaGet, t + 510'000, 0},
                                       {Record::RmaDone, t + 520'000, 0}});
        nccl.insert(nccl.end(), {{Record::Enter, t + 300'000, 3}, {Record::Leave, t + 700'000, 3}});
        memory.push_back({Record::Metric, t + 5, 0});
    }
    archive.traceLength = static_cast<std::uint64_t>(steps) * kStep;
    archive.definesRecords = true;
    archive.locations = {{0, "Master thread", OTF2_LOCATION_TYPE_CPU_THREAD, 0, host},
                         {1ull << 32, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 1, compute},
                         {2ull << 32, "CUDA[0:20]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 1, nccl},
                         {3ull << 32, "Per process metrics", OTF2_LOCATION_TYPE_METRIC, 0, memory}};
    return archive;
}

} // namespace ddp::test
