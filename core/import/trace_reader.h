// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/import/clock_model.h"
#include "core/store/trace_builder.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

/// A process of the trace; it becomes a rank.
struct DeclaredProcess {
    std::string name; ///< "MPI Rank 3", "Process"
    std::optional<std::string> host;
};

/// A stream of events of the trace.
struct DeclaredLocation {
    std::uint64_t id = 0; ///< the trace's own
    std::string name;
    LocationKind kind = LocationKind::Other;
    std::optional<int> device;
    std::optional<int> stream;
    std::size_t process = 0;  ///< into TraceDefinitions::processes
    std::uint64_t events = 0; ///< as declared; 0: not known
};

/// Processes that talk to each other under one name.
struct DeclaredCommunicator {
    static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
    std::string name;
    std::vector<std::size_t> members; ///< processes in the order of their ranks, or kUnknown
};

/// A remark at a time, in ticks.
struct DeclaredMarker {
    std::uint64_t tick = 0;
    std::uint64_t length = 0;
    std::string group, category, text, scope;
    std::size_t process = 0; ///< that it is about, else the first one
    std::uint32_t severity = 0;
};

/// What a trace says about itself before its events are read.
struct TraceDefinitions {
    std::map<std::string, std::string> properties; ///< of the archive, and its settings (scorep.cfg)
    ArchiveClock clock;
    std::vector<DeclaredProcess> processes; ///< at least one
    std::vector<DeclaredLocation> locations;
    std::vector<RegionDescription> regions;
    std::vector<DeclaredCommunicator> communicators;
    std::vector<DeclaredMarker> markers;
    std::vector<ImportIssue> issues; ///< without a rank: the caller knows it
};

/// Where the events of one archive go.
struct EventTarget {
    TickConverter converter;
    std::vector<RegionId> regions;             ///< one per TraceDefinitions::regions
    RegionId unknownRegion;                    ///< for events that name a region which is not defined
    std::vector<LocationBuilder*> locations;   ///< one per TraceDefinitions::locations
    std::vector<std::uint32_t> ranks;          ///< rank index, one per TraceDefinitions::processes
    std::vector<CommunicatorId> communicators; ///< one per TraceDefinitions::communicators
};

/// An issue of one location; the caller adds rank and name of the location.
struct LocationIssue {
    std::size_t location = 0; ///< into TraceDefinitions::locations
    ImportIssue issue;
};

/// Reads one trace file or archive. First readDefinitions(), once; then readEvents(), from as many threads as
/// the caller likes at the same time, each for other locations. A reader reports damage as issues and goes
/// on.
class TraceReader {
public:
    virtual ~TraceReader() = default;

    virtual Result<TraceDefinitions> readDefinitions() = 0;
    /// Stops early when asked to; the caller then drops everything.
    virtual std::vector<LocationIssue> readEvents(std::span<const std::size_t> locations,
                                                  const EventTarget& target, std::stop_token stop,
                                                  Progress& progress) const = 0;
};

} // namespace ddp
