// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/calling_contexts.h"
#include "core/import/otf2/raw_definitions.h"
#include "core/import/trace_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ddp::otf2 {

/// Who belongs to a communicator, in the order of their ranks; OTF2_UNDEFINED_LOCATION where that is not
/// known.
struct CommMembers {
    std::size_t declared = 0; ///< row in TraceDefinitions::communicators
    bool self = false;        ///< every process alone
    std::vector<OTF2_LocationRef> members;
    std::vector<OTF2_LocationRef> remote; ///< the other side of an intercommunicator
};

/// The regions of memory transfers, which OTF2 has records for but no names.
enum class TransferRegion { ToDevice, FromDevice, Get, Put, Atomic };

/// An archive's definitions as its events need them: looked up by number. Filled by readDefinitions(), then
/// only read, by any thread.
struct ArchiveTables {
    RawDefinitions raw;
    CallingContextTable contexts;
    std::unordered_map<OTF2_CommRef, CommMembers> comms;
    std::unordered_map<OTF2_LocationRef, std::size_t> locations; ///< row in RawDefinitions::locations
    std::unordered_map<OTF2_LocationRef, std::size_t> processOfLocation;
    std::unordered_map<OTF2_LocationGroupRef, std::size_t> processOfGroup;
    std::vector<std::pair<OTF2_RegionRef, OTF2_StringRef>> regionNames; ///< ordered
    std::optional<std::size_t> transferRegions; ///< row of the first in TraceDefinitions::regions

    /// Once raw and the processes are there: the rest, and what the run has to know of it.
    void fill(TraceDefinitions& definitions);

    /// The location that is `rank` in a communicator, seen from a location of it …
    std::optional<OTF2_LocationRef> peer(OTF2_CommRef comm, std::uint32_t rank, OTF2_LocationRef from) const;
    /// … and its process.
    std::optional<std::size_t> peerProcess(OTF2_CommRef comm, std::uint32_t rank,
                                           OTF2_LocationRef from) const;
    /// The name of what a reference of some OTF2_Type points to; none when it is not defined.
    std::optional<std::string> name(OTF2_Type type, std::uint64_t reference) const;

private:
    using Locations = std::unordered_map<OTF2_Paradigm, const RawDefinitions::MemberGroup*>;
    std::vector<OTF2_LocationRef> membersOf(OTF2_GroupRef group, const Locations& all) const;
    std::size_t processOf(OTF2_LocationRef location) const;
    void fillComms(TraceDefinitions& definitions);
    void addTransferRegions(TraceDefinitions& definitions);
    std::optional<OTF2_StringRef> nameRef(OTF2_Type type, std::uint64_t reference) const;
};

} // namespace ddp::otf2
