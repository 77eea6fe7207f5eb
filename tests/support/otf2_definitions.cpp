// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/otf2_definitions.h"

#include "tests/support/ddp_script.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace ddp::test {

namespace {

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

constexpr OTF2_GroupRef kCudaLocations = 0;
constexpr OTF2_GroupRef kCudaGroup = 1;
constexpr OTF2_GroupRef kMpiLocations = 2;
constexpr OTF2_GroupRef kMpiGroup = 3;
constexpr OTF2_CommRef kCudaComm = 0;

class Definitions {
public:
    Definitions(OTF2_Archive* archive, const std::vector<ProcessFacts>& processes,
                std::span<const TruthLocation> locations)
        : m_archive(archive), m_out(OTF2_Archive_GetGlobalDefWriter(archive)), m_processes(processes),
          m_locations(locations), m_mpi(processes.size() > 1) {
        for (const TruthLocation& location : locations)
            m_devices = std::max(m_devices, static_cast<std::size_t>(location.device.value_or(0)) + 1);
    }

    void write(const TruthArchive& facts) {
        check(OTF2_GlobalDefWriter_WriteClockProperties(m_out, facts.ticksPerSecond, facts.globalOffset,
                                                        facts.traceLength, OTF2_UNDEFINED_TIMESTAMP));
        string("/home/alice/train.py"); // 0: what PROGRAM_BEGIN names
        string("");
        system();
        regions();
        attributesAndParameters();
        memoryMetric();
        communicators();
        check(OTF2_Archive_CloseGlobalDefWriter(m_archive, m_out));
    }

private:
    OTF2_StringRef string(const std::string& text) {
        const auto [entry, isNew] =
            m_strings.try_emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
        if (isNew)
            check(OTF2_GlobalDefWriter_WriteString(m_out, entry->second, text.c_str()));
        return entry->second;
    }

    OTF2_SystemTreeNodeRef node(const std::string& name, const char* className,
                                OTF2_SystemTreeNodeRef parent) {
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_out, m_nodes, string(name), string(className),
                                                       parent));
        return m_nodes++;
    }

    void nodeProperty(OTF2_SystemTreeNodeRef owner, const char* name, const char* value) {
        OTF2_AttributeValue property{};
        property.stringRef = string(value);
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(m_out, owner, string(name), OTF2_TYPE_STRING,
                                                               property));
    }

    // The processes first, then the accelerators that they created.
    void system() {
        const auto machine = node("Linux", "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        check(
            OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_out, machine, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
        std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
        std::vector<OTF2_SystemTreeNodeRef> devices;
        const auto processes = static_cast<OTF2_LocationGroupRef>(m_processes.size());
        for (OTF2_LocationGroupRef process = 0; process < processes; ++process) {
            const ProcessFacts& facts = m_processes[process];
            if (!hosts.contains(facts.host))
                hosts[facts.host] = node(facts.host, "node", machine);
            for (std::size_t device = 0; device < m_devices; ++device) {
                devices.push_back(node(std::to_string(device), "CUDA Device", hosts[facts.host]));
                nodeProperty(devices.back(), "PCI domain ID", "0");
                nodeProperty(devices.back(), "PCI bus ID", std::to_string(65 + device).c_str());
                nodeProperty(devices.back(), "PCI device ID", "0");
            }
            check(OTF2_GlobalDefWriter_WriteLocationGroup(m_out, process, string(facts.name),
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, hosts[facts.host],
                                                          OTF2_UNDEFINED_LOCATION_GROUP));
        }
        for (std::size_t i = 0; i < devices.size(); ++i)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(
                m_out, processes + static_cast<OTF2_LocationGroupRef>(i),
                string("CUDA Context " + std::to_string(i % m_devices + 1)),
                OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, devices[i],
                static_cast<OTF2_LocationGroupRef>(i / m_devices)));
        for (const TruthLocation& truth : m_locations)
            location(truth, static_cast<std::size_t>(truth.rank - m_locations.front().rank));
    }

    void location(const TruthLocation& truth, std::size_t process) {
        const bool metric = truth.records.contains("METRIC");
        const OTF2_LocationType type = truth.stream ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
                                       : metric     ? OTF2_LOCATION_TYPE_METRIC
                                                    : OTF2_LOCATION_TYPE_CPU_THREAD;
        const std::size_t group =
            truth.stream ? m_processes.size() + process * m_devices + static_cast<std::size_t>(*truth.device)
                         : process;
        check(OTF2_GlobalDefWriter_WriteLocation(m_out, truth.id, string(truth.name), type, truth.events(),
                                                 static_cast<OTF2_LocationGroupRef>(group)));
        if (truth.stream != 7)
            return;
        OTF2_AttributeValue yes{};
        yes.stringRef = string("yes");
        check(OTF2_GlobalDefWriter_WriteLocationProperty(m_out, truth.id, string("CUDA_NULL_STREAM"),
                                                         OTF2_TYPE_STRING, yes));
    }

    void regions() {
        check(OTF2_GlobalDefWriter_WriteParadigm(m_out, OTF2_PARADIGM_CUDA, string("CUDA"),
                                                 OTF2_PARADIGM_CLASS_ACCELERATOR));
        OTF2_RegionRef id = 0;
        for (const ScriptRegion& region : scriptRegions())
            check(OTF2_GlobalDefWriter_WriteRegion(
                m_out, id++, string(region.truth.name), string(region.canonicalName), string(""),
                static_cast<OTF2_RegionRole>(region.role), static_cast<OTF2_Paradigm>(region.paradigm),
                OTF2_REGION_FLAG_NONE, string(region.truth.file), 1, 2));
    }

    void attributesAndParameters() {
        const auto attribute = [&](OTF2_AttributeRef id, const char* name, OTF2_Type type) {
            check(OTF2_GlobalDefWriter_WriteAttribute(m_out, id, string(name), string(""), type));
        };
        attribute(kStreamRef, "CUDA_STREAM_REF", OTF2_TYPE_LOCATION);
        attribute(kEventRef, "CUDA_EVENT_REF", OTF2_TYPE_UINT64);
        attribute(kAllocationSize, "ALLOCATION_SIZE", OTF2_TYPE_UINT64);
        attribute(kDeallocationSize, "DEALLOCATION_SIZE", OTF2_TYPE_UINT64);
        OTF2_ParameterRef id = 0;
        for (const char* name :
             {"blocks per grid", "threads per block", "threads per kernel", "static shared memory",
              "dynamic shared memory", "total local memory", "registers per thread"})
            check(OTF2_GlobalDefWriter_WriteParameter(m_out, id++, string(name), OTF2_PARAMETER_TYPE_UINT64));
    }

    void memoryMetric() {
        const OTF2_MetricMemberRef member = 0;
        const auto metrics = std::ranges::find_if(
            m_locations, [](const TruthLocation& location) { return location.records.contains("METRIC"); });
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            m_out, member, string("CUDA Memory"), string(""), OTF2_METRIC_TYPE_OTHER,
            OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, string("bytes")));
        check(OTF2_GlobalDefWriter_WriteMetricClass(m_out, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                                    OTF2_RECORDER_KIND_ABSTRACT));
        check(OTF2_GlobalDefWriter_WriteMetricInstance(m_out, kMemoryMetric, 0, metrics->id,
                                                       OTF2_SCOPE_LOCATION_GROUP, 0));
    }

    void group(OTF2_GroupRef id, const char* name, OTF2_GroupType type, OTF2_Paradigm paradigm,
               const std::vector<std::uint64_t>& members) {
        check(OTF2_GlobalDefWriter_WriteGroup(m_out, id, string(name), type, paradigm, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(members.size()), members.data()));
    }

    void communicators() {
        std::vector<std::uint64_t> streams, threads, streamNumbers, threadNumbers;
        for (const TruthLocation& location : m_locations) {
            if (location.stream) {
                streamNumbers.push_back(streams.size());
                streams.push_back(location.id);
            } else if (location.id >> 32 == 0) {
                threadNumbers.push_back(threads.size());
                threads.push_back(location.id);
            }
        }
        group(kCudaLocations, "CUDA", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_CUDA, streams);
        group(kCudaGroup, "CUDA_GROUP", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_CUDA, streamNumbers);
        check(OTF2_GlobalDefWriter_WriteComm(m_out, kCudaComm, string(""), kCudaGroup, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE));
        check(OTF2_GlobalDefWriter_WriteRmaWin(m_out, 0, string("CUDA_WINDOW"), kCudaComm,
                                               OTF2_RMA_WIN_FLAG_NONE));
        if (!m_mpi)
            return;
        group(kMpiLocations, "", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, threads);
        group(kMpiGroup, "", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, threadNumbers);
        check(OTF2_GlobalDefWriter_WriteComm(m_out, kWorld, string("MPI_COMM_WORLD"), kMpiGroup,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }

    OTF2_Archive* m_archive;
    OTF2_GlobalDefWriter* m_out;
    const std::vector<ProcessFacts>& m_processes;
    std::span<const TruthLocation> m_locations;
    bool m_mpi;
    std::size_t m_devices = 1; // of each process
    std::map<std::string, OTF2_StringRef> m_strings;
    OTF2_SystemTreeNodeRef m_nodes = 0;
};

} // namespace

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(OTF2_Error_GetDescription(code));
}

OTF2_Archive* openArchive(const std::filesystem::path& folder, std::uint64_t chunkBytes) {
    OTF2_Archive* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunkBytes,
                                              chunkBytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive)
        throw std::runtime_error("no archive can be written in " + folder.string());
    static const OTF2_FlushCallbacks flush{flushAlways, nullptr};
    check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_SetCreator(archive, "Score-P 9.0"));
    return archive;
}

void writeDefinitions(OTF2_Archive* archive, const TruthArchive& facts,
                      const std::vector<ProcessFacts>& processes, std::span<const TruthLocation> locations) {
    check(OTF2_Archive_OpenDefFiles(archive));
    for (const TruthLocation& location : locations) {
        OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive, location.id);
        // Score-P writes one for a single process; libotf2 applies corrections from two on.
        check(OTF2_DefWriter_WriteClockOffset(writer, facts.globalOffset, 0, 0));
        check(OTF2_Archive_CloseDefWriter(archive, writer));
    }
    check(OTF2_Archive_CloseDefFiles(archive));
    Definitions(archive, processes, locations).write(facts);
}

} // namespace ddp::test
