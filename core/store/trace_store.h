// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/store/clock_map.h"
#include "core/store/slice_lane.h"
#include "core/store/store_file.h"
#include "core/store/trace_records.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ddp {

enum class LocationKind { Stream, Thread, Metric, Other };
enum class RankSource { Archive, Environment, Directory, User, Order };
/// One process of the run. An archive holds one (one archive per rank) or several (MPI); those share its
/// name.
struct RankInfo {
    std::optional<int> rank; ///< empty: nothing names it
    RankSource source = RankSource::Order;
    std::string archive; ///< name of the archive's folder
    std::optional<std::string> host;
    ClockInfo clock;
    /// What the archive says about the measurement: its own properties and the lines of scorep.cfg.
    std::map<std::string, std::string> properties;
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

struct LaneMipmapView;
struct TraceTables;

/// A whole run, frozen: written by TraceBuilder or found in a store file, then shared as
/// std::shared_ptr<const TraceStore>. Nothing in it changes, so any thread may read it. Slices stay in the
/// file and are mapped; everything else is in memory. Times count from the first event of the run.
class TraceStore {
public:
    /// Of a file that TraceBuilder wrote. Fails when it is another, or damaged; see StoreFile::open().
    static Result<std::shared_ptr<const TraceStore>> open(std::shared_ptr<const StoreFile> file,
                                                          StoreChecks checks = StoreChecks::All);

    std::string_view format() const; ///< "otf2" | "kineto" | "nsys"
    std::span<const RankInfo> ranks() const { return m_ranks; }
    std::span<const LocationInfo> locations() const;
    const LocationInfo& location(LocationId id) const { return locations()[id.index()]; }
    std::span<const SliceLane> lanes(LocationId id) const; ///< one per depth
    std::string_view regionName(RegionId id) const { return text(region(id).name); }
    const RegionInfo& region(RegionId id) const;
    std::size_t regionCount() const;
    std::string_view text(StringId id) const;
    TimeRange extent() const { return m_extent; } ///< [first event, last event]; empty without events
    std::uint64_t eventCount() const;
    std::uint64_t sliceCount() const;
    std::span<const ImportIssue> issues() const;

    /// The same run with other clocks, one per rank: shares the file, reads no event again. They are shifted
    /// together so that the first event lies at 0; ranks() of the result tells what came out.
    std::shared_ptr<const TraceStore> withClocks(std::span<const ClockInfo> clocks) const;
    /// From the times of the file to those of this store; for whoever keeps times of its own in the file.
    const ClockMap& clock(std::size_t rankIndex) const { return m_clocks[rankIndex]; }
    /// Counters, attributes of slices, messages, collective operations, markers: with times of the file.
    const TraceRecords& records() const;
    Nanoseconds time(LocationId id, std::int64_t fileNs) const {
        return m_clocks[location(id).rankIndex].toRun(fileNs);
    }

    /// What is known of a lane from afar, for queryTimeline(); empty for a small lane.
    LaneMipmapView mipmap(LocationId id, std::size_t depth) const;
    /// The same run in the times of the file, for whoever keeps sections of times there.
    std::shared_ptr<const TraceStore> inFileTime() const;

    /// The file behind it, for sections of others.
    const StoreFile& file() const;
    /// Compares the checksums of all slices and sections; reads the whole file. False: it is damaged, what is
    /// drawn may be wrong, and the file should be removed. True too when stopped.
    bool verifyColumns(std::stop_token stop) const;

private:
    friend class TraceBuilder;
    TraceStore() = default;
    void setClocks(std::span<const ClockInfo> clocks);
    void viewLanes();

    std::shared_ptr<const TraceTables> m_tables; // what does not depend on clocks
    std::vector<RankInfo> m_ranks;               // ordered by rank, then archive
    std::vector<ClockMap> m_clocks;              // per rank
    std::vector<SliceLane> m_lanes;
    TimeRange m_extent;
};

} // namespace ddp
