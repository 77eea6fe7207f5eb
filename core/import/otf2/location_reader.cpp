// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/location_reader.h"

#include "core/import/otf2/location_recorder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

namespace ddp::otf2 {

namespace {

// How many events are read between two looks at the stop token and the progress: about a millisecond.
constexpr std::uint64_t kBatch = 1 << 16;

ImportIssue issue(const char* name, IssueSeverity severity, std::uint64_t count, std::string sentence) {
    return {name, severity, count, std::nullopt, std::nullopt, std::move(sentence)};
}

} // namespace

LocationReader::LocationReader(std::filesystem::path anchor, const ArchiveClock& clock, RegionTable regions,
                               const ArchiveTables& tables, const EventTarget& target, Progress& progress)
    : m_anchor(std::move(anchor)), m_regions(std::move(regions)), m_tables(tables), m_target(target),
      m_progress(progress) {
    if (clock.traceLength == 0)
        return; // not known: any time may be right
    // Corrected clocks may lie a little outside of the range that was measured.
    const std::uint64_t slack = clock.traceLength / 16 + clock.ticksPerSecond / 1000;
    m_firstTick = clock.globalOffset - std::min(clock.globalOffset, slack);
    const std::uint64_t before = clock.globalOffset - m_firstTick;
    m_ticks =
        clock.traceLength < UINT64_MAX - slack - before ? clock.traceLength + slack + before : UINT64_MAX;
}

void LocationReader::open(std::span<const OTF2_LocationRef> locations) {
    m_reader = openReader(m_anchor.c_str());
    if (m_reader) {
        for (OTF2_LocationRef location : locations)
            OTF2_Reader_SelectLocation(m_reader.get(), location);
        const bool opened = OTF2_Reader_OpenDefFiles(m_reader.get()) == OTF2_SUCCESS &&
                            OTF2_Reader_OpenEvtFiles(m_reader.get()) == OTF2_SUCCESS;
        OTF2_Reader_GetChunkSize(m_reader.get(), &m_eventChunk, &m_definitionChunk);
        if (!opened)
            m_reader.reset();
    }
    m_whyClosed = because();
}

std::filesystem::path LocationReader::file(OTF2_LocationRef location, const char* extension) const {
    std::filesystem::path folder = m_anchor;
    folder.replace_extension();
    return folder / (std::to_string(location) + extension);
}

std::string LocationReader::because() {
    const std::string reason = m_errors.take();
    return reason.empty() ? std::string() : fmt::format(" (libotf2: {})", reason);
}

// A location that declares no events need not have a file.
std::optional<ImportIssue> LocationReader::missing(const DeclaredLocation& location) const {
    const std::filesystem::path events = file(location.id, ".evt");
    std::error_code error;
    if (!std::filesystem::exists(events, error)) {
        if (location.events == 0)
            return ImportIssue{};
        return issue(
            "missing_events_file", IssueSeverity::DataLoss, 1,
            fmt::format("{} is missing, and with it the {} events of this location; copy the whole folder of "
                        "the trace.",
                        events.string(), location.events));
    }
    if (std::ifstream stream(events, std::ios::binary); !stream)
        return issue("unreadable_events_file", IssueSeverity::DataLoss, 1,
                     fmt::format("{} can not be opened; check that you may read it.", events.string()));
    if (std::filesystem::file_size(events, error) == 0 && location.events == 0)
        return ImportIssue{};
    return std::nullopt;
}

// They map the location's own numbers to those of the archive, and correct its clock.
bool LocationReader::readLocalDefinitions(OTF2_LocationRef location, std::stop_token stop) {
    const RecordScan scan =
        scanRecords(file(location, ".def"), m_definitionChunk, RecordFile::LocalDefinitions, stop);
    if (scan.intact == 0) // libotf2 leaks the open file when it refuses one
        return scan.complete;
    const LocalDefinitionReader definitions(OTF2_Reader_GetDefReader(m_reader.get(), location),
                                            {m_reader.get()});
    if (!definitions)
        return false;
    std::uint64_t read = 0;
    return OTF2_Reader_ReadLocalDefinitions(m_reader.get(), definitions.get(), scan.intact, &read) ==
               OTF2_SUCCESS &&
           scan.complete;
}

// False when libotf2 gave up before it had delivered all events that are intact.
bool LocationReader::readAll(OTF2_LocationRef location, const RecordScan& scan, LocationSink& sink,
                             std::stop_token stop) {
    if (scan.intact == 0) // libotf2 leaks the open file when it refuses one
        return true;
    const EventReader events(OTF2_Reader_GetEvtReader(m_reader.get(), location), {m_reader.get()});
    if (!events)
        return false;
    const EventCallbacks callbacks = makeEventCallbacks(scan.attributeLists);
    OTF2_Reader_RegisterEvtCallbacks(m_reader.get(), events.get(), callbacks.get(), &sink);
    for (std::uint64_t total = 0; total < scan.intact && !stop.stop_requested();) {
        const std::uint64_t wanted = std::min(kBatch, scan.intact - total);
        std::uint64_t read = 0;
        const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(m_reader.get(), events.get(), wanted, &read);
        m_progress.done.fetch_add(read, std::memory_order_relaxed);
        if (code != OTF2_SUCCESS || read < wanted)
            return false;
        total += read;
    }
    return true;
}

ImportIssue LocationReader::damaged(const DeclaredLocation& location, const LocationBuilder& builder,
                                    const std::string& why) const {
    return issue(
        "damaged_events_file", IssueSeverity::DataLoss, 1,
        fmt::format("{} is damaged{}: {} of {} events could be read; copy the trace again, or record it "
                    "again.",
                    file(location.id, ".evt").string(), why, builder.events(), location.events));
}

std::vector<ImportIssue> LocationReader::read(const DeclaredLocation& location, LocationBuilder& builder,
                                              std::stop_token stop) {
    if (auto lost = missing(location))
        return lost->count > 0 ? std::vector{std::move(*lost)} : std::vector<ImportIssue>{};
    if (!m_reader)
        return {damaged(location, builder, m_whyClosed)};
    std::vector<ImportIssue> issues;
    if (!readLocalDefinitions(location.id, stop)) {
        const std::string why = because();
        issues.push_back(
            issue("damaged_definitions_file", IssueSeverity::Warning, 1,
                  fmt::format("{} is missing or damaged{}; names of regions and times of this location "
                              "may be wrong.",
                              file(location.id, ".def").string(), why)));
    }
    readEvents(location, builder, stop, issues);
    builder.finish();
    return issues;
}

void LocationReader::readEvents(const DeclaredLocation& location, LocationBuilder& builder,
                                std::stop_token stop, std::vector<ImportIssue>& issues) {
    const auto add = [&](const char* name, IssueSeverity severity, std::uint64_t count,
                         const char* sentence) {
        if (count > 0)
            issues.push_back(issue(name, severity, count, sentence));
    };
    const RecordScan scan = scanRecords(file(location.id, ".evt"), m_eventChunk, RecordFile::Events, stop);
    std::optional<LocationRecorder> recorder;
    recorder.emplace(m_tables, m_regions, m_target, location, builder);
    LocationSink sink{&builder,    &*recorder, &m_target.converter, &m_regions, m_target.unknownRegion,
                      m_firstTick, m_ticks};
    bool complete = readAll(location.id, scan, sink, stop);
    if (sink.outside > builder.events()) {
        // Then it is the range that is wrong, not the events.
        builder.reset();
        recorder.emplace(m_tables, m_regions, m_target, location, builder);
        sink = {&builder, &*recorder, &m_target.converter, &m_regions, m_target.unknownRegion};
        complete = readAll(location.id, scan, sink, stop);
        add("wrong_time_range", IssueSeverity::Warning, 1,
            "The archive declares a time range in which most of the events do not lie; it was not used.");
    }
    if (!complete || !scan.complete)
        issues.push_back(damaged(location, builder, because()));
    else if (scan.intact < location.events)
        add("events_missing", IssueSeverity::DataLoss, location.events - scan.intact,
            "The file of this location ends before all events that the archive declares; the rest is lost.");
    add("events_outside_time_range", IssueSeverity::DataLoss, sink.outside,
        "Events lie outside the time range of the archive, as damaged data do; they were left out.");
    add("undefined_region", IssueSeverity::Warning, sink.undefinedRegions,
        "Events name a region that the archive does not define.");
    add("unknown_record", IssueSeverity::Info, sink.unknownRecords,
        "Event records of a later OTF2 version were counted and passed over.");
    recorder->finish();
    for (ImportIssue& found : recorder->faults().issues())
        issues.push_back(std::move(found));
}

} // namespace ddp::otf2
