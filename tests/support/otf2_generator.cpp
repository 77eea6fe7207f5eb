// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/otf2_generator.h"

#include "tests/support/ddp_script.h"
#include "tests/support/otf2_definitions.h"
#include "tests/support/small_random.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace ddp::test {

namespace {

using Kind = ScriptEvent::Kind;

constexpr std::uint64_t kWallTicksPerSecond = 1'000'000;
constexpr std::uint64_t kNewYear2026 = 1'767'225'600; // seconds since 1970

// The clock of one process: ticks from true time, and what its archive says about it.
struct ProcessClock {
    std::uint64_t trueTicksPerSecond = 0; ///< of its host
    std::uint64_t estimate = 0;           ///< written into the archive, a few ppm off
    std::uint64_t offset = 0;             ///< tick at which the process began
    std::int64_t beginNs = 0;             ///< in true time: before the first step

    std::uint64_t tick(std::int64_t ns) const {
        __extension__ using Wide = unsigned __int128;
        return offset + static_cast<std::uint64_t>(static_cast<Wide>(ns - beginNs) * trueTicksPerSecond /
                                                   1'000'000'000);
    }
};

// Nothing: the host has no drift of its own.
std::optional<std::uint64_t> drifted(const GeneratorOptions& options, int host,
                                     std::uint64_t ticksPerSecond) {
    const auto at = static_cast<std::size_t>(host);
    if (at >= options.driftPpm.size())
        return std::nullopt;
    return ticksPerSecond + static_cast<std::uint64_t>(std::llround(static_cast<double>(ticksPerSecond) *
                                                                    options.driftPpm[at] * 1e-6));
}

ScriptOptions scriptOptions(const GeneratorOptions& options) {
    ScriptOptions script;
    script.seed = options.seed;
    script.ranks = options.ranks;
    script.mpi = options.oneArchive;
    script.kernelParameters = options.kernelParameters;
    script.lateNs = options.lateNs;
    script.kernelsUnderCollectives = options.kernelsUnderCollectives;
    script.overlappingKernels = options.overlappingKernels;
    script.communicationOnComputeStream = options.communicationOnComputeStream;
    return script;
}

ProcessClock clockOf(const GeneratorOptions& options, int rank, int host) {
    SmallRandom random(options.seed ^ 0xc10cu);
    for (int i = 0; i < rank; ++i)
        random.next();
    ProcessClock clock;
    clock.beginNs = -1'000'000 - SmallRandom(random.next()).below(20'000'000);
    __extension__ using Wide = unsigned __int128;
    const auto ticksSince = [&](std::int64_t ns) {
        return static_cast<std::uint64_t>(static_cast<Wide>(ns) * clock.trueTicksPerSecond / 1'000'000'000);
    };
    if (options.wallClock) {
        clock.estimate = kWallTicksPerSecond;
        clock.trueTicksPerSecond = drifted(options, host, clock.estimate).value_or(clock.estimate);
        clock.offset = kNewYear2026 * kWallTicksPerSecond + ticksSince(100'000'000 + clock.beginNs);
        return clock;
    }
    clock.trueTicksPerSecond = 2'600'000'000 + static_cast<std::uint64_t>(host) * 1'234;
    clock.estimate = clock.trueTicksPerSecond - 5'000 +
                     static_cast<std::uint64_t>(SmallRandom(random.next()).below(10'000));
    if (const auto faster = drifted(options, host, clock.trueTicksPerSecond)) {
        clock.estimate = clock.trueTicksPerSecond;
        clock.trueTicksPerSecond = *faster;
    }
    // Weeks of uptime, other ones on every host; the counter runs in true time since then.
    clock.offset = ticksSince((40 + 11 * host) * std::int64_t{86'400'000'000'000} + clock.beginNs);
    return clock;
}

/// Writes the events of one location and notes what it wrote.
class LocationWriter {
public:
    LocationWriter(OTF2_Archive* archive, const GeneratorOptions& options, const ProcessClock& clock,
                   TruthLocation& truth)
        : m_archive(archive), m_options(options), m_clock(clock), m_truth(truth),
          m_attributes(OTF2_AttributeList_New()), m_writer(OTF2_Archive_GetEvtWriter(archive, truth.id)) {}
    ~LocationWriter() { OTF2_AttributeList_Delete(m_attributes); }
    LocationWriter(const LocationWriter&) = delete;
    LocationWriter& operator=(const LocationWriter&) = delete;

    void programBegin() {
        check(OTF2_EvtWriter_ProgramBegin(
            m_writer, nullptr, count("PROGRAM_BEGIN", m_clock.tick(m_clock.beginNs + 500)), 0, 0, nullptr));
    }
    void programEnd(std::int64_t ns) {
        check(OTF2_EvtWriter_ProgramEnd(m_writer, nullptr, count("PROGRAM_END", m_clock.tick(ns)), 0));
    }
    void step(const std::vector<ScriptEvent>& events) {
        m_open.clear();
        for (const ScriptEvent& event : events)
            write(event, m_clock.tick(event.ns));
    }
    void close() { check(OTF2_Archive_CloseEvtWriter(m_archive, m_writer)); }

private:
    std::uint64_t count(const char* record, std::uint64_t tick, std::uint64_t records = 1) {
        m_truth.records[record] += records;
        m_truth.firstTick = std::min(m_truth.firstTick, tick);
        m_truth.lastTick = std::max(m_truth.lastTick, tick);
        return tick;
    }

    void enter(const ScriptEvent& event, std::uint64_t tick) {
        if (launchesWithStream(event.region))
            check(OTF2_AttributeList_AddLocationRef(m_attributes, kStreamRef, std::uint64_t{1} << 32));
        check(OTF2_EvtWriter_Enter(m_writer, m_attributes, count("ENTER", tick), event.region));
        m_open.resize(std::max<std::size_t>(m_open.size(), event.slice + std::size_t{1}));
        m_open[event.slice] = {tick, 0, 0, 0, event.region, m_depth++};
    }

    void leave(const ScriptEvent& event, std::uint64_t tick) {
        if (isCopyCall(event.region) || isEventRecord(event.region))
            check(OTF2_AttributeList_AddLocationRef(m_attributes, kStreamRef, std::uint64_t{5} << 32));
        if (isEventRecord(event.region))
            check(OTF2_AttributeList_AddUint64(m_attributes, kEventRef, event.slice));
        check(OTF2_EvtWriter_Leave(m_writer, m_attributes, count("LEAVE", tick), event.region));
        --m_depth;
        TruthSlice slice = m_open[event.slice];
        slice.endTick = tick;
        TruthVisits& visits = m_truth.perRegion[event.region];
        ++visits.count;
        visits.ticks += tick - slice.beginTick;
        if (m_options.keepSlices)
            m_truth.slices.push_back(slice);
    }

    void copy(const ScriptEvent& event, std::uint64_t tick) {
        const bool toDevice = event.kind == Kind::RmaGet;
        const auto write = toDevice ? OTF2_EvtWriter_RmaGet : OTF2_EvtWriter_RmaPut;
        check(write(m_writer, nullptr, count(toDevice ? "RMA_GET" : "RMA_PUT", tick), 0, 0, event.value,
                    kMatchingId));
        ++m_truth.copyCount;
        m_copy = {tick, tick, 0, 0, event.value, toDevice};
    }

    void metric(std::uint64_t value, std::uint64_t tick) {
        const OTF2_Type type = OTF2_TYPE_UINT64;
        OTF2_MetricValue metric{};
        metric.unsigned_int = value;
        check(OTF2_AttributeList_AddUint64(m_attributes,
                                           value > m_memory ? kAllocationSize : kDeallocationSize,
                                           value > m_memory ? value - m_memory : m_memory - value));
        m_memory = value;
        check(OTF2_EvtWriter_Metric(m_writer, m_attributes, count("METRIC", tick), kMemoryMetric, 1, &type,
                                    &metric));
    }

    void write(const ScriptEvent& event, std::uint64_t tick) {
        switch (event.kind) {
        case Kind::Enter:
            return enter(event, tick);
        case Kind::Leave:
            return leave(event, tick);
        case Kind::Parameters:
            count("PARAMETER_UINT64", tick, kKernelParameters);
            for (OTF2_ParameterRef parameter = 0; parameter < kKernelParameters; ++parameter)
                check(OTF2_EvtWriter_ParameterUnsignedInt(m_writer, nullptr, tick, parameter,
                                                          event.value << parameter));
            return;
        case Kind::Metric:
            return metric(event.value, tick);
        case Kind::RmaGet:
        case Kind::RmaPut:
            return copy(event, tick);
        case Kind::RmaDone:
            check(OTF2_EvtWriter_RmaOpCompleteBlocking(
                m_writer, nullptr, count("RMA_OP_COMPLETE_BLOCKING", tick), 0, kMatchingId));
            m_copy.endTick = tick;
            if (m_options.keepSlices)
                m_truth.copies.push_back(m_copy);
            return;
        case Kind::MpiSend:
            return check(OTF2_EvtWriter_MpiSend(m_writer, nullptr, count("MPI_SEND", tick),
                                                static_cast<std::uint32_t>(event.value), kWorld, 7, 65'536));
        case Kind::MpiRecv:
            return check(OTF2_EvtWriter_MpiRecv(m_writer, nullptr, count("MPI_RECV", tick),
                                                static_cast<std::uint32_t>(event.value), kWorld, 7, 65'536));
        case Kind::CollectiveBegin:
            return check(
                OTF2_EvtWriter_MpiCollectiveBegin(m_writer, nullptr, count("MPI_COLLECTIVE_BEGIN", tick)));
        case Kind::CollectiveEnd:
            return check(OTF2_EvtWriter_MpiCollectiveEnd(m_writer, nullptr, count("MPI_COLLECTIVE_END", tick),
                                                         OTF2_COLLECTIVE_OP_ALLREDUCE, kWorld,
                                                         OTF2_UNDEFINED_UINT32, event.value, event.value));
        }
    }

    OTF2_Archive* m_archive;
    const GeneratorOptions& m_options;
    const ProcessClock& m_clock;
    TruthLocation& m_truth;
    OTF2_AttributeList* m_attributes; // emptied by each event that takes it
    OTF2_EvtWriter* m_writer;
    std::vector<TruthSlice> m_open; // of the step, by number
    TruthCopy m_copy;
    std::uint32_t m_depth = 0;
    std::uint64_t m_memory = 0;
};

class Generator {
public:
    Generator(const std::filesystem::path& folder, const GeneratorOptions& options)
        : m_folder(folder), m_options(options), m_steps(stepsFor(options)) {}

    Truth run() {
        m_truth.wallClock = m_options.wallClock;
        for (const ScriptRegion& region : scriptRegions())
            m_truth.regions.push_back(region.truth);
        if (m_options.oneArchive)
            writeArchive("", 0, m_options.ranks);
        else
            for (int rank = 0; rank < m_options.ranks; ++rank)
                writeArchive("scorep-rank-" + std::to_string(rank), rank, 1);
        m_truth.settle();
        return std::move(m_truth);
    }

private:
    // The steps differ: the mean of some of them tells how many make up the events that are wanted.
    static std::uint64_t stepsFor(const GeneratorOptions& options) {
        constexpr std::uint64_t kSample = 64;
        std::uint64_t sample = 0;
        DdpScript script(scriptOptions(options), 0);
        for (std::uint64_t step = 0; step < kSample; ++step)
            for (const Part part : kParts)
                for (const ScriptEvent& event : script.step(part, step))
                    sample += event.kind == Kind::Parameters ? kKernelParameters : 1;
        const std::uint64_t perRank = options.events / static_cast<std::uint64_t>(std::max(options.ranks, 1));
        return std::max<std::uint64_t>(1, perRank * kSample / sample);
    }

    int hostOf(int rank) const {
        const int hosts = std::clamp(m_options.hosts, 1, m_options.ranks);
        return rank * hosts / m_options.ranks;
    }

    void writeArchive(const std::string& name, int firstRank, int ranks) {
        const std::filesystem::path folder = m_folder / name;
        std::filesystem::create_directories(folder);
        writeConfig(folder);
        OTF2_Archive* archive = openArchive(folder, m_options.chunkBytes);
        const std::size_t firstLocation = m_truth.locations.size();
        // One clock for all ranks of an archive: the MPI library's synchronisation has corrected them.
        const ProcessClock clock = clockOf(m_options, firstRank, hostOf(firstRank));
        TruthArchive truth{name, hostName(hostOf(firstRank)), clock.estimate, clock.offset, 0};
        check(OTF2_Archive_OpenEvtFiles(archive));
        for (int rank = firstRank; rank < firstRank + ranks; ++rank)
            writeRank(archive, clock, rank);
        check(OTF2_Archive_CloseEvtFiles(archive));
        for (std::size_t i = firstLocation; i < m_truth.locations.size(); ++i)
            truth.traceLength =
                std::max(truth.traceLength, m_truth.locations[i].lastTick - truth.globalOffset);
        truth.traceLength += 17 + static_cast<std::uint64_t>(firstRank);
        std::vector<ProcessFacts> processes;
        for (int rank = firstRank; rank < firstRank + ranks; ++rank)
            processes.push_back({m_options.oneArchive ? "MPI Rank " + std::to_string(rank) : "Process",
                                 hostName(hostOf(rank))});
        writeDefinitions(archive, truth, processes, std::span(m_truth.locations).subspan(firstLocation));
        check(OTF2_Archive_Close(archive));
        m_truth.archives.push_back(std::move(truth));
    }

    static std::string hostName(int host) { return "node0" + std::to_string(host + 1); }

    void writeConfig(const std::filesystem::path& folder) const {
        std::ofstream(folder / "scorep.cfg")
            << "SCOREP_ENABLE_TRACING=true\nSCOREP_TIMER='" << (m_options.wallClock ? "gettimeofday" : "tsc")
            << "'\nSCOREP_CUDA_ENABLE='driver,kernel,kernel_counter,memcpy,idle,gpumemusage,references'\n";
    }

    void writeRank(OTF2_Archive* archive, const ProcessClock& clock, int rank) {
        const bool nccl = !m_options.communicationOnComputeStream;
        for (const Part part : kParts)
            if (part != Part::Nccl || nccl)
                writeLocation(archive, clock, rank, part, 0, static_cast<std::size_t>(part));
        std::size_t number = kParts.size();
        for (int device = 1; device < m_options.devices; ++device)
            for (const Part part : {Part::Compute, Part::Nccl, Part::Copies})
                if (part != Part::Nccl || nccl)
                    writeLocation(archive, clock, rank, part, device, number++);
    }

    static int streamOf(Part part) { return part == Part::Compute ? 7 : part == Part::Nccl ? 20 : 13; }

    // `number`: among the locations of the process.
    void writeLocation(OTF2_Archive* archive, const ProcessClock& clock, int rank, Part part, int device,
                       std::size_t number) {
        TruthLocation& location = m_truth.locations.emplace_back();
        // Score-P numbers by process in the low half; processes with an archive of their own are all 0.
        location.id =
            std::uint64_t{number} << 32 | (m_options.oneArchive ? static_cast<std::uint64_t>(rank) : 0);
        location.archive = m_truth.archives.size();
        location.rank = rank;
        if (part == Part::Compute || part == Part::Nccl || part == Part::Copies) {
            location.device = device;
            location.stream = streamOf(part);
            location.name = "CUDA[" + std::to_string(device) + ":" + std::to_string(streamOf(part)) + "]";
        } else {
            location.name = part == Part::MainThread ? "Master thread"
                            : part == Part::Metrics  ? "Per process metrics"
                                                     : "Pthread thread 1";
        }
        DdpScript script(scriptOptions(m_options), rank, device);
        LocationWriter writer(archive, m_options, clock, location);
        if (part == Part::MainThread)
            writer.programBegin();
        for (std::uint64_t step = 0; step < m_steps; ++step)
            writer.step(script.step(part, step));
        if (part == Part::MainThread)
            writer.programEnd(static_cast<std::int64_t>(m_steps) * DdpScript::kStepNs + rank * 1'000);
        writer.close();
    }

    std::filesystem::path m_folder;
    GeneratorOptions m_options;
    std::uint64_t m_steps;
    Truth m_truth;
};

} // namespace

Truth generateOtf2(const std::filesystem::path& folder, const GeneratorOptions& options) {
    if (options.ranks < 1 || options.devices < 1)
        throw std::runtime_error("a run has at least one rank, and a rank one device");
    for (const std::int64_t late : options.lateNs)
        if (late < 0 || late > DdpScript::kMostLateNs)
            throw std::runtime_error("a rank is late by 0 to 150,000 ns");
    return Generator(folder, options).run();
}

} // namespace ddp::test
