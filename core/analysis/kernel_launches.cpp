// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/kernel_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace ddp {

namespace {

// Kineto's name and the worker's.
constexpr std::string_view kCorrelationNames[] = {"correlation", "CORRELATION_ID"};
constexpr std::string_view kLaunchNames[] = {
    "cuLaunchKernel",        "cuLaunchCooperativeKernel",  "cudaLaunchKernel", "cudaLaunchCooperativeKernel",
    "hipLaunchKernel",       "hipLaunchCooperativeKernel", "hipExtLaunch",     "hipExtModuleLaunchKernel",
    "hipModuleLaunchKernel",
};
constexpr std::string_view kStreamSuffix = "_STREAM_REF"; // CUDA_, HIP_

// A trace that begins in the middle lacks the launches of the first kernels; what lacks more is no account.
constexpr std::size_t kUnlinkedPart = 20;

struct Launch {
    TimeRange range;
    LocationId thread;
    StringId stream; // not valid: it names none
};

struct Kernel {
    TimeRange range;
    bool computes = false;
};

struct Stream {
    LocationId location;
    std::size_t device = 0;
    std::vector<Kernel> kernels; // ordered by begin
    std::vector<Launch> launches;
};

/// A number that a launch and the kernels it started have in common.
template <class Row>
struct Numbered {
    std::uint64_t number = 0;
    Row row;
};

class RankLaunches {
public:
    RankLaunches(const TraceStore& store, const RunActivity& activity, std::size_t rank)
        : m_store(store), m_activity(activity), m_rank(rank) {}

    LaunchedKernels find() {
        readStreams();
        auto byCorrelation = correlated();
        if (byCorrelation)
            return std::move(*byCorrelation);
        readLaunches();
        return byOrder();
    }

private:
    // Calls `take` for each slice of the location, with its place.
    template <class Take>
    void forEachSlice(LocationId location, Take take) const {
        std::uint32_t depth = 0;
        for (const SliceLane& lane : m_store.lanes(location)) {
            SliceRef place{depth++, 0};
            lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
                take(place, TimeRange{begin, end}, region);
                ++place.row;
            });
        }
    }

    // Calls `take` for each slice of the location that has one of these attributes.
    template <class Take>
    void forEachWith(LocationId location, const std::vector<bool>& wanted, Take take) const {
        const auto lanes = m_store.lanes(location);
        m_store.records().forEachAttribute(location, [&](SliceRef slice, std::uint32_t key, Value value) {
            if (wanted[key] && slice.lane < lanes.size() && slice.row < lanes[slice.lane].size())
                take(slice, lanes[slice.lane], value);
        });
    }

    template <class Fits>
    std::vector<bool> keysThat(Fits fits) const {
        std::vector<bool> wanted;
        for (const AttributeKey& key : m_store.records().attributeKeys())
            wanted.push_back(fits(m_store.text(key.name), key.type));
        return wanted;
    }

    template <class Take>
    void forEachThread(Take take) const {
        for (const LocationId id : m_store.ranks()[m_rank].locations)
            if (m_store.location(id).kind == LocationKind::Thread)
                take(id);
    }

    void readStreams() {
        const auto& classes = m_activity.classes().onStream;
        for (std::size_t device = 0; device < m_activity.devices().size(); ++device) {
            if (m_activity.devices()[device].rankIndex != m_rank)
                continue;
            for (const LocationId id : m_activity.devices()[device].locations) {
                Stream& stream = m_streams.emplace_back(Stream{id, device, {}, {}});
                forEachSlice(id, [&](SliceRef, TimeRange range, RegionId region) {
                    const WorkClass work = classes[region.index()];
                    if (work == WorkClass::Compute || work == WorkClass::Communication)
                        stream.kernels.push_back({range, work == WorkClass::Compute});
                    m_computing += work == WorkClass::Compute ? 1 : 0;
                });
                std::ranges::stable_sort(stream.kernels, {}, [](const auto& k) { return k.range.begin; });
            }
        }
    }

    // Nothing where launches and kernels have no numbers in common.
    std::optional<LaunchedKernels> correlated() const {
        const std::vector<bool> wanted = keysThat([](std::string_view name, ValueType type) {
            return type <= ValueType::Uint64 && std::ranges::count(kCorrelationNames, name) > 0;
        });
        if (std::ranges::count(wanted, true) == 0)
            return std::nullopt;
        std::vector<Numbered<Launch>> launches; // 0 is the number of what has none
        forEachThread([&](LocationId id) {
            forEachWith(id, wanted, [&](SliceRef slice, const SliceLane& lane, Value value) {
                if (value.bits != 0)
                    launches.push_back(
                        {value.bits, {{lane.begin(slice.row), lane.end(slice.row)}, id, StringId()}});
            });
        });
        // The runtime's call and the driver's inside it may have one number: the outer one comes first.
        std::ranges::sort(launches, [](const auto& a, const auto& b) {
            return a.number != b.number ? a.number < b.number : a.row.range.begin < b.row.range.begin;
        });
        LaunchedKernels result;
        for (const Stream& stream : m_streams)
            forEachWith(stream.location, wanted, [&](SliceRef slice, const SliceLane& lane, Value value) {
                if (m_activity.classes().onStream[lane.region(slice.row).index()] != WorkClass::Compute)
                    return;
                const auto found =
                    std::ranges::lower_bound(launches, value.bits, {}, &Numbered<Launch>::number);
                if (found != launches.end() && found->number == value.bits)
                    result.kernels.push_back({stream.device,
                                              {lane.begin(slice.row), lane.end(slice.row)},
                                              found->row.thread,
                                              stream.location,
                                              found->row.range.begin});
            });
        if (result.kernels.empty())
            return std::nullopt;
        if (m_computing > result.kernels.size() &&
            m_computing - result.kernels.size() > m_computing / kUnlinkedPart)
            return withheld("counts_differ");
        result.rule = PhaseRule::Correlation;
        return result;
    }

    static LaunchedKernels withheld(const char* why) { return {PhaseRule::None, why, {}}; }

    void readLaunches() {
        std::vector<bool> launches(m_store.regionCount());
        for (std::size_t i = 0; i < launches.size(); ++i)
            launches[i] = isKernelLaunch(m_store.regionName(RegionId(i)));
        if (std::ranges::count(launches, true) == 0)
            return;
        const std::vector<bool> wanted = keysThat([](std::string_view name, ValueType type) {
            return type == ValueType::Text && name.ends_with(kStreamSuffix);
        });
        forEachThread([&](LocationId id) { readLaunches(id, launches, wanted); });
        std::ranges::stable_sort(m_launches, {}, [](const Launch& launch) { return launch.range.begin; });
    }

    void readLaunches(LocationId id, const std::vector<bool>& isLaunchRegion,
                      const std::vector<bool>& wanted) {
        std::vector<std::pair<SliceRef, StringId>>
            named; // in the order of the slices, save in a damaged file
        forEachWith(id, wanted, [&](SliceRef slice, const SliceLane& lane, Value value) {
            if (isLaunchRegion[lane.region(slice.row).index()])
                named.emplace_back(slice, value.text());
        });
        std::vector<Launch> found;
        auto name = named.begin();
        forEachSlice(id, [&](SliceRef place, TimeRange range, RegionId region) {
            if (!isLaunchRegion[region.index()])
                return;
            while (name != named.end() && name->first < place)
                ++name;
            const bool has = name != named.end() && name->first == place;
            found.push_back({range, id, has ? name->second : StringId()});
        });
        std::ranges::stable_sort(found, [](const Launch& a, const Launch& b) {
            return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
        });
        // The runtime's call and the driver's inside it are one launch; the driver's names the stream.
        const std::size_t first = m_launches.size();
        for (const Launch& launch : found)
            if (m_launches.size() == first || launch.range.begin >= m_launches.back().range.end)
                m_launches.push_back(launch);
            else if (launch.stream.valid() && !m_launches.back().stream.valid())
                m_launches.back().stream = launch.stream;
    }

    // The streams that no launch names take what names none. False when the counts do not fit.
    bool deal(std::vector<Launch>& nameless) {
        std::map<std::string_view, Stream*> byName;
        for (Stream& stream : m_streams)
            if (!byName.emplace(m_store.location(stream.location).name, &stream).second)
                return false;
        for (const Launch& launch : m_launches) {
            if (!launch.stream.valid()) {
                nameless.push_back(launch);
                continue;
            }
            const auto stream = byName.find(m_store.text(launch.stream));
            if (stream == byName.end())
                return false;
            stream->second->launches.push_back(launch);
        }
        return true;
    }

    LaunchedKernels byOrder() {
        if (m_launches.empty())
            return withheld("no_launches");
        std::vector<Launch> nameless;
        if (!deal(nameless))
            return withheld("counts_differ");
        std::vector<Stream*> unnamed;
        std::size_t unnamedKernels = 0;
        bool unnamedCompute = false;
        for (Stream& stream : m_streams) {
            if (!stream.launches.empty() || stream.kernels.empty())
                continue;
            unnamed.push_back(&stream);
            unnamedKernels += stream.kernels.size();
            unnamedCompute |= std::ranges::any_of(stream.kernels, &Kernel::computes);
        }
        if (nameless.size() != unnamedKernels || (unnamed.size() > 1 && unnamedCompute))
            return withheld("counts_differ");
        if (unnamed.size() == 1)
            unnamed.front()->launches = std::move(nameless);
        return paired();
    }

    LaunchedKernels paired() const {
        LaunchedKernels result;
        for (const Stream& stream : m_streams) {
            if (stream.launches.empty())
                continue;
            if (stream.launches.size() != stream.kernels.size())
                return withheld("counts_differ");
            for (std::size_t i = 0; i < stream.kernels.size(); ++i)
                if (stream.kernels[i].computes)
                    result.kernels.push_back({stream.device, stream.kernels[i].range,
                                              stream.launches[i].thread, stream.location,
                                              stream.launches[i].range.begin});
        }
        result.rule = PhaseRule::ByOrder;
        return result;
    }

    const TraceStore& m_store;
    const RunActivity& m_activity;
    std::size_t m_rank;
    std::vector<Stream> m_streams;
    std::size_t m_computing = 0; // compute kernels
    std::vector<Launch> m_launches;
};

} // namespace

bool isKernelLaunch(std::string_view name) {
    return std::ranges::any_of(kLaunchNames, [name](auto launch) { return name.starts_with(launch); });
}

LaunchedKernels launchedKernels(const TraceStore& store, const RunActivity& activity, std::size_t rankIndex) {
    return RankLaunches(store, activity, rankIndex).find();
}

} // namespace ddp
