// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/byte_stream.h"
#include "core/store/store_writer.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

namespace ddp {
namespace {

namespace fs = std::filesystem;

struct Point {
    std::uint32_t x;
    std::uint16_t y;
    std::uint16_t z;
    friend bool operator==(Point, Point) = default;
};

const std::vector<Point> kPoints{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
const std::vector<double> kNumbers{0.5, -1.25};

std::string contentOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t filesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

fs::path writeSample(const fs::path& folder) {
    StoreWriter writer(folder);
    writer.put(SectionId("PNTS", 3), kPoints, SectionUse::Bulk);
    writer.put(SectionId("NUMS"), kNumbers, SectionUse::Metadata);
    EXPECT_TRUE(writer.finish({11, 22}));
    EXPECT_TRUE(writer.publish(folder / "sample"));
    return folder / "sample";
}

template <class T>
std::vector<T> copied(std::span<const T> view) {
    return {view.begin(), view.end()};
}

TEST(StoreFile, GivesBackWhatWasWritten) {
    const test::TempFolder folder;
    const auto file = StoreFile::open(writeSample(folder.path()));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ((*file)->key(), (StoreKey{11, 22}));
    EXPECT_EQ(copied((*file)->array<Point>(SectionId("PNTS", 3))), kPoints);
    EXPECT_EQ(copied((*file)->array<double>(SectionId("NUMS"))), kNumbers);
    EXPECT_TRUE((*file)->array<Point>(SectionId("PNTS", 4)).empty());
    EXPECT_TRUE((*file)->array<std::uint16_t>(SectionId("PNTS", 3)).empty()) << "elements of another size";
    EXPECT_TRUE((*file)->has(SectionId("NUMS")));
    EXPECT_FALSE((*file)->has(SectionId("NONE")));
    EXPECT_TRUE((*file)->verify({}));
}

TEST(StoreFile, LeavesNothingBehindUnlessPublished) {
    const test::TempFolder folder;
    {
        StoreWriter writer(folder.path());
        writer.append(std::as_bytes(std::span(kNumbers)));
        ASSERT_TRUE(writer.finish({}));
        EXPECT_FALSE(writer.publish("/nowhere/sample"));
    }
    EXPECT_EQ(filesIn(folder.path()), 0u);
    writeSample(folder.path());
    writeSample(folder.path()); // replaces the first
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(StoreFile, IsUsableWithoutAName) {
    StoreWriter writer;
    const auto offset = writer.append(std::as_bytes(std::span(kNumbers)));
    writer.put(SectionId("PNTS"), kPoints, SectionUse::Bulk);
    const auto file = writer.finish({});
    ASSERT_TRUE(file);
    EXPECT_EQ(copied((*file)->array<Point>(SectionId("PNTS"))), kPoints);
    const auto bytes = (*file)->at(offset, sizeof(double) * 2);
    ASSERT_EQ(bytes.size(), sizeof(double) * 2);
    EXPECT_EQ(std::memcmp(bytes.data(), kNumbers.data(), bytes.size()), 0);
    EXPECT_TRUE((*file)->at(offset, UINT64_MAX).empty());
    EXPECT_TRUE((*file)->at(UINT64_MAX - 63, 64).empty());
}

// Every byte of this file matters but the padding: no flip may be taken for the original.
TEST(StoreFile, NoticesEveryFlippedByte) {
    const test::TempFolder folder;
    const std::string good = contentOf(writeSample(folder.path()));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x10);
        const auto file = StoreFile::open(folder.write("bad", bad));
        refused += file ? 0 : 1;
        if (file) {
            EXPECT_EQ(copied((*file)->array<Point>(SectionId("PNTS", 3))), kPoints) << "byte " << i;
            EXPECT_EQ(copied((*file)->array<double>(SectionId("NUMS"))), kNumbers) << "byte " << i;
            EXPECT_EQ((*file)->key(), (StoreKey{11, 22}));
        }
    }
    EXPECT_GE(refused, 72 + sizeof(Point) * 3 + sizeof(double) * 2 + 2 * 48);
}

TEST(StoreFile, RefusesEveryTruncationAndForeignFiles) {
    const test::TempFolder folder;
    const std::string good = contentOf(writeSample(folder.path()));
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_FALSE(StoreFile::open(folder.write("bad", good.substr(0, length)))) << length;
    EXPECT_FALSE(StoreFile::open(folder.write("bad", good + std::string(64, '\0'))));
    EXPECT_FALSE(StoreFile::open(folder.write("bad", std::string(100'000, 'x'))));
    EXPECT_FALSE(StoreFile::open(folder.path()));
    const auto missing = StoreFile::open(folder.path() / "missing");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Unreadable);
}

// With checksums left out of account, as after an attack or in a fuzzer, reading stays inside the file.
TEST(StoreFile, DamagedStructureIsSafeToRead) {
    const test::TempFolder folder;
    const std::string good = contentOf(writeSample(folder.path()));
    std::mt19937 random(3);
    for (int round = 0; round < 3000; ++round) {
        std::string bad = good;
        for (int flips = 0; flips < 3; ++flips)
            bad[random() % bad.size()] = static_cast<char>(random());
        const auto file = StoreFile::open(folder.write("bad", bad), StoreChecks::Structure);
        if (!file)
            continue;
        std::uint64_t sum = 0;
        for (const Point& point : (*file)->array<Point>(SectionId("PNTS", 3)))
            sum += point.x;
        for (double number : (*file)->array<double>(SectionId("NUMS")))
            sum += number > 0 ? 1 : 0;
        (*file)->verify({});
        EXPECT_GE(sum, 0u);
    }
}

TEST(StoreFile, ManyThreadsAppend) {
    StoreWriter writer;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 8; ++t)
            threads.emplace_back([&writer, t] {
                for (std::uint64_t i = 0; i < 100; ++i) {
                    const std::vector<std::uint64_t> values(1 + i, t * 1000 + i);
                    writer.put(SectionId("VALS", t * 100 + i), values, SectionUse::Bulk);
                }
            });
    }
    const auto file = writer.finish({});
    ASSERT_TRUE(file);
    for (std::uint64_t t = 0; t < 8; ++t)
        for (std::uint64_t i = 0; i < 100; ++i)
            EXPECT_EQ(copied((*file)->array<std::uint64_t>(SectionId("VALS", t * 100 + i))),
                      std::vector<std::uint64_t>(1 + i, t * 1000 + i));
}

// A disk of one megabyte that fills up while the file is written.
TEST(StoreFile, MovesIntoMemoryWhenTheDiskIsFull) {
    const test::TempFolder folder;
    if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0)
        GTEST_SKIP() << "only root can mount a small disk";
    {
        StoreWriter writer(folder.path());
        std::vector<std::uint64_t> values(20'000);
        for (std::uint64_t i = 0; i < 30; ++i) { // 4.8 MB
            std::iota(values.begin(), values.end(), i);
            writer.put(SectionId("VALS", i), values, SectionUse::Bulk);
        }
        EXPECT_FALSE(writer.error());
        const auto file = writer.finish({});
        EXPECT_TRUE(file);
        for (std::uint64_t i = 0; file && i < 30; ++i) {
            std::iota(values.begin(), values.end(), i);
            EXPECT_EQ(copied((*file)->array<std::uint64_t>(SectionId("VALS", i))), values) << i;
        }
        EXPECT_FALSE(writer.publish(folder.path() / "sample"));
        EXPECT_EQ(filesIn(folder.path()), 0u);
    }
    ::umount(folder.path().c_str());
}

// The limit on the size of files holds for memory too: then there is no place left, and one sentence says so.
TEST(StoreFile, NoPlaceAtAllIsOneSentence) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100'000, 100'000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        StoreWriter writer;
        const std::vector<std::uint64_t> values(50'000);
        writer.put(SectionId("VALS"), values, SectionUse::Bulk);
        const auto file = writer.finish({});
        const bool told = !file && file.error().code == ErrorCode::Unwritable &&
                          file.error().message.find("TMPDIR") != std::string::npos;
        ::_exit(told ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

enum class Fruit { Apple, Pear };

TEST(ByteStream, ReadsWhatWasWritten) {
    ByteWriter writer;
    writer.put(std::uint32_t{7});
    writer.put(Fruit::Pear);
    writer.put("text");
    writer.put(std::optional<std::int64_t>(-3));
    writer.put(std::optional<std::int64_t>());
    writer.put(std::optional<std::string>("x"));
    writer.put(std::uint64_t{2});
    writer.put(1.5);
    writer.put(true);
    ByteReader reader(writer.bytes());
    EXPECT_EQ(reader.get<std::uint32_t>(), 7u);
    EXPECT_EQ(reader.get(Fruit::Pear), Fruit::Pear);
    EXPECT_EQ(reader.text(), "text");
    EXPECT_EQ(reader.optional<std::int64_t>(), -3);
    EXPECT_EQ(reader.optional<std::int64_t>(), std::nullopt);
    EXPECT_EQ(reader.optionalText(), "x");
    EXPECT_EQ(reader.elements(4), 2u);
    EXPECT_EQ(reader.get<double>(), 1.5);
    EXPECT_TRUE(reader.get<bool>());
    EXPECT_TRUE(reader.complete());
    EXPECT_EQ(reader.get<std::uint64_t>(), 0u) << "behind the end";
    EXPECT_FALSE(reader.ok());
}

TEST(ByteStream, RefusesWhatCanNotBe) {
    ByteWriter writer;
    writer.put(UINT64_MAX);       // as the length of a text, or a number of elements
    writer.put(std::uint32_t{2}); // no Fruit
    EXPECT_EQ(ByteReader(writer.bytes()).text(), "");
    EXPECT_EQ(ByteReader(writer.bytes()).elements(1), 0u);
    ByteReader reader(writer.bytes().subspan(8));
    EXPECT_EQ(reader.get(Fruit::Pear), Fruit::Apple);
    EXPECT_FALSE(reader.ok());
}

} // namespace
} // namespace ddp
