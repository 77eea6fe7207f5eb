// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store_cache.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;

// A file of about a hundred kilobytes.
std::shared_ptr<const StoreFile> keepOne(const StoreCache& cache, StoreKey key) {
    const auto writer = cache.newFile();
    const std::vector<std::uint64_t> values(12'500, key.low);
    writer->put(SectionId("VALS"), values, SectionUse::Bulk);
    auto file = writer->finish(key);
    EXPECT_TRUE(file);
    cache.keep(*writer, key);
    return file ? *file : nullptr;
}

// Times of files are coarse: what is used later is also younger.
void letTimePass() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(StoreCache, FindsWhatItKept) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path() / "a" / "ddpscope", StoreCache::kDefaultLimit);
    EXPECT_FALSE(cache.find({1, 2}));
    keepOne(cache, {1, 2});
    const auto file = cache.find({1, 2});
    ASSERT_TRUE(file);
    EXPECT_EQ(file->key(), (StoreKey{1, 2}));
    EXPECT_EQ(file->array<std::uint64_t>(SectionId("VALS"))[0], 1u);
    EXPECT_FALSE(cache.find({1, 3}));
    struct stat status {};
    ASSERT_EQ(::stat((folder.path() / "a" / "ddpscope").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST(StoreCache, RemovesWhatIsDamagedOrForeign) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), StoreCache::kDefaultLimit);
    keepOne(cache, {1, 0});
    fs::path path = fs::directory_iterator(folder.path())->path();
    fs::resize_file(path, 1000);
    EXPECT_FALSE(cache.find({1, 0}));
    EXPECT_FALSE(fs::exists(path));
    keepOne(cache, {1, 0});
    keepOne(cache, {2, 0}); // a file under another's name
    const auto two = cache.find({2, 0});
    for (const auto& entry : fs::directory_iterator(folder.path()))
        if (entry.path() != path)
            fs::rename(entry.path(), path);
    EXPECT_FALSE(cache.find({1, 0}));
}

TEST(StoreCache, TheLongestUnusedGoFirst) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), 350'000); // three of them
    for (std::uint64_t i = 1; i <= 3; ++i) {
        keepOne(cache, {i, 0});
        letTimePass();
    }
    EXPECT_TRUE(cache.find({1, 0}));
    letTimePass();
    keepOne(cache, {4, 0});
    EXPECT_EQ(filesIn(folder.path()), 3u);
    EXPECT_FALSE(cache.find({2, 0}));
    EXPECT_TRUE(cache.find({1, 0}));
    EXPECT_TRUE(cache.find({3, 0}));
    EXPECT_TRUE(cache.find({4, 0}));
}

TEST(StoreCache, WhatIsInUseStays) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), 350'000);
    const auto used = keepOne(cache, {1, 0});
    std::vector<std::shared_ptr<const StoreFile>> others;
    for (std::uint64_t i = 2; i <= 6; ++i) {
        letTimePass();
        keepOne(cache, {i, 0});
    }
    EXPECT_TRUE(cache.find({1, 0}));
    EXPECT_EQ(filesIn(folder.path()), 3u);
}

TEST(StoreCache, WhatIsInUseByAnotherProgramStays) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), 350'000);
    keepOne(cache, {1, 0});
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto file = cache.find({1, 0});
        const char answer = file ? 'y' : 'n';
        [[maybe_unused]] const auto written = ::write(ready[1], &answer, 1);
        ::pause();
    }
    char answer = 0;
    ASSERT_EQ(::read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    for (std::uint64_t i = 2; i <= 6; ++i) {
        letTimePass();
        keepOne(cache, {i, 0});
    }
    EXPECT_TRUE(cache.find({1, 0}));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(StoreCache, AFileBeyondTheLimitIsNotKept) {
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), 50'000);
    const auto file = keepOne(cache, {1, 0});
    ASSERT_TRUE(file);
    EXPECT_EQ(file->array<std::uint64_t>(SectionId("VALS")).size(), 12'500u) << "it can be used all the same";
    EXPECT_EQ(filesIn(folder.path()), 0u);
}

// Root may write everywhere: a file in the folder's place is a folder that no one can write.
TEST(StoreCache, AFolderThatCanNotBeWrittenIsDoneWithout) {
    const test::TempFolder folder;
    folder.write("ddpscope", "a file");
    const StoreCache cache(folder.path() / "ddpscope", StoreCache::kDefaultLimit);
    EXPECT_FALSE(cache.find({1, 0}));
    EXPECT_TRUE(keepOne(cache, {1, 0}));
    EXPECT_FALSE(cache.find({1, 0}));
}

TEST(StoreCache, AReadOnlyFolderIsRead) {
    if (::getuid() == 0 && ::access("/proc/self/setgroups", W_OK) != 0)
        GTEST_SKIP() << "root may write everywhere, and this process can not become another user";
    const test::TempFolder folder;
    const StoreCache cache(folder.path(), StoreCache::kDefaultLimit);
    keepOne(cache, {1, 0});
    ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
    ASSERT_EQ(::chmod(fs::directory_iterator(folder.path())->path().c_str(), 0444), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
            ::_exit(3);
        const StoreCache same(folder.path(), StoreCache::kDefaultLimit);
        const bool found = same.find({1, 0}) != nullptr;
        const auto writer = same.newFile();
        const std::vector<int> values{1};
        writer->put(SectionId("VALS"), values, SectionUse::Bulk);
        const bool usable = writer->finish({2, 0}).has_value();
        same.keep(*writer, {2, 0});
        ::_exit(!found ? 1 : !usable ? 2 : same.find({2, 0}) ? 4 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    ::chmod(folder.path().c_str(), 0700);
}

TEST(StoreCache, FollowsTheXdgRules) {
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string saved = before ? before : "";
    ::setenv("XDG_CACHE_HOME", "/x/y", 1);
    EXPECT_EQ(StoreCache::defaultFolder(), fs::path("/x/y/ddpscope"));
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    ::setenv("HOME", "/home/someone", 1);
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(StoreCache::defaultFolder(), fs::path("/home/someone/.cache/ddpscope"));
    ::setenv("HOME", home.c_str(), 1);
    ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
}

TEST(StoreCache, ManyWriteAndReadTheSameAtOnce) {
    const test::TempFolder folder;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&folder] {
            const StoreCache cache(folder.path(), StoreCache::kDefaultLimit);
            for (int i = 0; i < 30; ++i) {
                if (i % 3 == 0)
                    keepOne(cache, {7, 7});
                if (const auto file = cache.find({7, 7})) {
                    EXPECT_EQ(file->array<std::uint64_t>(SectionId("VALS"))[12'499], 7u);
                }
            }
        });
    threads.clear();
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

} // namespace
} // namespace ddp
