// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/store/trace_records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddp {

enum class LocationKind { Stream, Thread, Metric, Other };
enum class RankSource { Archive, Environment, Directory, User, Order };
enum class ClockQuality { SameHost, WallClock, Collectives, Manual, Uncalibrated };

/// How the clock of one archive was laid on the run's time axis.
struct ClockInfo {
    ClockQuality quality = ClockQuality::Uncalibrated;
    std::int64_t offsetNs = 0; ///< added to the archive's own time
    std::optional<double> driftPpm;
    std::optional<std::int64_t> uncertaintyNs;
    std::size_t domain =
        0; ///< ranks of one domain share a clock and may be compared, whatever the quality says
};

/// One process of the run. An archive holds one (one archive per rank) or several (MPI); those share its
/// name.
struct RankInfo {
    std::optional<int> rank; ///< empty: nothing names it
    RankSource source = RankSource::Order;
    std::string archive; ///< name of the archive's folder
    std::optional<std::string> host;
    ClockInfo clock;
    std::vector<LocationId> locations; ///< in the order in which they are drawn
};

struct LocationInfo {
    std::size_t rankIndex = 0; ///< into TraceStore::ranks()
    std::string name;
    LocationKind kind = LocationKind::Other;
    std::optional<int> device;
    std::optional<int> stream;
    std::uint64_t slices = 0;
    std::uint64_t events = 0; ///< records read: ENTER, LEAVE, METRIC, RMA …
};

enum class IssueSeverity { DataLoss, Warning, Info };

/// What a region is, as far as the tracer says; a format's own numbers stay in its reader.
enum class RegionRole {
    Other,
    Function,
    Wrapper,
    Kernel,
    Collective,
    PointToPoint,
    Barrier,
    Transfer,
    Artificial
};

/// What the trace says about a region apart from its name. Texts may be empty.
struct RegionInfo {
    StringId name;
    StringId canonicalName; ///< the linker's name, when it differs
    StringId sourceFile;    ///< Score-P marks kernels here: CUDA_KERNEL, CUDA_IDLE, CUDA_SYNC, CUDA_FLUSH
    StringId paradigm;      ///< "cuda", "hip", "mpi", "user", …
    RegionRole role = RegionRole::Other;
    std::uint32_t line = 0;
};

/// Something the import met and went on after. One row per (name, location), counted.
struct ImportIssue {
    std::string name;
    IssueSeverity severity = IssueSeverity::Warning;
    std::uint64_t count = 0;
    std::optional<int> rank;
    std::optional<std::string> location;
    std::string sentence;
};

/// The finished regions of one nesting depth of one location, ordered by begin; they never overlap. Where
/// slices of a location overlap without being nested (kernels of one stream), the later one lies one lane
/// further down and has no parent.
class SliceLane {
public:
    std::size_t size() const { return m_begin.size(); }
    Nanoseconds begin(std::size_t i) const { return Nanoseconds(m_begin[i]); }
    Nanoseconds end(std::size_t i) const { return Nanoseconds(m_end[i]); }
    RegionId region(std::size_t i) const { return m_region[i]; }
    /// Row in the lane one depth above; none at depth 0 and for a slice that only overlaps what lies above
    /// it.
    std::optional<std::size_t> parent(std::size_t i) const {
        return m_parent[i] == kNoParent ? std::nullopt : std::optional<std::size_t>(m_parent[i]);
    }
    /// The first slice that ends after `t`, or size().
    std::size_t firstEndingAfter(Nanoseconds t) const;
    /// The first slice that begins at or after `t`, or size().
    std::size_t firstBeginningFrom(Nanoseconds t) const;
    /// The longest of the slices [first, last), the earliest of these when several are; first < last. O(log
    /// size).
    std::size_t longest(std::size_t first, std::size_t last) const;

private:
    friend class TraceBuilder;
    friend class LocationBuilder;
    void index(); // builds m_longest once the slices are final
    std::size_t longerOf(std::size_t a, std::size_t b) const;
    static constexpr std::size_t kFanOut = 16;
    static constexpr std::uint32_t kNoParent = 0xffffffffu;
    std::vector<std::int64_t> m_begin;
    std::vector<std::int64_t> m_end;
    std::vector<RegionId> m_region;
    std::vector<std::uint32_t> m_parent;
    std::vector<std::vector<std::uint32_t>> m_longest; // level l: row of the longest of every 16^(l+1) slices
};

/// A whole run, frozen: built once by TraceBuilder, then shared as std::shared_ptr<const TraceStore>. Nothing
/// in it changes, so any thread may read it. Times count from the first event of the run.
class TraceStore {
public:
    std::string_view format() const { return m_format; } ///< "otf2" | "kineto" | "nsys"
    std::span<const RankInfo> ranks() const { return m_ranks; }
    std::span<const LocationInfo> locations() const { return m_locations; }
    const LocationInfo& location(LocationId id) const { return m_locations[id.index()]; }
    std::span<const SliceLane> lanes(LocationId id) const { return m_lanes[id.index()]; } ///< one per depth
    std::string_view regionName(RegionId id) const { return text(region(id).name); }
    const RegionInfo& region(RegionId id) const { return m_regions[id.index()]; }
    std::size_t regionCount() const { return m_regions.size(); }
    std::string_view text(StringId id) const { return m_strings.view(id); }
    TimeRange extent() const { return m_extent; } ///< [first event, last event]; empty without events
    std::uint64_t eventCount() const;
    std::uint64_t sliceCount() const;
    std::span<const ImportIssue> issues() const { return m_issues; }
    /// Counters, attributes of slices, messages, collective operations, markers.
    const TraceRecords& records() const { return m_records; }

private:
    friend class TraceBuilder;
    std::string m_format;
    std::vector<RankInfo> m_ranks; // ordered by rank, then archive
    std::vector<LocationInfo> m_locations;
    std::vector<std::vector<SliceLane>> m_lanes;
    std::vector<RegionInfo> m_regions;
    StringPool m_strings;
    TimeRange m_extent;
    std::vector<ImportIssue> m_issues;
    TraceRecords m_records;
};

} // namespace ddp
