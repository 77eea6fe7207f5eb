// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What a generated set holds, noted while it was written: never computed by the code under test.
namespace ddp::test {

/// The classes of definitions.md, "Classes of GPU work"; Host is what lies on a thread.
enum class TruthClass { Host, Compute, Communication, Memory, Ignored };

struct TruthRegion {
    std::string name;
    std::string file;
    TruthClass workClass = TruthClass::Host;
};

struct TruthSlice {
    std::uint64_t beginTick = 0;
    std::uint64_t endTick = 0;
    std::int64_t begin = 0; ///< ns on the run's axis
    std::int64_t end = 0;
    std::uint32_t region = 0; ///< into Truth::regions
    std::uint32_t depth =
        0; ///< lane: nested ones below what encloses them, overlapping ones where it is free
};

/// A copy between host and device: two RMA records on a stream, no ENTER. Truth::settle() makes it a slice
/// too.
struct TruthCopy {
    std::uint64_t beginTick = 0;
    std::uint64_t endTick = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t bytes = 0;
    bool toDevice = false;
};

struct TruthVisits {
    std::uint64_t count = 0;
    std::uint64_t ticks = 0; ///< summed lengths
};

struct TruthLocation {
    std::uint64_t id = 0;
    std::string name;
    std::size_t archive = 0; ///< into Truth::archives
    int rank = 0;
    std::optional<int> device, stream;              ///< of an accelerator stream
    std::map<std::string, std::uint64_t> records;   ///< by the name that otf2-print gives them
    std::map<std::uint32_t, TruthVisits> perRegion; ///< of the ENTER/LEAVE pairs
    std::uint64_t copyCount = 0;
    std::uint64_t firstTick = UINT64_MAX;
    std::uint64_t lastTick = 0;
    std::vector<TruthSlice> slices; ///< by begin; empty unless GeneratorOptions::keepSlices
    std::vector<TruthCopy> copies;  ///< as well

    std::uint64_t events() const;
    std::uint64_t sliceCount() const;
};

struct TruthArchive {
    std::string folder; ///< below the folder of the set; empty: that folder itself
    std::string host;   ///< of its process; of the first one when it holds several
    std::uint64_t ticksPerSecond = 0;
    std::uint64_t globalOffset = 0;
    std::uint64_t traceLength = 0;
};

struct Truth {
    std::vector<TruthRegion> regions;
    std::vector<TruthArchive> archives;
    std::vector<TruthLocation> locations;
    bool wallClock = false;

    std::uint64_t events() const;
    std::uint64_t sliceCount() const;
    /// Where a tick lies on the run's axis (definitions.md, "Clocks"): the ranks of one host share base and
    /// resolution and begin with their first event; wall clocks share one zero. Once all archives are known.
    std::int64_t nanoseconds(std::size_t archive, std::uint64_t tick) const;
    /// Fills begin, end and depth of every slice and copy.
    void settle();
};

/// The lanes of slices that may overlap, one slice after the other by the definition of SliceLane; quadratic
/// in the number that run at once. `slices` must be ordered by begin.
void layOutByDefinition(std::vector<TruthSlice>& slices);

} // namespace ddp::test
