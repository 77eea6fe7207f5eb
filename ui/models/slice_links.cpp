// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/slice_links.h"

#include "ui/models/activity_parts.h"
#include "ui/models/slice_facts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(SliceLinks)
};

constexpr std::size_t kAskedAfter = 0x10000; // slices between two looks at the stop token

bool asked(std::size_t step, const std::stop_token& stop) {
    return step % kAskedAfter == 0 && stop.stop_requested();
}

Nanoseconds selfTime(const TraceStore& store, const SliceRef& slice, const std::stop_token& stop) {
    const auto lanes = store.lanes(slice.location);
    const SliceLane& lane = lanes[slice.depth];
    const Nanoseconds begin = lane.begin(slice.row);
    const Nanoseconds end = lane.end(slice.row);
    Nanoseconds self = end - begin;
    if (slice.depth + 1 >= lanes.size())
        return self;
    const SliceLane& below = lanes[slice.depth + 1];
    for (std::size_t i = below.firstEndingAfter(begin); i < below.size() && below.begin(i) < end; ++i) {
        if (asked(i, stop))
            break;
        if (below.parent(i) == slice.row)
            self = self - (below.end(i) - below.begin(i));
    }
    return self;
}

/// The nearest slices of the region, one in each direction, over all depths of the location.
void findNeighbours(const TraceStore& store, const SliceRef& slice, SliceLinks& links,
                    const std::stop_token& stop) {
    const auto lanes = store.lanes(slice.location);
    const RegionId region = lanes[slice.depth].region(slice.row);
    const Nanoseconds begin = lanes[slice.depth].begin(slice.row);
    const auto beginOf = [&lanes](const SliceRef& other) { return lanes[other.depth].begin(other.row); };
    for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
        const SliceLane& lane = lanes[depth];
        const std::size_t here = depth == slice.depth ? slice.row : lane.firstBeginningFrom(begin);
        for (std::size_t i = here; i-- > 0 && !asked(i, stop);)
            if (lane.region(i) == region) {
                const SliceRef found{slice.location, depth, i};
                if (!links.previous || beginOf(*links.previous) < lane.begin(i))
                    links.previous = found;
                break;
            }
        for (std::size_t i = depth == slice.depth ? here + 1 : here; i < lane.size() && !asked(i, stop); ++i)
            if (lane.region(i) == region) {
                const SliceRef found{slice.location, depth, i};
                if (!links.next || lane.begin(i) < beginOf(*links.next))
                    links.next = found;
                break;
            }
    }
}

/// The slice of a thread that launched: several may begin together.
std::optional<SliceRef> launchAt(const TraceStore& store, LocationId thread, Nanoseconds begin) {
    std::optional<SliceRef> outermost;
    const auto lanes = store.lanes(thread);
    for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
        const std::size_t row = lanes[depth].firstBeginningFrom(begin);
        if (row >= lanes[depth].size() || lanes[depth].begin(row) != begin)
            continue;
        const SliceRef found{thread, depth, row};
        if (isKernelLaunch(store.regionName(lanes[depth].region(row))))
            return found;
        if (!outermost)
            outermost = found;
    }
    return outermost;
}

std::optional<SliceRef> kernelAt(const TraceStore& store, LocationId stream, TimeRange range) {
    const auto lanes = store.lanes(stream);
    for (std::size_t depth = 0; depth < lanes.size(); ++depth)
        for (std::size_t row = lanes[depth].firstBeginningFrom(range.begin);
             row < lanes[depth].size() && lanes[depth].begin(row) == range.begin; ++row)
            if (lanes[depth].end(row) == range.end)
                return SliceRef{stream, depth, row};
    return std::nullopt;
}

QString nameOf(const TraceStore& store, const std::optional<SliceRef>& slice) {
    return slice ? regionText(store, store.lanes(slice->location)[slice->depth].region(slice->row))
                 : QString();
}

SliceLaunch launchOfKernel(const TraceStore& store, const LaunchedKernels& launches, const SliceRef& slice,
                           TimeRange range) {
    SliceLaunch launch;
    launch.isKernel = true;
    launch.rule = launches.rule;
    launch.why = launches.why;
    const auto found = std::ranges::find_if(launches.kernels, [&](const LaunchedKernel& kernel) {
        return kernel.stream == slice.location && kernel.range == range;
    });
    if (found == launches.kernels.end())
        return launch;
    launch.other = launchAt(store, found->thread, found->launch);
    launch.name = nameOf(store, launch.other);
    launch.delay = range.begin - found->launch;
    return launch;
}

std::optional<SliceLaunch> kernelsOfLaunch(const TraceStore& store, const LaunchedKernels& launches,
                                           const SliceRef& slice, TimeRange range, bool isLaunch) {
    SliceLaunch launch;
    launch.rule = launches.rule;
    launch.why = launches.why;
    if (launchAt(store, slice.location, range.begin) == slice)
        for (const LaunchedKernel& kernel : launches.kernels) {
            if (kernel.thread != slice.location || kernel.launch != range.begin)
                continue;
            ++launch.kernels;
            if (launch.other)
                continue;
            launch.other = kernelAt(store, kernel.stream, kernel.range);
            launch.name = nameOf(store, launch.other);
            launch.delay = kernel.range.begin - range.begin;
        }
    return launch.other || isLaunch ? std::optional(launch) : std::nullopt;
}

/// Looking for launches costs all slices of the rank, so it is done only for what may be one.
bool mayLaunch(const TraceStore& store, const SliceRef& slice, RegionId region) {
    if (isKernelLaunch(store.regionName(region)))
        return true;
    const ddp::SliceRef place{static_cast<std::uint32_t>(slice.depth), static_cast<std::uint32_t>(slice.row)};
    return std::ranges::any_of(store.records().attributes(slice.location, place),
                               [&store](const Attribute& attribute) {
                                   const std::string_view name = store.text(attribute.name);
                                   return name == "correlation" || name == "CORRELATION_ID";
                               });
}

void findLaunch(const TraceStore& store, const RunAnalysis& run, const SliceRef& slice, SliceLinks& links) {
    const LocationInfo& location = store.location(slice.location);
    const SliceLane& lane = store.lanes(slice.location)[slice.depth];
    const RegionId region = lane.region(slice.row);
    const TimeRange range{lane.begin(slice.row), lane.end(slice.row)};
    const bool kernel = location.kind == LocationKind::Stream &&
                        run.classification().classes.onStream[region.index()] == WorkClass::Compute;
    if (!kernel && (location.kind != LocationKind::Thread || !mayLaunch(store, slice, region)))
        return;
    if (!links.launches)
        links.launches = std::make_shared<const LaunchedKernels>(
            launchedKernels(store, run.activity(), location.rankIndex));
    links.launch = kernel ? launchOfKernel(store, *links.launches, slice, range)
                          : kernelsOfLaunch(store, *links.launches, slice, range,
                                            isKernelLaunch(store.regionName(region)));
}

SliceCollective collectiveOf(const TraceStore& store, const CollectiveInstance& instance, std::size_t index) {
    SliceCollective found;
    found.index = index;
    found.instance = instance;
    Nanoseconds first = instance.parts.front().range.begin;
    for (const CollectivePart& part : instance.parts)
        first = std::min(first, part.range.begin);
    for (const CollectivePart& part : instance.parts) {
        CollectivePartRow row;
        row.rank = rankCell(store.ranks()[part.rankIndex].rank);
        row.late = instance.lateRank == part.rankIndex;
        row.slice = {part.location, part.slice.lane, part.slice.row};
        row.range = part.range;
        row.wait = part.wait;
        if (instance.skew)
            row.arrived = part.range.begin - first;
        if (row.late)
            found.lateRank = row.rank;
        found.parts.push_back(std::move(row));
    }
    return found;
}

void findCollective(const RunAnalysis& run, const SliceRef& slice, SliceLinks& links) {
    const auto& instances = run.collectives().instances;
    for (std::size_t i = 0; i < instances.size(); ++i)
        for (const CollectivePart& part : instances[i].parts)
            if (part.location == slice.location && part.slice.lane == slice.depth &&
                part.slice.row == slice.row) {
                links.collective = collectiveOf(*run.store(), instances[i], i);
                return;
            }
}

} // namespace

SliceLinks sliceLinks(const TraceStore& store, const RunAnalysis* run, const SliceRef& slice,
                      std::shared_ptr<const LaunchedKernels> launches, const std::stop_token& stop) {
    SliceLinks links;
    links.launches = std::move(launches);
    links.self = selfTime(store, slice, stop);
    findNeighbours(store, slice, links, stop);
    if (!run || stop.stop_requested())
        return links;
    findCollective(*run, slice, links);
    findLaunch(store, *run, slice, links);
    return links;
}

std::vector<Column<CollectivePartRow>> collectivePartColumns() {
    using Row = CollectivePartRow;
    return {
        {.title = Texts::tr("Rank"),
         .tip = Texts::tr("A click goes to the part of this rank."),
         .text = [](const Row& row) { return row.late ? Texts::tr("%1 (late)").arg(row.rank) : row.rank; }},
        {.title = Texts::tr("Duration"),
         .number = true,
         .text = [](const Row& row) { return durationText(row.range.length()); },
         .key = [](const Row& row) -> QVariant { return static_cast<qlonglong>(row.range.length().count); }},
        {.title = Texts::tr("Wait"),
         .tip = Texts::tr("Its duration less the shortest one; – where the parts may be matched wrongly."),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.wait); },
         .key = [](const Row& row) -> QVariant {
             return static_cast<qlonglong>(row.wait.value_or(Nanoseconds(-1)).count);
         }},
        {.title = Texts::tr("Came after"),
         .tip = Texts::tr("How long after the first rank it began; – where clocks can not be compared."),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.arrived); },
         .key = [](const Row& row) -> QVariant {
             return static_cast<qlonglong>(row.arrived.value_or(Nanoseconds(-1)).count);
         }},
    };
}

} // namespace ddp::ui
