// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/record_scan.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace ddp::otf2 {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

constexpr std::uint64_t kChunk = 1 << 20;

std::string bytes(std::initializer_list<int> values) {
    std::string text;
    for (const int value : values)
        text += static_cast<char>(value);
    return text;
}

// A file of one chunk, little endian, with these records.
RecordScan scanned(const TempFolder& folder, const std::string& records, RecordFile kind) {
    const auto file = folder.write("x", bytes({3, 0x42}) + std::string(16, '\0') + records);
    return scanRecords(file, kChunk, kind);
}

TEST(RecordScan, CountsWhatTheWriterWrote) {
    const TempFolder folder;
    const auto archive = test::scorepRank(0, 100);
    test::writeArchive(folder.path(), archive);
    for (const auto& location : archive.locations) {
        const auto file = folder.path() / "traces" / (std::to_string(location.id) + ".evt");
        const RecordScan scan = scanRecords(file, kChunk, RecordFile::Events);
        EXPECT_EQ(scan.intact, location.events.size());
        EXPECT_TRUE(scan.complete);
    }
    EXPECT_TRUE(scanRecords(folder.path() / "traces.def", kChunk, RecordFile::Definitions).complete);
    EXPECT_TRUE(scanRecords(folder.path() / "traces/0.def", kChunk, RecordFile::LocalDefinitions).complete);
}

TEST(RecordScan, GoesFromChunkToChunk) {
    const TempFolder folder;
    auto archive = test::plainArchive(0, 1'000'000);
    for (std::uint64_t i = 0; i < 300'000; ++i)
        archive.locations[0].events.push_back({test::Record::Metric, 1'000'001 + i, 0});
    test::writeArchive(folder.path(), archive);
    const auto file = folder.path() / "traces/0.evt";
    ASSERT_GT(fs::file_size(file), 3 * kChunk);
    const RecordScan whole = scanRecords(file, kChunk, RecordFile::Events);
    EXPECT_EQ(whole.intact, 300'002u);
    EXPECT_TRUE(whole.complete);
    fs::resize_file(file, 2 * kChunk);
    const RecordScan cut = scanRecords(file, kChunk, RecordFile::Events);
    EXPECT_FALSE(cut.complete) << "cut between two chunks";
    EXPECT_GT(cut.intact, 60'000u);
    EXPECT_LT(cut.intact, 300'002u);
}

TEST(RecordScan, ACutAnywhereNeverCountsMoreThanThereIs) {
    const TempFolder folder;
    const std::string records = bytes({12, 1, 0}) + bytes({5, 1, 2, 3, 4, 5, 6, 7, 8}) + bytes({6, 2, 1, 0}) +
                                bytes({13, 1, 0}) + bytes({2, 1});
    EXPECT_EQ(scanned(folder, records, RecordFile::Events).intact, 2u)
        << "times and attributes are no events";
    for (std::size_t size = 0; size + 2 < records.size(); ++size) {
        const RecordScan scan = scanned(folder, records.substr(0, size), RecordFile::Events);
        EXPECT_FALSE(scan.complete) << size;
        EXPECT_EQ(scan.intact, size < 3 ? 0u : size < 19 ? 1u : 2u) << size;
    }
}

TEST(RecordScan, LongLengthsAreFollowedAndChecked) {
    const TempFolder folder;
    const std::string length = bytes({0xff, 0x2c, 1, 0, 0, 0, 0, 0, 0}); // 300
    EXPECT_EQ(
        scanned(folder, bytes({10}) + length + std::string(300, 'x') + bytes({2}), RecordFile::Definitions)
            .intact,
        1u);
    EXPECT_EQ(scanned(folder, bytes({10}) + length + std::string(299, 'x'), RecordFile::Definitions).intact,
              0u);
    const std::string huge = bytes({10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
    EXPECT_EQ(scanned(folder, huge, RecordFile::Definitions).intact, 0u);
}

// These made libotf2 loop for minutes.
TEST(RecordScan, AListCanNotBeLongerThanItsRecord) {
    const TempFolder folder;
    const auto group = [&](std::initializer_list<int> members) {
        std::string record = bytes({0, 0, 4}) + bytes(members); // id, name, type
        return scanned(folder, bytes({18, static_cast<int>(record.size())}) + record + bytes({2}),
                       RecordFile::Definitions)
            .intact;
    };
    EXPECT_EQ(group({1, 2, 0, 1, 1, 4, 6, 0}), 1u);
    EXPECT_EQ(group({4, 0xff, 0xff, 0xff, 0x7f, 0, 1, 1}), 0u);
    EXPECT_EQ(group({9, 1, 1, 1, 1, 1, 1, 1, 1, 1}), 0u) << "no integer has nine bytes";
    EXPECT_EQ(group({}), 0u);
    EXPECT_EQ(scanned(folder, bytes({83, 6, 0, 4, 0xff, 0xff, 0xff, 0x7f, 2}), RecordFile::Events).intact,
              0u);
    EXPECT_EQ(scanned(folder, bytes({83, 2, 0, 0, 2}), RecordFile::Events).intact, 1u);
    const auto attributes = [&](std::initializer_list<int> list) {
        return scanned(folder, bytes({6, static_cast<int>(list.size())}) + bytes(list) + bytes({12, 1, 0, 2}),
                       RecordFile::Events);
    };
    EXPECT_EQ(attributes({1, 2, 1, 3, 4, 1, 77, 1, 4, 7, 4, 255, 255, 255, 255}).intact, 1u);
    EXPECT_TRUE(attributes({1, 0}).attributeLists);
    EXPECT_EQ(attributes({4, 0xff, 0xff, 0xff, 0x7f, 0}).intact, 0u);
    EXPECT_FALSE(scanned(folder, bytes({12, 1, 0, 2}), RecordFile::Events).attributeLists);
    EXPECT_EQ(scanned(folder, bytes({5, 7, 6, 4, 0xff, 0xff, 0xff, 0x7f, 0, 2}), RecordFile::LocalDefinitions)
                  .intact,
              0u);
    EXPECT_EQ(scanned(folder, bytes({5, 4, 6, 1, 1, 0, 2}), RecordFile::LocalDefinitions).intact, 1u);
}

TEST(RecordScan, AFileThatIsNoneHoldsNothing) {
    const TempFolder folder;
    for (const std::string& content :
         {std::string(), std::string("x"), std::string(100, '\0'), std::string(100, 'B')}) {
        const RecordScan scan = scanRecords(folder.write("x", content), kChunk, RecordFile::Events);
        EXPECT_EQ(scan.intact, 0u);
        EXPECT_FALSE(scan.complete);
    }
    EXPECT_EQ(scanRecords(folder.path() / "none", kChunk, RecordFile::Events).intact, 0u);
    EXPECT_EQ(scanRecords(folder.write("x", "x"), 0, RecordFile::Events).intact, 0u);
}

} // namespace
} // namespace ddp::otf2
