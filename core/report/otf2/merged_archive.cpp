// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/otf2/merged_archive.h"

#include "core/import/otf2/enums.h"
#include "core/import/otf2/error_capture.h"
#include "core/report/otf2/location_events.h"
#include "core/report/slice_writing.h"
#include "core/store/clock_quality_name.h"

#include <atomic>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <otf2/otf2.h>
#include <random>
#include <string>
#include <system_error>

namespace ddp::report {

namespace {

// libotf2 buffers the events and the definitions of a location in chunks of these sizes.
constexpr std::uint64_t kEventChunkBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kDefinitionChunkBytes = std::uint64_t{4} << 20;

// libotf2 keeps this much of a file back. When it can not write it, and closes the file afterwards, it frees
// the buffer twice (3.0.2).
constexpr std::uint64_t kFileBufferBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kLargestEventBytes = 16; // time stamp and ENTER or LEAVE
// Events are written before the definitions, so this string's number is agreed on beforehand.
constexpr OTF2_StringRef kProgramName = 0;
constexpr std::uint64_t kDefinitionBytes = 64; // no definition has more numbers

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

OTF2_LocationType typeOf(LocationKind kind) {
    switch (kind) {
    case LocationKind::Stream:
        return OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
    case LocationKind::Thread:
        return OTF2_LOCATION_TYPE_CPU_THREAD;
    case LocationKind::Metric:
        return OTF2_LOCATION_TYPE_METRIC;
    case LocationKind::Other:
        break;
    }
    return OTF2_LOCATION_TYPE_UNKNOWN;
}

OTF2_RegionRole roleOf(RegionRole role) {
    constexpr unsigned kKernel = 40; // OTF2 3.1's; Score-P 9 writes it whatever libotf2 is there
    switch (role) {
    case RegionRole::Function:
        return OTF2_REGION_ROLE_FUNCTION;
    case RegionRole::Wrapper:
        return OTF2_REGION_ROLE_WRAPPER;
    case RegionRole::Kernel:
        return static_cast<OTF2_RegionRole>(kKernel);
    case RegionRole::Collective:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case RegionRole::PointToPoint:
        return OTF2_REGION_ROLE_POINT2POINT;
    case RegionRole::Barrier:
        return OTF2_REGION_ROLE_BARRIER;
    case RegionRole::Transfer:
        return OTF2_REGION_ROLE_DATA_TRANSFER;
    case RegionRole::Artificial:
        return OTF2_REGION_ROLE_ARTIFICIAL;
    case RegionRole::Other:
        break;
    }
    return OTF2_REGION_ROLE_UNKNOWN;
}

OTF2_Paradigm paradigmOf(std::string_view name) {
    for (unsigned paradigm = 0; paradigm <= OTF2_PARADIGM_KOKKOS; ++paradigm)
        if (otf2::paradigmName(static_cast<OTF2_Paradigm>(paradigm)) == name)
            return static_cast<OTF2_Paradigm>(paradigm);
    return OTF2_PARADIGM_UNKNOWN;
}

/// One archive being written.
class ArchiveWriter {
public:
    ArchiveWriter(const TraceStore& store, const OutputArchive& target, WritingPace& pace)
        : m_store(store), m_target(target), m_pace(pace), m_events(store.locations().size()) {}

    Result<void> write() {
        m_archive = OTF2_Archive_Open(m_target.folder().c_str(), m_target.stem().c_str(), OTF2_FILEMODE_WRITE,
                                      kEventChunkBytes, kDefinitionChunkBytes, OTF2_SUBSTRATE_POSIX,
                                      OTF2_COMPRESSION_NONE);
        if (!m_archive)
            return failure("it could not be opened");
        static const OTF2_FlushCallbacks flush{flushAlways, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(m_archive, &flush, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(m_archive));
        properties();
        for (const auto part :
             {&ArchiveWriter::events, &ArchiveWriter::localDefinitions, &ArchiveWriter::globalDefinitions})
            if (!m_failed)
                (this->*part)();
        if (m_failed) {
            abandon(m_archive);
            return failure(m_code);
        }
        check(OTF2_Archive_Close(m_archive));
        // An error while a file is closed is told, but not returned.
        const std::string told = m_errors.take();
        return m_failed || !told.empty() ? failure(told.empty() ? m_code : told) : Result<void>();
    }

    // What a walk through the slices of the open location asks for.
    bool goOn() { return m_pace.goOn() && !m_failed; }
    bool enter(const WalkedSlice& slice) {
        enterAt(slice.begin, slice.region);
        return goOn();
    }
    void leave(const WalkedSlice& slice) { leaveAt(slice.end, slice.region); }
    void enterAt(Nanoseconds time, RegionId region) {
        record(OTF2_EvtWriter_Enter, tick(time), region.value);
    }
    void leaveAt(Nanoseconds time, RegionId region) {
        record(OTF2_EvtWriter_Leave, tick(time), region.value);
    }

private:
    void check(OTF2_ErrorCode code) {
        if (code != OTF2_SUCCESS)
            giveUp(OTF2_Error_GetDescription(code));
    }
    void giveUp(std::string why) {
        if (!m_failed)
            m_code = std::move(why);
        m_failed = true;
    }
    Result<void> failure(const std::string& why) {
        const std::string told = m_errors.take();
        return fail(ErrorCode::Unwritable,
                    fmt::format("{} can not be written ({}); see whether there is enough free space.",
                                m_target.anchor().string(), told.empty() ? why : told));
    }
    // An archive with a file that could not be written must not be closed (see kFileBufferBytes). It stays
    // open until the program ends; its files are removed with their folder.
    static void abandon(OTF2_Archive* archive) {
        static std::atomic<OTF2_Archive*> abandoned; // where the leak checker sees it
        abandoned = archive;
    }
    // Closing a file writes what libotf2 kept back of it; a file as large as that must not fail then.
    bool canClose(std::uint64_t bytes) {
        if (bytes <= kFileBufferBytes || m_failed)
            return !m_failed;
        if (const int error = m_target.reserve(2 * kFileBufferBytes))
            giveUp(std::generic_category().message(error));
        return !m_failed;
    }
    template <class Write, class... Values>
    void record(Write writeRecord, OTF2_TimeStamp time, Values... values) {
        if (m_failed) // then the writer's buffer is gone
            return;
        check(writeRecord(m_location, nullptr, time, values...));
        ++*m_written;
    }
    // The axis of the run begins with its first event.
    OTF2_TimeStamp tick(Nanoseconds time) const {
        return static_cast<OTF2_TimeStamp>((time - m_store.extent().begin).count);
    }

    void properties() {
        const auto set = [this](const char* name, const std::string& value) {
            check(OTF2_Archive_SetProperty(m_archive, name, value.c_str(), false));
        };
        check(OTF2_Archive_SetCreator(m_archive, "ddpscope " DDP_VERSION));
        const auto ranks = m_store.ranks();
        if (ranks.size() == 1 && ranks[0].rank)
            set("DDPSCOPE::RANK", std::to_string(*ranks[0].rank));
        // A clock of its own, so that nobody compares its times with those of another archive.
        set("DDPSCOPE::TIMER", fmt::format("ddpscope-run-{:08x}", std::random_device{}()));
        ClockQuality worst = ClockQuality::SameHost;
        for (const RankInfo& rank : ranks)
            worst = std::max(worst, rank.clock.quality);
        set(kClockQualityProperty, clockQualityName(worst));
    }

    void events() {
        check(OTF2_Archive_OpenEvtFiles(m_archive));
        for (std::size_t i = 0; i < m_events.size() && m_pace.ended(); ++i) {
            m_location = OTF2_Archive_GetEvtWriter(m_archive, i);
            if (!m_location)
                return giveUp("no writer for a location");
            m_written = &m_events[i];
            // The run may begin and end with records that are no slices; without these two its zero would
            // move.
            if (i == 0)
                record(OTF2_EvtWriter_ProgramBegin, 0, kProgramName, 0, nullptr);
            writeSlices(LocationId(i));
            if (i == 0)
                record(OTF2_EvtWriter_ProgramEnd, tick(m_store.extent().end), 0);
            if (!canClose(m_events[i] * kLargestEventBytes))
                return;
            check(OTF2_Archive_CloseEvtWriter(m_archive, m_location));
        }
        check(OTF2_Archive_CloseEvtFiles(m_archive));
    }

    void writeSlices(LocationId id) {
        const auto lanes = m_store.lanes(id);
        const TimeRange all = m_store.extent();
        if (!hasOverlaps(lanes))
            return walkSlices(lanes, all.begin, all.end, *this);
        OverlapOrder<ArchiveWriter> inOrder(*this);
        walkSlices(lanes, all.begin, all.end, inOrder);
        inOrder.flush();
    }

    // Readers expect a definition file for every location, empty or not.
    void localDefinitions() {
        check(OTF2_Archive_OpenDefFiles(m_archive));
        for (std::size_t i = 0; i < m_events.size(); ++i)
            if (OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(m_archive, i))
                check(OTF2_Archive_CloseDefWriter(m_archive, writer));
        check(OTF2_Archive_CloseDefFiles(m_archive));
    }

    OTF2_StringRef string(std::string_view text) {
        const auto [entry, isNew] = m_strings.emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
        if (isNew) {
            check(OTF2_GlobalDefWriter_WriteString(m_definitions, entry->second, entry->first.c_str()));
            m_definitionBytes += text.size() + kDefinitionBytes;
        }
        return entry->second;
    }

    void globalDefinitions() {
        m_definitions = OTF2_Archive_GetGlobalDefWriter(m_archive);
        if (!m_definitions)
            return giveUp("no writer for the definitions");
        check(OTF2_GlobalDefWriter_WriteClockProperties(
            m_definitions, 1'000'000'000, 0, static_cast<std::uint64_t>(m_store.extent().length().count),
            OTF2_UNDEFINED_TIMESTAMP));
        string("ddpscope run"); // the first one, so that its number is kProgramName
        string("");
        const OTF2_SystemTreeNodeRef machine = addNode("Linux", "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        for (std::size_t rank = 0; rank < m_store.ranks().size(); ++rank)
            addRank(rank, machine);
        for (std::size_t i = 0; i < m_store.regionCount(); ++i)
            addRegion(RegionId(i));
        m_definitionBytes += (m_store.regionCount() + m_events.size()) * kDefinitionBytes;
        if (canClose(m_definitionBytes))
            check(OTF2_Archive_CloseGlobalDefWriter(m_archive, m_definitions));
    }

    OTF2_SystemTreeNodeRef addNode(const std::string& name, const char* className,
                                   OTF2_SystemTreeNodeRef parent) {
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, m_nodes, string(name),
                                                       string(className), parent));
        return m_nodes++;
    }

    OTF2_LocationGroupRef addGroup(const std::string& name, OTF2_LocationGroupType type,
                                   OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, m_groups, string(name), type, node,
                                                      creator));
        return m_groups++;
    }

    void addRank(std::size_t index, OTF2_SystemTreeNodeRef machine) {
        const RankInfo& rank = m_store.ranks()[index];
        OTF2_SystemTreeNodeRef node = machine;
        if (rank.host) {
            const auto [host, isNew] = m_hosts.try_emplace(*rank.host, m_nodes);
            if (isNew)
                addNode(*rank.host, "node", machine);
            node = host->second;
        }
        const OTF2_LocationGroupRef process =
            addGroup(rank.rank ? fmt::format("Rank {}", *rank.rank) : "Process",
                     OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
        std::map<std::optional<int>, OTF2_LocationGroupRef> accelerators; // by device
        for (LocationId id : rank.locations) {
            const LocationInfo& location = m_store.location(id);
            OTF2_LocationGroupRef group = process;
            if (location.kind == LocationKind::Stream) {
                const auto [known, isNew] = accelerators.try_emplace(location.device, m_groups);
                if (isNew)
                    addAccelerator(location.device, node, process);
                group = known->second;
            }
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, id.index(), string(location.name),
                                                     typeOf(location.kind), m_events[id.index()], group));
        }
    }

    // As Score-P does it: the device is a node of the system, its number the node's name.
    void addAccelerator(std::optional<int> device, OTF2_SystemTreeNodeRef host,
                        OTF2_LocationGroupRef process) {
        const OTF2_SystemTreeNodeRef node =
            device ? addNode(std::to_string(*device), "Accelerator Device", host) : host;
        addGroup(device ? fmt::format("Accelerator {}", *device) : "Accelerator",
                 OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, node, process);
    }

    void addRegion(RegionId id) {
        const RegionInfo& region = m_store.region(id);
        const std::string_view canonical = m_store.text(region.canonicalName);
        const OTF2_StringRef name = string(m_store.text(region.name));
        check(OTF2_GlobalDefWriter_WriteRegion(
            m_definitions, id.value, name, canonical.empty() ? name : string(canonical), string(""),
            roleOf(region.role), paradigmOf(m_store.text(region.paradigm)), OTF2_REGION_FLAG_NONE,
            string(m_store.text(region.sourceFile)), region.line, region.line));
    }

    const TraceStore& m_store;
    const OutputArchive& m_target;
    WritingPace& m_pace;
    otf2::ErrorCapture m_errors;
    std::string m_code; // of the first error
    bool m_failed = false;
    std::vector<std::uint64_t> m_events; // written, per location
    OTF2_Archive* m_archive = nullptr;
    OTF2_EvtWriter* m_location = nullptr; // the one that is being written
    std::uint64_t* m_written = nullptr;   // its count
    OTF2_GlobalDefWriter* m_definitions = nullptr;
    std::uint64_t m_definitionBytes = 0; // at most
    std::map<std::string, OTF2_StringRef, std::less<>> m_strings;
    std::map<std::string, OTF2_SystemTreeNodeRef> m_hosts;
    OTF2_SystemTreeNodeRef m_nodes = 0;
    OTF2_LocationGroupRef m_groups = 0;
};

} // namespace

Result<void> writeMergedArchive(const TraceStore& store, const OutputArchive& target, std::stop_token stop,
                                Progress& progress) {
    WritingPace pace(store, std::move(stop), progress);
    auto written = ArchiveWriter(store, target, pace).write();
    if (auto ended = pace.ended(); !ended)
        return forward(ended);
    return written;
}

} // namespace ddp::report
