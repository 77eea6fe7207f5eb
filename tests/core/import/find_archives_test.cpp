// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/find_archives.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

std::vector<std::string> names(const FoundArchives& found) {
    std::vector<std::string> all;
    for (const auto& archive : found.archives)
        all.push_back(archive.name);
    return all;
}

TEST(FindArchives, AtAnyDepthInNaturalOrder) {
    const TempFolder folder;
    for (const char* rank : {"rank-10", "rank-2", "deeper/still/rank-0", "rank-1"})
        folder.write(fs::path(rank) / "traces.otf2", "x");
    folder.write("rank-1/traces/other.otf2", "the archive's own folder is not looked into");
    folder.write("notes.txt", "x");
    const auto found = findArchives({folder.path()});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(names(*found), testing::ElementsAre("rank-0", "rank-1", "rank-2", "rank-10"));
    EXPECT_EQ(found->archives[0].folders.front(), "rank-0");
    EXPECT_EQ(found->archives[0].folders[2], "deeper");
    EXPECT_TRUE(found->issues.empty());
}

TEST(FindArchives, EachOnceHoweverItIsNamed) {
    const TempFolder folder;
    const auto anchor = folder.write("rank-0/other name.otf2", "x");
    const auto found = findArchives(
        {anchor, folder.path() / "rank-0", folder.path() / "rank-0/", folder.path() / ".", folder.path()});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(names(*found), testing::ElementsAre("rank-0"));
}

TEST(FindArchives, FollowsLinksAndLeavesTheirLoops) {
    const TempFolder folder;
    folder.write("elsewhere/traces.otf2", "x");
    fs::create_directories(folder.path() / "run/sub");
    fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "run/rank-0");
    fs::create_directory_symlink(folder.path() / "run", folder.path() / "run/sub/again");
    fs::create_directory_symlink(folder.path() / "nowhere", folder.path() / "run/broken");
    const auto found = findArchives({folder.path() / "run"});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_THAT(names(*found), testing::ElementsAre("rank-0"));
}

TEST(FindArchives, EveryFailureNamesItsPath) {
    const TempFolder folder;
    const auto text = folder.write("log.txt", "x");
    fs::create_directory(folder.path() / "empty");
    fs::create_symlink(folder.path() / "loop", folder.path() / "loop");
    for (const fs::path& path : {folder.path() / "missing", text, folder.path() / "empty",
                                 fs::path("/dev/null"), folder.path() / "loop", text / "below a file"}) {
        const auto found = findArchives({path});
        ASSERT_FALSE(found) << path;
        EXPECT_EQ(found.error().code, ErrorCode::Unreadable);
        EXPECT_THAT(found.error().message, testing::HasSubstr(path.string()));
        EXPECT_THAT(found.error().message, testing::Not(testing::HasSubstr("\n")));
    }
    EXPECT_EQ(findArchives({}).error().code, ErrorCode::Usage);
    EXPECT_EQ(findArchives({fs::path()}).error().code, ErrorCode::Usage);
}

} // namespace
} // namespace ddp
