// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/mipmap_sections.h"

#include "core/base/parallel.h"

namespace ddp {

namespace {

constexpr SectionId kHeads("MIPH");
constexpr SectionId bins(std::size_t lane) {
    return {"MIPB", lane};
}
constexpr SectionId shares(std::size_t lane) {
    return {"MIPS", lane};
}

std::vector<const SliceLane*> allLanes(const TraceStore& store) {
    std::vector<const SliceLane*> lanes;
    for (std::size_t i = 0; i < store.locations().size(); ++i)
        for (const SliceLane& lane : store.lanes(LocationId(i)))
            lanes.push_back(&lane);
    return lanes;
}

// Whether the arrays are as long as the head needs them; what they hold is not looked at.
bool fits(const LaneMipmapView& map) {
    if (map.head.shift >= 64 || map.head.levels == 0 || map.head.levels > 32)
        return false;
    std::size_t needed = 0;
    for (unsigned level = 0; level < map.head.levels; ++level)
        needed += LaneMipmapView::binsOf(map.head, level) + 1;
    return map.bins.size() == needed && map.dominantShare.size() == needed;
}

} // namespace

void putMipmaps(const TraceStore& store, StoreWriter& file, const std::stop_token& stop) {
    const auto lanes = allLanes(store);
    std::vector<LaneMipmapHead> heads(lanes.size());
    const auto put = [&](std::size_t i) {
        const LaneMipmap map = buildLaneMipmap(*lanes[i]);
        heads[i] = map.head;
        if (map.head.bins == 0)
            return;
        file.put(bins(i), map.bins, SectionUse::Bulk);
        file.put(shares(i), map.dominantShare, SectionUse::Bulk);
    };
    runParallel(lanes.size(), put, stop);
    file.put(kHeads, heads, SectionUse::Metadata);
}

std::vector<LaneMipmapView> viewMipmaps(const StoreFile& file, std::size_t lanes) {
    std::vector<LaneMipmapView> maps(lanes);
    const auto heads = file.array<LaneMipmapHead>(kHeads);
    for (std::size_t i = 0; i < std::min(lanes, heads.size()); ++i) {
        if (heads[i].bins == 0)
            continue;
        const LaneMipmapView map{heads[i], file.array<LaneBin>(bins(i)),
                                 file.array<std::uint16_t>(shares(i))};
        if (fits(map))
            maps[i] = map;
    }
    return maps;
}

} // namespace ddp
