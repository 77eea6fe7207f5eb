// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/run_importer.h"

#include "core/base/parallel.h"
#include "core/import/scorep_config.h"
#include "core/store/clock_quality_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace ddp {

namespace {

// Less than this is not worth a further opening of the archive.
constexpr std::uint64_t kFewEvents = 200'000;

// The clock decision needs one host per archive; an archive that spans several is known to be one clock in
// itself.
std::optional<std::string> commonHost(const std::vector<DeclaredProcess>& processes) {
    for (const DeclaredProcess& process : processes)
        if (process.host != processes.front().host)
            return std::nullopt;
    return processes.front().host;
}

// Threads above streams, devices and streams by number, metrics last.
auto drawingOrder(const DeclaredLocation& location) {
    const int kind = location.kind == LocationKind::Thread   ? 0
                     : location.kind == LocationKind::Stream ? 1
                     : location.kind == LocationKind::Other  ? 2
                                                             : 3;
    return std::tuple(location.process, kind, location.device.value_or(-1), location.stream.value_or(-1));
}

// One clock in an archive that was merged from several does not make these one.
ClockQuality statedQuality(const std::map<std::string, std::string>& properties) {
    const auto stated = properties.find(kClockQualityProperty);
    return stated == properties.end() ? ClockQuality::SameHost
                                      : clockQualityOf(stated->second).value_or(ClockQuality::Uncalibrated);
}

} // namespace

RunImporter::RunImporter(std::string_view format, std::unique_ptr<StoreWriter> file, std::stop_token stop,
                         Progress& progress)
    : m_stop(std::move(stop)), m_progress(progress), m_builder(format, std::move(file)) {}

void RunImporter::add(FoundArchive found, std::unique_ptr<TraceReader> reader) {
    m_archives.push_back({std::move(found), std::move(reader), {}, {}, {}, {}});
}

Result<std::shared_ptr<const TraceStore>> RunImporter::run(StoreKey key) {
    if (auto read = readDefinitions(); !read)
        return forward(read);
    nameRanks();
    placeClocks();
    const RegionId unknownRegion =
        m_builder.addRegion({"(undefined region)", "", "", "", RegionRole::Other, 0});
    for (Archive& archive : m_archives) {
        addLocations(archive);
        prepareTarget(archive, unknownRegion);
    }
    if (!m_stop.stop_requested())
        readEvents();
    auto store = m_stop.stop_requested() ? nullptr : freeze(key);
    if (m_stop.stop_requested())
        return fail(ErrorCode::Cancelled, "Opening the trace was stopped; open it again to see it.");
    if (!store)
        return tl::unexpected<Error>(m_builder.error());
    return store;
}

// An archive that can not be read is lost; the run is not, as long as there is another one.
Result<void> RunImporter::readDefinitions() {
    std::vector<Result<TraceDefinitions>> read(m_archives.size());
    runParallel(m_archives.size(), [&](std::size_t i) { read[i] = m_archives[i].reader->readDefinitions(); });
    std::vector<Archive> usable;
    std::optional<Error> firstError;
    for (std::size_t i = 0; i < m_archives.size(); ++i) {
        if (!read[i]) {
            m_issues.push_back({"unreadable_archive", IssueSeverity::DataLoss, 1, std::nullopt, std::nullopt,
                                read[i].error().message});
            if (!firstError)
                firstError = std::move(read[i].error());
            continue;
        }
        Archive& archive = m_archives[i];
        archive.definitions = std::move(*read[i]);
        TraceDefinitions& definitions = archive.definitions;
        definitions.properties.merge(readScorepConfig(archive.found.anchor.parent_path() / "scorep.cfg"));
        for (const char* name : {"DDPSCOPE::TIMER", "SCOREP_TIMER"})
            if (definitions.clock.timer.empty() && definitions.properties.contains(name))
                definitions.clock.timer = definitions.properties[name];
        definitions.clock.host = commonHost(definitions.processes);
        usable.push_back(std::move(archive));
    }
    m_archives = std::move(usable);
    if (m_archives.empty())
        return tl::unexpected<Error>(*firstError);
    return {};
}

void RunImporter::nameRanks() {
    std::vector<RankEvidence> evidence;
    for (Archive& archive : m_archives) {
        evidence.push_back({&archive.found, &archive.definitions});
        archive.rankOf.resize(archive.definitions.processes.size());
    }
    std::map<int, std::string> owners;
    for (const NamedRank& named : ddp::nameRanks(evidence)) {
        Archive& archive = m_archives[named.archive];
        RankInfo info;
        info.rank = named.rank;
        info.source = named.source;
        info.archive = archive.found.name;
        info.host = archive.definitions.processes[named.process].host;
        info.properties = archive.definitions.properties;
        archive.rankOf[named.process] = m_builder.addRank(std::move(info));
        const std::string anchor = archive.found.anchor.string();
        const auto [owner, isFirst] = owners.try_emplace(*named.rank, anchor);
        if (!isFirst)
            m_issues.push_back(
                {"duplicate_rank", IssueSeverity::Warning, 1, named.rank, std::nullopt,
                 fmt::format("{} and {} both say that they are rank {}; both are shown, each for itself. "
                             "Open only one of them if they are different runs.",
                             owner->second, anchor, *named.rank)});
    }
}

void RunImporter::placeClocks() {
    std::vector<ArchiveClock> clocks;
    for (const Archive& archive : m_archives)
        clocks.push_back(archive.definitions.clock);
    m_placements = ddp::placeClocks(clocks);
    std::size_t freeDomain = m_archives.size(); // a placement's domain is less than this
    for (std::size_t i = 0; i < m_archives.size(); ++i) {
        const ClockQuality stated = statedQuality(m_archives[i].definitions.properties);
        for (std::size_t index : m_archives[i].rankOf) {
            RankInfo& rank = m_builder.rank(index);
            rank.clock.quality = std::max(m_placements[i].quality, stated);
            rank.clock.domain = stated == ClockQuality::Uncalibrated ? freeDomain++ : m_placements[i].domain;
            if (rank.clock.quality == ClockQuality::Uncalibrated)
                m_issues.push_back(
                    {"uncalibrated_clock", IssueSeverity::Warning, 1, rank.rank, std::nullopt,
                     "The clock of this rank can not be compared with that of other hosts; it is drawn "
                     "from a common zero. Record with a wall clock timer (SCOREP_TIMER=gettimeofday) to "
                     "compare hosts."});
        }
    }
}

void RunImporter::addLocations(Archive& archive) {
    const auto& declared = archive.definitions.locations;
    std::vector<std::size_t> order(declared.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return drawingOrder(declared[a]) < drawingOrder(declared[b]);
    });
    archive.ids.resize(declared.size());
    for (std::size_t i : order) {
        LocationInfo info;
        info.rankIndex = archive.rankOf[declared[i].process];
        info.name = declared[i].name;
        info.kind = declared[i].kind;
        info.device = declared[i].device;
        info.stream = declared[i].stream;
        archive.ids[i] = m_builder.addLocation(std::move(info));
    }
}

void RunImporter::prepareTarget(Archive& archive, RegionId unknownRegion) {
    const auto index = static_cast<std::size_t>(&archive - m_archives.data());
    archive.target.converter = m_placements[index].converter;
    archive.target.unknownRegion = unknownRegion;
    for (const RegionDescription& region : archive.definitions.regions)
        archive.target.regions.push_back(m_builder.addRegion(region));
    for (LocationId id : archive.ids)
        archive.target.locations.push_back(&m_builder.location(id));
    archive.definitions.regions = {}; // in the builder now
    archive.target.ranks.assign(archive.rankOf.begin(), archive.rankOf.end());
    for (const DeclaredCommunicator& communicator : archive.definitions.communicators) {
        std::vector<std::uint32_t> ranks;
        for (std::size_t process : communicator.members)
            ranks.push_back(process < archive.target.ranks.size() ? archive.target.ranks[process]
                                                                  : TraceRecords::kNotInRun);
        archive.target.communicators.push_back(m_builder.addCommunicator(communicator.name, ranks));
    }
    for (const DeclaredMarker& marker : archive.definitions.markers) {
        const std::int64_t begin = archive.target.converter.nanoseconds(marker.tick);
        const std::uint64_t end = marker.tick + std::min(marker.length, UINT64_MAX - marker.tick);
        m_builder.addMarker({begin, archive.target.converter.nanoseconds(end) - begin,
                             m_builder.text(marker.group), m_builder.text(marker.category),
                             m_builder.text(marker.text), m_builder.text(marker.scope),
                             archive.target.ranks[marker.process], marker.severity});
    }
}

// One piece per archive, or as many as there are cores when the archive is large; large ones first.
std::vector<RunImporter::Piece> RunImporter::pieces() const {
    std::vector<Piece> all;
    for (std::size_t a = 0; a < m_archives.size(); ++a) {
        const auto& locations = m_archives[a].definitions.locations;
        std::uint64_t events = 0;
        for (const DeclaredLocation& location : locations)
            events += std::min(location.events, UINT64_MAX / 2 / locations.size());
        const std::size_t parts = events < kFewEvents ? 1 : std::min(coreCount(), locations.size());
        std::vector<Piece> own(std::max<std::size_t>(parts, 1), Piece{a, {}, 0, {}});
        for (std::size_t i = 0; i < locations.size(); ++i) {
            auto smallest = std::min_element(
                own.begin(), own.end(), [](const Piece& x, const Piece& y) { return x.events < y.events; });
            smallest->locations.push_back(i);
            smallest->events += std::min(locations[i].events, UINT64_MAX / 2 / locations.size());
        }
        std::move(own.begin(), own.end(), std::back_inserter(all));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Piece& x, const Piece& y) { return x.events > y.events; });
    return all;
}

void RunImporter::readEvents() {
    std::vector<Piece> all = pieces();
    std::uint64_t total = 0;
    for (const Piece& piece : all)
        total += piece.events;
    m_progress.total = total;
    runParallel(all.size(), [&](std::size_t i) {
        const Archive& archive = m_archives[all[i].archive];
        all[i].issues = archive.reader->readEvents(all[i].locations, archive.target, m_stop, m_progress);
    });
    for (Piece& piece : all) {
        const Archive& archive = m_archives[piece.archive];
        for (LocationIssue& found : piece.issues) {
            const DeclaredLocation& location = archive.definitions.locations[found.location];
            found.issue.rank = m_builder.rank(archive.rankOf[location.process]).rank;
            found.issue.location = location.name;
            m_issues.push_back(std::move(found.issue));
        }
    }
}

std::shared_ptr<const TraceStore> RunImporter::freeze(StoreKey key) {
    std::vector<std::optional<std::int64_t>> firstEvents;
    for (const Archive& archive : m_archives) {
        std::optional<std::int64_t> first;
        for (const LocationBuilder* location : archive.target.locations)
            if (const auto begin = location->firstEvent())
                first = std::min(first.value_or(*begin), *begin);
        firstEvents.push_back(first);
    }
    const auto shifts = shiftClocks(m_placements, firstEvents);
    std::vector<std::int64_t> shiftNs(m_builder.rankCount());
    for (std::size_t i = 0; i < m_archives.size(); ++i) {
        for (std::size_t rank : m_archives[i].rankOf) {
            m_builder.rank(rank).clock.offsetNs = shifts[i].offsetNs;
            shiftNs[rank] = shifts[i].shiftNs;
        }
        for (ImportIssue& issue : m_archives[i].definitions.issues) {
            if (m_archives[i].rankOf.size() == 1)
                issue.rank = m_builder.rank(m_archives[i].rankOf.front()).rank;
            m_issues.push_back(std::move(issue));
        }
    }
    // Losses first, as they matter most; each kind in the order of archives and locations.
    std::stable_sort(m_issues.begin(), m_issues.end(), [](const ImportIssue& a, const ImportIssue& b) {
        return std::tuple(a.severity, a.rank) < std::tuple(b.severity, b.rank);
    });
    for (ImportIssue& issue : m_issues)
        m_builder.addIssue(std::move(issue));
    return m_builder.freeze(shiftNs, key, m_stop);
}

} // namespace ddp
