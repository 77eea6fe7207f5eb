// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/device_activity.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ddp {

namespace {

constexpr std::size_t kBlock = 64;

// A length or a distance may be more than half of the int64 range.
std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

} // namespace

std::vector<Device> devicesOf(const TraceStore& store) {
    std::map<std::tuple<std::size_t, bool, std::optional<int>>, Device> devices;
    for (std::size_t rank = 0; rank < store.ranks().size(); ++rank) {
        const auto& locations = store.ranks()[rank].locations;
        const bool hasStreams = std::any_of(locations.begin(), locations.end(), [&](LocationId id) {
            return store.location(id).kind == LocationKind::Stream;
        });
        const LocationKind wanted = hasStreams ? LocationKind::Stream : LocationKind::Thread;
        for (const LocationId id : locations) {
            const LocationInfo& location = store.location(id);
            if (location.kind != wanted)
                continue;
            const auto number = hasStreams ? location.device : std::nullopt;
            Device& device = devices[{rank, !number, number}]; // streams without a number come last
            device.rankIndex = rank;
            device.device = number;
            device.isHost = !hasStreams;
            device.locations.push_back(id);
        }
    }
    std::vector<Device> all;
    for (auto& [key, device] : devices)
        all.push_back(std::move(device));
    return all;
}

std::vector<ActivityLane> activityLanes(const TraceStore& store, const Device& device,
                                        const WorkClasses& classes) {
    std::vector<ActivityLane> lanes;
    for (const LocationId id : device.locations)
        for (const SliceLane& lane : store.lanes(id))
            lanes.push_back({&lane, classes.on(store.location(id).kind)});
    return lanes;
}

namespace {

// Reads one lane in order, stops at the slices that count, and notes the sums on its way.
class Cursor {
public:
    explicit Cursor(const ActivityLane& lane) : m_lane(*lane.slices), m_classes(lane.classes) { find(); }

    bool atEnd() const { return m_row == m_lane.size(); }
    std::int64_t begin() const { return m_begin; }
    std::int64_t end() const { return m_end; }
    std::size_t work() const { return m_work; }
    void next() {
        ++m_row;
        find();
    }
    // Nothing counts on most lanes of host threads: these keep no sums.
    std::vector<ClassCheckpoint>& checkpoints() {
        if (std::all_of(m_sums.count.begin(), m_sums.count.end(), [](auto n) { return n == 0; }))
            m_checkpoints.clear();
        return m_checkpoints;
    }

private:
    struct Row {
        std::int64_t begin;
        std::int64_t end;
        WorkClass work;
    };

    void readBlock() {
        Row* row = m_block.data();
        m_lane.forEach(m_row, std::min(m_row + kBlock, m_lane.size()),
                       [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
                           *row++ = {begin.count, end.count, m_classes[region.index()]};
                       });
    }
    void find() {
        for (const std::size_t rows = m_lane.size(); m_row < rows; ++m_row) {
            if (m_row % kBlock == 0) {
                m_checkpoints.push_back(m_sums);
                readBlock();
            }
            const Row& row = m_block[m_row % kBlock];
            if (!counts(row.work))
                continue;
            m_work = static_cast<std::size_t>(row.work);
            m_begin = row.begin;
            m_end = row.end;
            ++m_sums.count[m_work];
            m_sums.sumNs[m_work] += distance(m_begin, m_end);
            return;
        }
    }

    const SliceLane& m_lane;
    std::span<const WorkClass> m_classes;
    std::size_t m_row = 0;
    std::array<Row, kBlock> m_block{}; // the rows around m_row
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
    std::size_t m_work = 0;
    ClassCheckpoint m_sums;
    std::vector<ClassCheckpoint> m_checkpoints;
};

// Takes slices ordered by begin and writes a breakpoint wherever the set of classes at work changes.
class BreakpointWriter {
public:
    explicit BreakpointWriter(DeviceActivity& to) : m_to(to) {}

    void add(std::size_t work, std::int64_t begin, std::int64_t end) {
        m_busyBegin = std::min(m_busyBegin, begin);
        m_busyEnd = std::max(m_busyEnd, end);
        while (m_firstEnd < begin) // what ends exactly here may go on with this slice
            endFirst();
        const unsigned bit = 1u << work;
        if ((m_state & bit) == 0) {
            if (begin == end)
                return;
            m_ends[work] = end;
            m_firstEnd = std::min(m_firstEnd, end);
            change(begin, m_state | bit);
        } else if (end > m_ends[work]) {
            m_ends[work] = end;
            findFirstEnd();
        }
    }
    void finish() {
        while (m_state != 0)
            endFirst();
        if (m_busyBegin <= m_busyEnd)
            m_to.busy = TimeRange{Nanoseconds(m_busyBegin), Nanoseconds(m_busyEnd)};
    }

private:
    void endFirst() {
        unsigned left = m_state;
        for (std::size_t c = 0; c < kCountedClasses; ++c)
            if (m_ends[c] == m_firstEnd) {
                left &= ~(1u << c);
                m_ends[c] = INT64_MAX;
            }
        change(m_firstEnd, left);
        findFirstEnd();
    }
    void findFirstEnd() { m_firstEnd = std::min({m_ends[0], m_ends[1], m_ends[2]}); }
    void change(std::int64_t time, unsigned state) {
        const bool sameTime = m_time == time && !m_to.states.empty();
        if (!sameTime)
            append(time);
        m_to.states.back() = static_cast<std::uint8_t>(state);
        m_state = state;
    }
    void append(std::int64_t time) {
        m_totals[m_state] += distance(m_time, time);
        const bool fits = m_to.offsets.size() - m_first < kBlock && !m_to.blocks.empty() &&
                          distance(m_blockTime, time) <= UINT32_MAX;
        if (!fits) {
            m_blockTime = time;
            m_first = m_to.offsets.size();
            ActivityBlock& block = m_to.blocks.emplace_back();
            block.time = time;
            std::copy(m_totals.begin() + 1, m_totals.end(), block.totals.begin());
            block.first = static_cast<std::uint32_t>(m_first);
        }
        m_to.offsets.push_back(static_cast<std::uint32_t>(distance(m_blockTime, time)));
        m_to.states.push_back(0);
        m_time = time;
    }

    DeviceActivity& m_to;
    std::array<std::uint64_t, 8> m_totals{}; // by state; nobody reads that of state 0
    std::array<std::int64_t, kCountedClasses> m_ends{INT64_MAX, INT64_MAX, INT64_MAX}; // of those at work
    std::int64_t m_firstEnd = INT64_MAX;
    std::int64_t m_time = 0; // of the last breakpoint
    std::int64_t m_blockTime = 0;
    std::int64_t m_busyBegin = INT64_MAX;
    std::int64_t m_busyEnd = INT64_MIN;
    std::size_t m_first = 0; // breakpoint of the last block
    unsigned m_state = 0;
};

struct Head { // where a lane stands
    std::int64_t begin;
    Cursor* lane;
};

// The lanes as a heap with the earliest on top; a changed top sinks to its place.
void sink(std::vector<Head>& heap) {
    const Head moving = heap.front();
    std::size_t at = 0;
    for (;;) {
        std::size_t child = 2 * at + 1;
        if (child >= heap.size())
            break;
        if (child + 1 < heap.size() && heap[child + 1].begin < heap[child].begin)
            ++child;
        if (moving.begin <= heap[child].begin)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

// All slices that count, ordered by begin. A lane is read on as long as it is the first, which spares most of
// the heap's work where lanes take turns in stretches.
void merge(std::vector<Cursor>& lanes, BreakpointWriter& into) {
    std::vector<Head> heap;
    for (Cursor& lane : lanes)
        if (!lane.atEnd())
            heap.push_back({lane.begin(), &lane});
    std::sort(heap.begin(), heap.end(), [](const Head& a, const Head& b) { return a.begin < b.begin; });
    while (!heap.empty()) {
        Cursor& first = *heap.front().lane;
        std::int64_t until = INT64_MAX;
        for (std::size_t child = 1; child < std::min<std::size_t>(heap.size(), 3); ++child)
            until = std::min(until, heap[child].begin);
        do {
            into.add(first.work(), first.begin(), first.end());
            first.next();
        } while (!first.atEnd() && first.begin() <= until);
        if (first.atEnd()) {
            heap.front() = heap.back();
            heap.pop_back();
        } else {
            heap.front().begin = first.begin();
        }
        if (!heap.empty())
            sink(heap);
    }
}

} // namespace

DeviceActivity buildDeviceActivity(std::span<const ActivityLane> lanes) {
    std::vector<Cursor> cursors;
    cursors.reserve(lanes.size());
    for (const ActivityLane& lane : lanes)
        cursors.emplace_back(lane);
    DeviceActivity activity;
    // About one breakpoint a row; what is not needed is never touched, and takes no memory but addresses.
    std::size_t rows = 0;
    for (const ActivityLane& lane : lanes)
        rows += lane.slices->size();
    activity.offsets.reserve(rows);
    activity.states.reserve(rows);
    BreakpointWriter writer(activity);
    merge(cursors, writer);
    writer.finish();
    activity.laneCheckpoints.push_back(0);
    for (Cursor& cursor : cursors) {
        const auto& from = cursor.checkpoints();
        activity.checkpoints.insert(activity.checkpoints.end(), from.begin(), from.end());
        activity.laneCheckpoints.push_back(static_cast<std::uint32_t>(activity.checkpoints.size()));
    }
    return activity;
}

std::size_t DeviceActivityView::blockAt(std::int64_t time) const {
    const auto after =
        std::upper_bound(blocks.begin(), blocks.end(), time,
                         [](std::int64_t t, const ActivityBlock& block) { return t < block.time; });
    return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

std::size_t DeviceActivityView::blockFrom(std::size_t from, std::int64_t time) const {
    std::size_t step = 1;
    for (; from + step < blocks.size() && blocks[from + step].time <= time; step *= 2)
        from += step;
    const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(std::min(from, blocks.size()));
    const auto last = blocks.begin() + static_cast<std::ptrdiff_t>(std::min(from + step, blocks.size()));
    const auto after = std::upper_bound(
        first, last, time, [](std::int64_t t, const ActivityBlock& block) { return t < block.time; });
    return after == first ? from : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

DeviceActivityView::Totals DeviceActivityView::totalsBefore(std::int64_t time, std::size_t at) const {
    if (at == blocks.size() || blocks[at].time > time)
        return {};
    const ActivityBlock& block = blocks[at];
    // Bounded, because the arrays may come from a damaged file.
    const std::size_t last = at + 1 == blocks.size()
                                 ? offsets.size()
                                 : std::min<std::size_t>(blocks[at + 1].first, offsets.size());
    const std::uint64_t until = distance(block.time, time);
    auto totals = block.totals;
    for (std::size_t i = block.first; i < last && offsets[i] < until; ++i) {
        const std::uint64_t end = i + 1 < last ? std::min<std::uint64_t>(offsets[i + 1], until) : until;
        if (const unsigned state = states[i] & 7u; state != 0)
            totals[state - 1] += end - offsets[i];
    }
    return totals;
}

WindowActivity DeviceActivityView::over(TimeRange window) const {
    if (window.empty())
        return {};
    const std::int64_t begin = window.begin.count;
    const std::int64_t end = window.end.count;
    return between(totalsBefore(begin, blockAt(begin)), totalsBefore(end, blockAt(end)), window.length());
}

void DeviceActivityView::overEach(std::span<const std::int64_t> edges,
                                  std::vector<WindowActivity>& out) const {
    out.clear();
    Totals before{};
    std::size_t block = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        block = blockFrom(block, edges[i]);
        const Totals until = totalsBefore(edges[i], block);
        if (i > 0)
            out.push_back(between(before, until, Nanoseconds(edges[i] - edges[i - 1])));
        before = until;
    }
}

WindowActivity DeviceActivityView::between(const Totals& before, Totals in, Nanoseconds length) {
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] -= before[i];
    constexpr unsigned kC = 1u << static_cast<unsigned>(WorkClass::Communication);
    constexpr unsigned kP = 1u << static_cast<unsigned>(WorkClass::Compute);
    constexpr unsigned kM = 1u << static_cast<unsigned>(WorkClass::Memory);
    const auto sum = [&](auto belongs) {
        std::uint64_t total = 0;
        for (unsigned state = 1; state < 8; ++state)
            total += belongs(state) ? in[state - 1] : 0;
        return Nanoseconds(static_cast<std::int64_t>(total));
    };
    WindowActivity activity;
    activity.communication = sum([](unsigned s) { return (s & kC) != 0; });
    activity.compute = sum([](unsigned s) { return (s & kP) != 0; });
    activity.memory = sum([](unsigned s) { return (s & kM) != 0; });
    activity.hidden = sum([](unsigned s) { return (s & kC) != 0 && (s & kP) != 0; });
    activity.exposed = sum([](unsigned s) { return (s & kC) != 0 && (s & kP) == 0; });
    activity.exposedMemory = sum([](unsigned s) { return s == kM; });
    const Nanoseconds busy = sum([](unsigned) { return true; });
    activity.idle = Nanoseconds(distance(busy.count, length.count));
    return activity;
}

namespace {

// Sums over the rows before `row`.
ClassSums sumsBefore(const ActivityLane& lane, std::span<const ClassCheckpoint> checkpoints,
                     std::size_t row) {
    ClassSums sums;
    const std::size_t block = std::min(row / kBlock, checkpoints.size() - 1);
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        sums.count[c] = checkpoints[block].count[c];
        sums.sumNs[c] = checkpoints[block].sumNs[c];
    }
    for (std::size_t i = block * kBlock; i < row; ++i) {
        const WorkClass work = lane.classes[lane.slices->region(i).index()];
        if (!counts(work))
            continue;
        ++sums.count[static_cast<std::size_t>(work)];
        sums.sumNs[static_cast<std::size_t>(work)] +=
            distance(lane.slices->begin(i).count, lane.slices->end(i).count);
    }
    return sums;
}

void addLane(const ActivityLane& lane, std::span<const ClassCheckpoint> checkpoints, TimeRange window,
             ClassSums& to) {
    const SliceLane& slices = *lane.slices;
    const std::size_t first =
        std::min(slices.firstEndingAfter(window.begin), slices.firstBeginningFrom(window.begin));
    const std::size_t last = slices.firstBeginningFrom(window.end);
    if (first >= last)
        return;
    const ClassSums before = sumsBefore(lane, checkpoints, first);
    const ClassSums after = sumsBefore(lane, checkpoints, last);
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        to.count[c] += after.count[c] - before.count[c];
        to.sumNs[c] += after.sumNs[c] - before.sumNs[c];
    }
    // Only the first slice can begin before the window, and only the last can end after it.
    const auto cut = [&](std::size_t row, std::uint64_t outside) {
        const WorkClass work = lane.classes[slices.region(row).index()];
        if (counts(work))
            to.sumNs[static_cast<std::size_t>(work)] -= outside;
    };
    if (slices.begin(first) < window.begin)
        cut(first, distance(slices.begin(first).count, window.begin.count));
    if (slices.end(last - 1) > window.end)
        cut(last - 1, distance(window.end.count, slices.end(last - 1).count));
}

} // namespace

ClassSums DeviceActivityView::sumsOver(std::span<const ActivityLane> lanes, TimeRange window) const {
    ClassSums sums;
    if (window.empty())
        return sums;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const auto of = checkpoints.subspan(laneCheckpoints[i], laneCheckpoints[i + 1] - laneCheckpoints[i]);
        if (!of.empty())
            addLane(lanes[i], of, window, sums);
    }
    return sums;
}

} // namespace ddp
