// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacking, with hostile archives made by libarchive; following logs.
#include "remote/pull/log_tail.h"
#include "remote/pull/unpack.h"
#include "remote/transport/local/local_transport.h"
#include "tests/support/temp_folder.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <vector>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::TempFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

struct Entry {
    std::string name;
    std::string content = "content";
    unsigned mode = 0644;
    unsigned type = AE_IFREG;
    std::string link = {};
    bool hard = false;
};

std::string makeArchive(const std::vector<Entry>& entries, bool zstd = false) {
    std::string made(64u << 20, '\0');
    std::size_t used = 0;
    archive* a = archive_write_new();
    archive_write_set_format_gnutar(a); // names as they are, in any locale
    if (zstd)
        archive_write_add_filter_zstd(a);
    archive_write_open_memory(a, made.data(), made.size(), &used);
    for (const Entry& entry : entries) {
        archive_entry* e = archive_entry_new();
        archive_entry_set_pathname(e, entry.name.c_str());
        archive_entry_set_filetype(e, entry.type);
        archive_entry_set_perm(e, entry.mode);
        const bool plain = entry.type == AE_IFREG && !entry.hard;
        archive_entry_set_size(e, plain ? static_cast<la_int64_t>(entry.content.size()) : 0);
        archive_entry_set_mtime(e, 1234567890, 0);
        if (entry.hard)
            archive_entry_set_hardlink(e, entry.link.c_str());
        else if (entry.type == AE_IFLNK)
            archive_entry_set_symlink(e, entry.link.c_str());
        EXPECT_EQ(archive_write_header(a, e), ARCHIVE_OK) << archive_error_string(a);
        if (plain)
            archive_write_data(a, entry.content.data(), entry.content.size());
        archive_entry_free(e);
    }
    archive_write_close(a);
    archive_write_free(a);
    made.resize(used);
    return made;
}

ByteSource inPieces(std::string bytes, std::size_t size = 1000) {
    return [bytes = std::move(bytes), size, at = std::size_t{0}]() mutable -> Result<std::string> {
        const std::string piece = bytes.substr(std::min(at, bytes.size()), size);
        at += piece.size();
        return piece;
    };
}

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t filesBelow(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        count += entry.is_directory() ? 0 : 1;
    return count;
}

} // namespace

TEST(Unpack, FilesAndFolders) {
    const std::string large(3u << 20, 'x');
    for (const bool zstd : {false, true}) {
        TempFolder folder;
        std::vector<UnpackedFile> seen;
        const std::vector<Entry> entries{{"./a b's \"c\"\nd", "one"},
                                         {"sub", "", 0755, AE_IFDIR},
                                         {"sub/run.sh", "two", 0755},
                                         {"new/below/ünïcode", large},
                                         {"empty", ""},
                                         {"sub/link", "", 0777, AE_IFLNK, "../empty"},
                                         {"hard", "", 0644, AE_IFREG, "empty", true}};
        const auto done = unpack(inPieces(makeArchive(entries, zstd)), folder.path(), {}, {},
                                 [&seen](const UnpackedFile& file) {
                                     seen.push_back(file);
                                     return Result<void>();
                                 });
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_EQ(content(folder.path() / "a b's \"c\"\nd"), "one");
        EXPECT_EQ(content(folder.path() / "sub/run.sh"), "two");
        EXPECT_TRUE(content(folder.path() / "new/below/ünïcode") == large);
        EXPECT_EQ(filesBelow(folder.path()), 4u); // links are left out
        ASSERT_EQ(seen.size(), 4u);
        EXPECT_TRUE(seen[1].executable);
        EXPECT_EQ(seen[1].modified, 1234567890);
        EXPECT_EQ(seen[2].size, large.size());
    }
}

TEST(Unpack, HostileEntriesEndIt) {
    struct Case {
        Entry entry;
        const char* why;
    };
    const Case cases[] = {
        {{"../evil"}, "a name that leads out of its folder"},
        {{"a/../../evil"}, "a name that leads out of its folder"},
        {{"a/../evil"}, "a name that leads out of its folder"},
        {{"/tmp/ddpscope-evil"}, "a name that leads out of its folder"},
        {{"l", "", 0777, AE_IFLNK, "/etc/passwd"}, "a link that leads out"},
        {{"l", "", 0777, AE_IFLNK, "../../evil"}, "a link that leads out"},
        {{"sub/l", "", 0777, AE_IFLNK, "../../evil"}, "a link that leads out"},
        {{"h", "", 0644, AE_IFREG, "../evil", true}, "a link that leads out"},
        {{"h", "", 0644, AE_IFREG, "/etc/passwd", true}, "a link that leads out"},
        {{"dev", "", 0644, AE_IFCHR}, "no file, folder or link"},
        {{"disk", "", 0644, AE_IFBLK}, "no file, folder or link"},
        {{"pipe", "", 0644, AE_IFIFO}, "no file, folder or link"},
        {{"suid", "x", 04755}, "somebody else"},
        {{"sgid", "x", 02755}, "somebody else"},
        {{"out/evil"}, "below something that is no folder"},
        {{"file/evil"}, "below something that is no folder"},
    };
    for (const Case& one : cases) {
        TempFolder folder;
        fs::create_directories(folder.path() / "into");
        fs::create_directories(folder.path() / "elsewhere");
        fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "into/out");
        const auto done =
            unpack(inPieces(makeArchive({{"file"}, one.entry, {"after"}})), folder.path() / "into", {}, {});
        ASSERT_FALSE(done) << one.entry.name;
        EXPECT_EQ(done.error().code, ErrorCode::Unreadable);
        EXPECT_THAT(done.error().message, HasSubstr(one.why)) << one.entry.name;
        // What came before stays, nothing else does.
        EXPECT_EQ(content(folder.path() / "into/file"), "content");
        EXPECT_EQ(filesBelow(folder.path()), 1u) << one.entry.name;
    }
    EXPECT_FALSE(fs::exists("/tmp/ddpscope-evil"));
}

TEST(Unpack, ABombStopsAtTheLimits) {
    TempFolder folder;
    const std::string bomb = makeArchive({{"zeros", std::string(32u << 20, '\0')}}, true);
    EXPECT_LT(bomb.size(), 100'000u);
    auto done = unpack(inPieces(bomb), folder.path(), {10, 1u << 20}, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::TooLarge);
    EXPECT_EQ(filesBelow(folder.path()), 0u);

    std::vector<Entry> many(100, {"name"});
    done = unpack(inPieces(makeArchive(many)), folder.path(), {99, 1u << 20}, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::TooLarge);
    // The sum counts, not the single file.
    done = unpack(inPieces(makeArchive({{"a", std::string(600, 'a')}, {"b", std::string(600, 'b')}})),
                  folder.path(), {10, 1000}, {});
    ASSERT_FALSE(done);
    EXPECT_FALSE(fs::exists(folder.path() / "b"));
}

TEST(Unpack, WhatEndsEarlyLeavesNoHalfFile) {
    TempFolder folder;
    const std::string whole = makeArchive({{"first"}, {"second", std::string(100'000, 'x')}});
    const auto done = unpack(inPieces(whole.substr(0, 50'000)), folder.path(), {}, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Unreadable);
    EXPECT_EQ(filesBelow(folder.path()), 1u);
    EXPECT_FALSE(unpack(inPieces("this is no archive"), folder.path(), {}, {}));
}

TEST(LogTail, GivesWholeLinesOfSeveralFilesAndGoesOnWhereItWas) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    TailOptions options;
    options.wanted = [](const std::string& name) { return name.ends_with(".out"); };
    LogTail tail(folder.path(), options);
    EXPECT_TRUE(tail.next(*transport, {}).value().empty());
    const auto a = folder.write("a.out", "one\ntw");
    folder.write("b.out", "first\n");
    folder.write("c.err", "not wanted\n");
    auto texts = tail.next(*transport, {}).value();
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0].text, "one\n");
    EXPECT_EQ(texts[1].file, "b.out");
    std::ofstream(a, std::ios::app) << "o\nthr";
    texts = tail.next(*transport, {}).value();
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0].text, "two\n");
    // A prompt without an end comes when nothing is added to it.
    texts = tail.next(*transport, {}).value();
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0].text, "thr");
    EXPECT_TRUE(tail.next(*transport, {}).value().empty());

    std::ofstream(a, std::ios::app) << "ee\nfour\n";
    LogTail other(folder.path(), options, tail.offsets());
    texts = other.next(*transport, {}).value();
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0].text, "ee\nfour\n");
}

TEST(LogTail, NeverHalfACharacter) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    LogTail tail(folder.path());
    const auto log = folder.write("log", "Gr\xc3");
    EXPECT_TRUE(tail.next(*transport, {}).value().empty());
    EXPECT_EQ(tail.next(*transport, {}).value().front().text, "Gr");
    std::ofstream(log, std::ios::app) << "\xbc\xc3\x9f"
                                         "e\nbad \xff\xe2\x82 end \xe2\x82\xac\n";
    EXPECT_EQ(tail.next(*transport, {}).value().front().text,
              "üße\nbad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd end €\n");
}

TEST(LogTail, ARotatedOrCutFileBeginsAnew) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    LogTail tail(folder.path());
    folder.write("log", "a long first line\n");
    EXPECT_FALSE(tail.next(*transport, {}).value().front().restarted);
    folder.write("log", "cut\n");
    auto texts = tail.next(*transport, {}).value();
    EXPECT_TRUE(texts.front().restarted);
    EXPECT_EQ(texts.front().text, "cut\n");
    folder.write("log", "another file that is longer\n");
    texts = tail.next(*transport, {}).value();
    EXPECT_TRUE(texts.front().restarted);
    EXPECT_EQ(texts.front().text, "another file that is longer\n");
}

TEST(LogTail, ALimitForEachLook) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    TailOptions options;
    options.mostBytes = 1000;
    LogTail tail(folder.path(), options);
    std::string lines;
    for (int i = 0; i < 500; ++i)
        lines += "line " + std::to_string(i) + "\n";
    folder.write("a", lines);
    folder.write("b", "short\n");
    folder.write("c", std::string(5000, 'x'));
    std::map<std::string, std::string> got;
    for (int looks = 0; looks < 20; ++looks) {
        std::size_t sum = 0;
        const auto texts = tail.next(*transport, {}).value();
        for (const TailText& text : texts) {
            got[text.file] += text.text;
            sum += text.text.size();
        }
        EXPECT_LE(sum, 1000u);
        // Not behind all of a.
        EXPECT_TRUE(looks < 2 || got.contains("b"));
    }
    EXPECT_FALSE(tail.more());
    EXPECT_EQ(got["a"], lines);
    EXPECT_EQ(got["b"], "short\n");
    EXPECT_EQ(got["c"], std::string(5000, 'x'));
}
