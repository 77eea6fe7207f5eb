// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_activity.h"

#include "core/base/parallel.h"
#include "core/store/store_writer.h"

#include <algorithm>
#include <array>

namespace ddp {

namespace {

// For what the activity in the file was made: the classes, as a checksum, and each device's busy time.
constexpr SectionId kMadeFor("ACTF");
constexpr SectionId kBusy("ACTH");
constexpr SectionId blocks(std::size_t device) {
    return {"ACTB", device};
}
constexpr SectionId offsets(std::size_t device) {
    return {"ACTO", device};
}
constexpr SectionId states(std::size_t device) {
    return {"ACTS", device};
}
constexpr SectionId laneCheckpoints(std::size_t device) {
    return {"ACTL", device};
}
constexpr SectionId checkpoints(std::size_t device) {
    return {"ACTC", device};
}

/// A device that does nothing that counts has begin behind end.
struct BusyEntry {
    std::int64_t begin;
    std::int64_t end;
};

std::array<std::uint64_t, 2> fingerprint(const WorkClasses& classes) {
    return {StoreFile::checksum(std::as_bytes(std::span(classes.onStream))),
            StoreFile::checksum(std::as_bytes(std::span(classes.onThread)))};
}

// Whether every index into the arrays lies in them, as far as the queries do not check it themselves.
bool fits(const DeviceActivityView& view, std::size_t lanes) {
    const auto& first = view.laneCheckpoints;
    return view.offsets.size() == view.states.size() && first.size() == lanes + 1 &&
           std::is_sorted(first.begin(), first.end()) && first.back() <= view.checkpoints.size();
}

// No slice lies beyond the limit, and between two limits every length can be told.
std::int64_t ownTime(const ClockMap& clock, Nanoseconds time) {
    return std::clamp(clock.toFile(time), -ClockMap::kLimit, ClockMap::kLimit);
}

// The same, quickly where `guess` is right within a few nanoseconds: where the clock drifts, the way back is
// a search.
std::int64_t ownTimeNear(const ClockMap& clock, Nanoseconds time, std::int64_t guess) {
    constexpr std::int64_t kNear = 4;
    std::int64_t low = guess - kNear;
    std::int64_t high = guess + kNear;
    if (clock.toRun(low) > time || clock.toRun(high) <= time)
        return ownTime(clock, time);
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (clock.toRun(middle) <= time ? low : high) = middle;
    }
    return std::clamp(low, -ClockMap::kLimit, ClockMap::kLimit);
}

} // namespace

RunActivity::RunActivity(std::shared_ptr<const TraceStore> store, WorkClasses classes)
    : m_store(std::move(store)), m_inFileTime(m_store->inFileTime()), m_classes(std::move(classes)),
      m_devices(devicesOf(*m_inFileTime)), m_built(m_devices.size()) {}

std::shared_ptr<const RunActivity> RunActivity::of(std::shared_ptr<const TraceStore> store,
                                                   WorkClasses classes) {
    const std::shared_ptr<RunActivity> activity(new RunActivity(std::move(store), std::move(classes)));
    if (!activity->view())
        activity->build();
    return activity;
}

void RunActivity::put(const TraceStore& store, const WorkClasses& classes, StoreWriter& file,
                      const std::stop_token& stop) {
    const auto devices = devicesOf(store);
    std::vector<BusyEntry> busy(devices.size(), {0, -1});
    const auto putDevice = [&](std::size_t i) {
        const DeviceActivity made = buildDeviceActivity(activityLanes(store, devices[i], classes));
        if (made.busy)
            busy[i] = {made.busy->begin.count, made.busy->end.count};
        file.put(blocks(i), made.blocks, SectionUse::Bulk);
        file.put(offsets(i), made.offsets, SectionUse::Bulk);
        file.put(states(i), made.states, SectionUse::Bulk);
        file.put(laneCheckpoints(i), made.laneCheckpoints, SectionUse::Metadata);
        file.put(checkpoints(i), made.checkpoints, SectionUse::Bulk);
    };
    runParallel(devices.size(), putDevice, stop);
    file.put(kBusy, busy, SectionUse::Metadata);
    file.put(kMadeFor, fingerprint(classes), SectionUse::Metadata);
}

bool RunActivity::view() {
    const StoreFile& file = m_store->file();
    const auto madeFor = file.array<std::uint64_t>(kMadeFor);
    const auto busy = file.array<BusyEntry>(kBusy);
    if (busy.size() != m_devices.size() || !std::ranges::equal(madeFor, fingerprint(m_classes)))
        return false;
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        Built& built = m_built[i];
        built.view = {file.array<ActivityBlock>(blocks(i)), file.array<std::uint32_t>(offsets(i)),
                      file.array<std::uint8_t>(states(i)), file.array<std::uint32_t>(laneCheckpoints(i)),
                      file.array<ClassCheckpoint>(checkpoints(i))};
        if (!fits(built.view, activityLanes(*m_inFileTime, m_devices[i], m_classes).size()))
            return false;
        if (busy[i].begin <= busy[i].end)
            built.busy = TimeRange{Nanoseconds(busy[i].begin), Nanoseconds(busy[i].end)};
    }
    return true;
}

void RunActivity::build() {
    runParallel(m_devices.size(), [&](std::size_t i) {
        Built& built = m_built[i];
        built.own = buildDeviceActivity(activityLanes(*m_inFileTime, m_devices[i], m_classes));
        built.view = built.own.view();
        built.busy = built.own.busy;
    });
}

TimeRange RunActivity::inFile(std::size_t device, TimeRange window) const {
    const ClockMap& clock = m_store->clock(m_devices[device].rankIndex);
    return {Nanoseconds(ownTime(clock, window.begin)), Nanoseconds(ownTime(clock, window.end))};
}

std::optional<TimeRange> RunActivity::busy(std::size_t device) const {
    const auto& busy = m_built[device].busy;
    if (!busy)
        return std::nullopt;
    const ClockMap& clock = m_store->clock(m_devices[device].rankIndex);
    return TimeRange{clock.toRun(busy->begin.count), clock.toRun(busy->end.count)};
}

WindowActivity RunActivity::over(std::size_t device, TimeRange window) const {
    return m_built[device].view.over(inFile(device, window));
}

void RunActivity::columns(std::size_t device, TimeRange window, std::size_t count,
                          std::vector<WindowActivity>& out) const {
    out.clear();
    if (window.empty() || count == 0)
        return;
    const ClockMap& clock = m_store->clock(m_devices[device].rankIndex);
    const TimeRange own = inFile(device, window);
    std::vector<std::int64_t> edges{own.begin.count};
    edges.reserve(count + 1);
    for (std::size_t i = 0; i < count; ++i)
        edges.push_back(
            ownTimeNear(clock, columnOf(window, count, i).end, columnOf(own, count, i).end.count));
    m_built[device].view.overEach(edges, out);
}

ClassSums RunActivity::sumsOver(std::size_t device, TimeRange window) const {
    return m_built[device].view.sumsOver(activityLanes(*m_inFileTime, m_devices[device], m_classes),
                                         inFile(device, window));
}

} // namespace ddp
