// SPDX-License-Identifier: GPL-3.0-or-later
// A store file of any bytes: it is refused by one sentence, or everything that it shows can be read.
#include "core/analysis/classify.h"
#include "core/analysis/run_activity.h"
#include "core/report/trace_info.h"
#include "core/store/mipmap_sections.h"
#include "core/store/timeline_query.h"
#include "core/store/trace_records.h"
#include "core/store/trace_store.h"
#include "tests/fuzz/file_container.h"
#include "tests/fuzz/promises.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace ddp::fuzz {
namespace {

// A damaged file may claim any number of rows in few bytes: these are enough to look at.
constexpr std::size_t kMostRows = 4'096;

void readLane(const TraceStore& store, const SliceLane& lane) {
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < std::min(lane.size(), kMostRows); ++row) {
        sum += static_cast<std::uint64_t>(lane.begin(row).count) +
               static_cast<std::uint64_t>(lane.end(row).count);
        const RegionId region = lane.region(row);
        require(!region.valid() || region.index() < store.regionCount(), "a region is defined or none");
        if (region.valid())
            sum += store.regionName(region).size();
        (void)lane.parent(row);
    }
    for (const std::int64_t t : {INT64_MIN, std::int64_t{0}, std::int64_t(sum), INT64_MAX}) {
        require(lane.firstEndingAfter(Nanoseconds(t)) <= lane.size(), "a search ends in the lane");
        require(lane.firstBeginningFrom(Nanoseconds(t)) <= lane.size(), "a search ends in the lane");
    }
    if (lane.size() > 0) {
        require(lane.longest(0, lane.size()) < lane.size(), "the longest is one of the lane");
        (void)lane.covered(0, lane.size());
    }
    std::vector<TimelineSpan> spans;
    queryTimeline(lane, store.extent(), 64, spans);
}

// What the file holds about lanes and devices besides their slices.
void readSections(const std::shared_ptr<const TraceStore>& store) {
    std::size_t lanes = 0;
    for (std::size_t i = 0; i < store->locations().size(); ++i)
        lanes += store->lanes(LocationId(i)).size();
    const auto mipmaps = viewMipmaps(store->file(), lanes);
    require(mipmaps.size() == lanes, "every lane has a mipmap, or an empty one");
    std::vector<TimelineSpan> spans;
    std::size_t next = 0;
    for (std::size_t i = 0; i < store->locations().size(); ++i)
        for (const SliceLane& lane : store->lanes(LocationId(i)))
            queryTimeline(lane, mipmaps[next++], store->extent(), 64, spans);
    WorkClasses classes;
    for (std::size_t i = 0; i < store->regionCount(); ++i) {
        classes.onStream.push_back(static_cast<WorkClass>(i % 3));
        classes.onThread.push_back(static_cast<WorkClass>(i % 3));
    }
    // One is made from the slices, the other is taken from the file when it fits.
    for (const auto& activity : {RunActivity::of(store, classes),
                                 RunActivity::of(store, classify(*store, ClassRules::builtin()).classes)})
        for (std::size_t device = 0; device < activity->devices().size(); ++device) {
            (void)activity->over(device, store->extent());
            (void)activity->sumsOver(device, store->extent());
        }
}

// Counters, attributes, messages …: every reference leads somewhere.
void readRecords(const TraceStore& store) {
    const TraceRecords& records = store.records();
    const auto text = [&](StringId id) { return id.valid() ? store.text(id).size() : 0; };
    std::size_t sum = 0;
    for (const Counter& counter : records.counters()) {
        sum += text(counter.name) + text(counter.unit) + text(counter.scope) +
               store.location(counter.location).events;
        for (const CounterSample& sample :
             records.samples(counter).first(std::min<std::size_t>(counter.count, 64)))
            sum += store.time(counter.location, sample.ns).count == 0;
    }
    for (std::size_t i = 0; i < store.locations().size(); ++i) {
        for (std::uint32_t row = 0; row < 64; ++row)
            for (const Attribute& attribute : records.attributes(LocationId(i), {0, row}))
                sum += text(attribute.name);
        for (const Collective& collective : records.collectives(LocationId(i)))
            sum += text(collective.operation);
    }
    for (const Message& message : records.messages())
        sum += store.location(message.sender).events + store.location(message.receiver).events;
    for (const Communicator& communicator : records.communicators())
        sum += text(communicator.name) + records.members(communicator).size();
    for (const Marker& marker : records.markers())
        sum += text(marker.text);
    require(sum < SIZE_MAX, "the records can be read");
}

void readAll(const std::shared_ptr<const TraceStore>& shared) {
    const TraceStore& store = *shared;
    for (std::size_t i = 0; i < store.locations().size(); ++i)
        for (const SliceLane& lane : store.lanes(LocationId(i)))
            readLane(store, lane);
    readSections(shared);
    readRecords(store);
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    (void)report::infoText(store);
    (void)report::infoJson(store).dump(-1, ' ', false, kReplace);
    (void)store.verifyColumns({});
    std::vector<ClockInfo> clocks(store.ranks().size());
    (void)store.withClocks(clocks);
}

void openAs(const std::filesystem::path& path, StoreChecks checks) {
    const auto file = StoreFile::open(path, checks);
    if (!file) {
        require(file.error().message.find('\n') == std::string::npos, "an error is one sentence");
        return;
    }
    if (const auto store = TraceStore::open(*file, checks))
        readAll(*store);
}

} // namespace
} // namespace ddp::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ddp;
    static const fuzz::RunFolder folder;
    const std::filesystem::path path = folder.path() / "run.store";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    const int descriptor = fuzz::nextDescriptor();
    fuzz::openAs(path, StoreChecks::All);
    fuzz::openAs(path, StoreChecks::Structure); // past the checksums, which no random change gets right
    static int runs = 0;
    if (runs++ > 0)
        fuzz::requireNoFileLeftOpen(descriptor);
    return 0;
}
