// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/chrome_trace.h"

#include "core/analysis/slice_walk.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/slice_writing.h"

#include <fmt/format.h>
#include <unordered_map>

namespace ddp::report {

namespace {

std::string jsonLine(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string microseconds(std::int64_t ns) {
    const auto size = static_cast<std::uint64_t>(ns < 0 ? -ns : ns);
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string processName(const RankInfo& rank) {
    std::string name = "rank " + (rank.rank ? std::to_string(*rank.rank) : "?");
    if (rank.host)
        name += " (" + *rank.host + ")";
    return name;
}

class ChromeWriter {
public:
    ChromeWriter(const TraceStore& store, OutputFile& file, WritingPace& pace)
        : m_store(store), m_file(file), m_pace(pace),
          m_regions(store.regionCount(), [&store](RegionId id) { return nameAndCategory(store, id); }),
          m_nextThread(store.locations().size() + 1) {}

    void begin() { m_file.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":["); }

    // Numbers begin with 1: viewers take process 0 and thread 0 for the idle ones of a kernel trace.
    void addProcess(std::size_t rankIndex) {
        m_process = rankIndex + 1;
        metadata("process_name", 0, {{"name", processName(m_store.ranks()[rankIndex])}});
        metadata("process_sort_index", 0, {{"sort_index", m_process}});
    }

    void setLocation(LocationId id) {
        m_location = id;
        m_threads.clear();
        addThread(0, id.index() + 1);
    }

    bool enter(const WalkedSlice& slice) {
        auto thread = m_threads.find(slice.root);
        if (thread == m_threads.end())
            thread = addThread(slice.root, m_nextThread++);
        event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},{}}})", m_process, thread->second,
                          microseconds(slice.begin.count), microseconds((slice.end - slice.begin).count),
                          m_regions[slice.region]));
        return m_pace.goOn() && m_file.good();
    }
    void leave(const WalkedSlice&) {}

    void end() {
        Json other = envelope("convert");
        other["import_issues"] = issuesJson(m_store.issues());
        m_file.write("\n],\"otherData\":" + jsonLine(other) + "}\n");
    }

private:
    using Threads = std::unordered_map<std::size_t, std::size_t>;

    static std::string nameAndCategory(const TraceStore& store, RegionId id) {
        const std::string_view paradigm = store.text(store.region(id).paradigm);
        return fmt::format(R"("name":{},"cat":{})", jsonLine(store.regionName(id)),
                           jsonLine(paradigm.empty() ? "unknown" : paradigm));
    }

    Threads::iterator addThread(std::size_t root, std::size_t thread) {
        std::string name = m_store.location(m_location).name;
        if (root > 0)
            name += fmt::format(" (overlapping {})", root);
        metadata("thread_name", thread, {{"name", name}});
        // Beside its location, however many locations there are.
        constexpr std::size_t kRoom = 1000;
        metadata("thread_sort_index", thread,
                 {{"sort_index", m_location.index() * kRoom + std::min(root, kRoom - 1)}});
        return m_threads.emplace(root, thread).first;
    }

    void metadata(const char* what, std::size_t thread, const Json& arguments) {
        event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{}}})", m_process, thread, what,
                          jsonLine(arguments)));
    }

    void event(const std::string& text) {
        m_file.write(m_first ? "\n" : ",\n");
        m_file.write(text);
        m_first = false;
    }

    const TraceStore& m_store;
    OutputFile& m_file;
    WritingPace& m_pace;
    RegionTexts m_regions;
    std::size_t m_nextThread;
    std::size_t m_process = 0;
    LocationId m_location;
    Threads m_threads; // of the location, by WalkedSlice::root
    bool m_first = true;
};

} // namespace

Result<void> writeChromeTrace(const TraceStore& store, OutputFile& file, std::stop_token stop,
                              Progress& progress) {
    WritingPace pace(store, std::move(stop), progress);
    ChromeWriter writer(store, file, pace);
    writer.begin();
    for (std::size_t rank = 0; rank < store.ranks().size(); ++rank) {
        writer.addProcess(rank);
        for (LocationId id : store.ranks()[rank].locations) {
            writer.setLocation(id);
            walkSlices(store.lanes(id), store.extent().begin, store.extent().end, writer);
            if (auto ended = pace.ended(); !ended)
                return forward(ended);
        }
    }
    writer.end();
    return {};
}

} // namespace ddp::report
