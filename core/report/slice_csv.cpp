// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/slice_csv.h"

#include "core/analysis/slice_walk.h"
#include "core/report/csv.h"
#include "core/report/slice_writing.h"

#include <fmt/format.h>

namespace ddp::report {

namespace {

class CsvWriter {
public:
    CsvWriter(const TraceStore& store, OutputFile& file, WritingPace& pace)
        : m_file(file), m_pace(pace),
          m_regions(store.regionCount(), [&store](RegionId id) { return csvField(store.regionName(id)); }) {}

    void setLocation(const std::optional<int>& rank, const std::string& name) {
        m_place = fmt::format("{},{}", rank ? std::to_string(*rank) : "", csvField(name));
    }

    bool enter(const WalkedSlice& slice) {
        m_file.write(fmt::format("{},{},{},{},{}\n", m_place, slice.lane, m_regions[slice.region],
                                 slice.begin.count, (slice.end - slice.begin).count));
        return m_pace.goOn() && m_file.good();
    }
    void leave(const WalkedSlice&) {}

private:
    OutputFile& m_file;
    WritingPace& m_pace;
    RegionTexts m_regions;
    std::string m_place;
};

} // namespace

Result<void> writeSliceCsv(const TraceStore& store, OutputFile& file, std::stop_token stop,
                           Progress& progress) {
    WritingPace pace(store, std::move(stop), progress);
    CsvWriter writer(store, file, pace);
    file.write("rank,location,depth,region,begin_ns,duration_ns\n");
    for (const RankInfo& rank : store.ranks()) {
        for (LocationId id : rank.locations) {
            writer.setLocation(rank.rank, store.location(id).name);
            walkSlices(store.lanes(id), store.extent().begin, store.extent().end, writer);
            if (auto ended = pace.ended(); !ended)
                return forward(ended);
        }
    }
    return {};
}

} // namespace ddp::report
