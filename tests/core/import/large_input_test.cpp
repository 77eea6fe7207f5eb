// SPDX-License-Identifier: GPL-3.0-or-later
// Archives with more locations and regions than any tracer writes. A program of its own: under the sanitizers
// these take longer than all other tests of the import.
#include "core/import/open_run.h"
#include "tests/support/otf2_definitions.h"
#include "tests/support/temp_folder.h"

#include <functional>
#include <gtest/gtest.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::check;

// Locations 0 … count - 1, each in region 0 from tick 10 to tick 20; the other definitions come from the
// test.
fs::path write(const fs::path& folder, std::uint64_t count,
               const std::function<void(OTF2_GlobalDefWriter*)>& define) {
    fs::create_directories(folder);
    OTF2_Archive* archive = test::openArchive(folder, 256 << 10);
    check(OTF2_Archive_OpenEvtFiles(archive));
    for (OTF2_LocationRef location = 0; location < count; ++location) {
        OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter(archive, location);
        check(OTF2_EvtWriter_Enter(events, nullptr, 10, 0));
        check(OTF2_EvtWriter_Leave(events, nullptr, 20, 0));
        check(OTF2_Archive_CloseEvtWriter(archive, events));
    }
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    for (OTF2_LocationRef location = 0; location < count; ++location)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, location)));
    check(OTF2_Archive_CloseDefFiles(archive));
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive);
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, 10, 10, OTF2_UNDEFINED_TIMESTAMP));
    check(OTF2_GlobalDefWriter_WriteString(writer, 0, "name"));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP));
    define(writer);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
    check(OTF2_Archive_Close(archive));
    return folder / "traces.otf2";
}

void defineRegion(OTF2_GlobalDefWriter* writer, OTF2_RegionRef id, OTF2_StringRef name) {
    check(OTF2_GlobalDefWriter_WriteRegion(writer, id, name, name, name, OTF2_REGION_ROLE_FUNCTION,
                                           OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, name, 1, 2));
}

std::shared_ptr<const TraceStore> opened(const fs::path& anchor) {
    Progress progress;
    auto store = openRun({anchor}, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
}

TEST(LargeInput, TenThousandLocations) {
    const test::TempFolder folder;
    constexpr std::uint32_t kLocations = 10'000;
    const auto store = opened(write(folder.path(), kLocations, [](OTF2_GlobalDefWriter* writer) {
        defineRegion(writer, 0, 0);
        for (std::uint32_t id = 0; id < kLocations; ++id) {
            check(OTF2_GlobalDefWriter_WriteString(writer, 1 + id, ("thread " + std::to_string(id)).c_str()));
            check(
                OTF2_GlobalDefWriter_WriteLocation(writer, id, 1 + id, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0));
        }
    }));
    ASSERT_TRUE(store);
    EXPECT_TRUE(store->issues().empty());
    EXPECT_EQ(store->locations().size(), kLocations);
    EXPECT_EQ(store->eventCount(), 2u * kLocations);
    EXPECT_EQ(store->sliceCount(), kLocations);
    EXPECT_EQ(store->locations()[kLocations - 1].name, "thread 9999");
}

TEST(LargeInput, ThreeHundredThousandRegions) {
    const test::TempFolder folder;
    constexpr std::uint32_t kRegions = 300'000;
    const auto store = opened(write(folder.path(), 1, [](OTF2_GlobalDefWriter* writer) {
        check(OTF2_GlobalDefWriter_WriteLocation(writer, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0));
        for (std::uint32_t id = 0; id < kRegions; ++id) {
            check(OTF2_GlobalDefWriter_WriteString(writer, 1 + id, ("region " + std::to_string(id)).c_str()));
            defineRegion(writer, id, 1 + id);
        }
    }));
    ASSERT_TRUE(store);
    EXPECT_TRUE(store->issues().empty());
    EXPECT_GE(store->regionCount(), kRegions);
    EXPECT_EQ(store->regionName(store->lanes(LocationId(0))[0].region(0)), "region 0");
}

} // namespace
} // namespace ddp
