// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/otf2_reader.h"

#include "core/import/otf2/anchor.h"
#include "core/import/otf2/error_capture.h"
#include "core/import/otf2/location_reader.h"
#include "core/import/otf2/marker_reader.h"
#include "core/import/otf2/record_scan.h"
#include "core/import/otf2/resolve.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

namespace ddp::otf2 {

namespace {

std::string because(ErrorCapture& errors) {
    const std::string reason = errors.take();
    return reason.empty() ? std::string() : fmt::format(" (libotf2: {})", reason);
}

// libotf2 reports an empty or unreadable file in words that help nobody.
Result<void> checkDefinitionsFile(const std::filesystem::path& anchor) {
    std::filesystem::path file = anchor;
    file.replace_extension(".def");
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} belongs to an archive whose definitions file {} is missing; "
                                "copy the whole folder of the trace.",
                                anchor.string(), file.string()));
    if (std::ifstream stream(file, std::ios::binary); !stream)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be opened; check that you may read it.", file.string()));
    if (std::filesystem::file_size(file, error) == 0 || error)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is empty: the tracer did not finish writing; record the "
                                "trace again.",
                                file.string()));
    return {};
}

std::map<std::string, std::string> readProperties(OTF2_Reader* reader) {
    std::map<std::string, std::string> properties;
    std::uint32_t count = 0;
    char** names = nullptr;
    if (OTF2_Reader_GetPropertyNames(reader, &count, &names) != OTF2_SUCCESS)
        return properties;
    for (std::uint32_t i = 0; i < count; ++i) {
        char* value = nullptr;
        if (OTF2_Reader_GetProperty(reader, names[i], &value) == OTF2_SUCCESS && value)
            properties.emplace(names[i], value);
        std::free(value);
    }
    std::free(names); // one block: the names lie behind the pointers
    return properties;
}

} // namespace

Result<TraceDefinitions> Otf2Reader::readDefinitions() {
    if (auto good = checkAnchor(m_anchor); !good)
        return forward(good);
    if (auto good = checkDefinitionsFile(m_anchor); !good)
        return forward(good);
    ErrorCapture errors;
    const Reader reader = openReader(m_anchor.c_str());
    if (!reader)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be opened as an OTF2 archive{}; copy the trace again.",
                                m_anchor.string(), because(errors)));
    std::filesystem::path file = m_anchor;
    file.replace_extension(".def");
    std::uint64_t eventChunk = 0;
    std::uint64_t definitionChunk = 0;
    OTF2_Reader_GetChunkSize(reader.get(), &eventChunk, &definitionChunk);
    const RecordScan scan = scanRecords(file, definitionChunk, RecordFile::Definitions);
    RawDefinitions& raw = m_tables.raw;
    const OTF2_ErrorCode code =
        scan.intact > 0 ? readRawDefinitions(reader.get(), scan.intact, raw) : OTF2_SUCCESS;
    const bool damaged = code != OTF2_SUCCESS || !scan.complete;
    if (raw.locations.empty() && damaged)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is damaged{}: no location can be read from it; copy the trace again.",
                                file.string(), because(errors)));
    TraceDefinitions definitions = resolve(m_tables);
    if (damaged)
        definitions.issues.push_back(
            {"damaged_definitions_file", IssueSeverity::DataLoss, 1, std::nullopt, std::nullopt,
             fmt::format("{} is damaged{}; the definitions behind that place are missing.", file.string(),
                         because(errors))});
    definitions.properties = readProperties(reader.get());
    readMarkers(reader.get(), m_anchor, definitionChunk, m_tables, definitions);
    m_locations = definitions.locations;
    m_clock = definitions.clock;
    for (const auto& region : raw.regions)
        m_regionNumbers.push_back(region.id);
    return definitions;
}

std::vector<LocationIssue> Otf2Reader::readEvents(std::span<const std::size_t> locations,
                                                  const EventTarget& target, std::stop_token stop,
                                                  Progress& progress) const {
    LocationReader reader(m_anchor, m_clock, RegionTable(m_regionNumbers, target.regions), m_tables, target,
                          progress);
    std::vector<OTF2_LocationRef> numbers;
    for (std::size_t i : locations)
        numbers.push_back(m_locations[i].id);
    reader.open(numbers);
    std::vector<LocationIssue> issues;
    for (std::size_t i : locations) {
        if (stop.stop_requested())
            break;
        for (ImportIssue& issue : reader.read(m_locations[i], *target.locations[i], stop))
            issues.push_back({i, std::move(issue)});
    }
    return issues;
}

} // namespace ddp::otf2
