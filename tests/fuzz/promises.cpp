// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/promises.h"

#include "core/report/trace_info.h"
#include "core/store/timeline_query.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace ddp::fuzz {

namespace {

std::set<std::string> openFiles() {
    std::set<std::string> files;
    std::error_code gone; // of the descriptor that lists the others
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        files.insert(entry.path().filename().string() + " " +
                     std::filesystem::read_symlink(entry, gone).string());
    return files;
}

void checkLane(const SliceLane& lane) {
    for (std::size_t i = 0; i < lane.size(); ++i) {
        require(lane.begin(i) <= lane.end(i), "a slice does not end before it begins");
        require(i == 0 || lane.end(i - 1) <= lane.begin(i), "slices of a lane do not overlap");
    }
}

void checkParents(const SliceLane& lane, const SliceLane& above) {
    for (std::size_t i = 0; i < lane.size(); ++i)
        if (const auto parent = lane.parent(i))
            require(*parent < above.size() && above.begin(*parent) <= lane.begin(i) &&
                        above.end(*parent) >= lane.end(i),
                    "a parent encloses its child");
}

} // namespace

void require(bool kept, const char* promise) {
    if (kept)
        return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

void checkStore(const TraceStore& store) {
    std::uint64_t slices = 0;
    std::vector<TimelineSpan> spans;
    for (std::size_t i = 0; i < store.locations().size(); ++i) {
        const auto lanes = store.lanes(LocationId(i));
        std::uint64_t own = 0;
        for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
            const SliceLane& lane = lanes[depth];
            checkLane(lane);
            if (depth > 0)
                checkParents(lane, lanes[depth - 1]);
            own += lane.size();
            for (std::size_t row = 0; row < lane.size(); ++row)
                require(lane.region(row).index() < store.regionCount(), "every slice has a region");
            queryTimeline(lane, store.extent(), 64, spans);
            std::size_t drawn = 0;
            for (const TimelineSpan& span : spans)
                drawn += span.count;
            require(drawn <= lane.size(), "no slice is drawn twice");
        }
        require(own == store.location(LocationId(i)).slices, "a location knows its number of slices");
        slices += own;
    }
    require(slices == store.sliceCount(), "the slices of the locations are those of the run");
    for (const ImportIssue& issue : store.issues())
        require(issue.count > 0 && !issue.sentence.empty(), "every issue has a count and a sentence");
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace; // as the program prints it
    require(!report::infoText(store).empty() &&
                !report::infoJson(store).dump(-1, ' ', false, kReplace).empty(),
            "there is an answer");
}

int nextDescriptor() {
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(next);
    return next;
}

void requireNoFileLeftOpen(int before) {
    if (nextDescriptor() == before)
        return;
    for (const std::string& file : openFiles())
        std::fprintf(stderr, "open: %s\n", file.c_str());
    require(false, "no file is left open");
}

} // namespace ddp::fuzz
