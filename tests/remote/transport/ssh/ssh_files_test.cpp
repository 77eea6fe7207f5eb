// SPDX-License-Identifier: GPL-3.0-or-later
// Files over a real sshd.
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/pull/pull.h"
#include "remote/transport/copy_plan.h"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

/// The same contract for both ways to be connected.
class SshFiles : public ::testing::TestWithParam<SshWay> {
protected:
    void SetUp() override {
        m_server.trust();
        NoQuestions nobody;
        auto transport = GetParam().connect(m_server.options(), nobody, {});
        ASSERT_TRUE(transport) << transport.error().message;
        m_transport = std::move(*transport);
    }
    SshServer m_server;
    std::unique_ptr<Transport> m_transport;
    TempFolder m_far;
    TempFolder m_near;
    Progress m_progress;
};

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string bytes(std::size_t size) {
    std::string made(size, '\0');
    std::uint64_t state = 88172645463325252ull;
    for (char& c : made) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        c = static_cast<char>(state);
    }
    return made;
}

std::size_t filesBelow(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        count += entry.is_regular_file() ? 1 : 0;
    return count;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(By, SshFiles, ::testing::ValuesIn(kSshWays), nameOfWay);

TEST_P(SshFiles, ReadsFromAnOffset) {
    const auto file = m_far.write("log", "0123456789");
    EXPECT_EQ(m_transport->read(file, 4, 3).value(), "456");
    EXPECT_EQ(m_transport->read(file, 8, 100).value(), "89");
    EXPECT_EQ(m_transport->read(file, 100, 10).value(), "");
    EXPECT_EQ(m_transport->read(file, 0, 0).value(), "");
    std::ofstream(file, std::ios::app) << "more";
    EXPECT_EQ(m_transport->read(file, 10, 100).value(), "more");
    EXPECT_THAT(m_transport->read("/proc/self/status", 0, 1 << 20).value(), HasSubstr("Name:"));
}

TEST_P(SshFiles, AWholeLargeFile) {
    const std::string made = bytes((5u << 20) + 12345);
    const auto file = m_far.write("large", made);
    const auto got = m_transport->read(file, 0, 64u << 20);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(*got == made);
    const auto part = m_transport->read(file, 100001, 3u << 20);
    ASSERT_TRUE(part);
    EXPECT_TRUE(*part == made.substr(100001, 3u << 20));
}

TEST_P(SshFiles, ErrorsNameFileAndHost) {
    const auto missing = m_transport->read(m_far.path() / "nothing", 0, 10);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Unreadable);
    EXPECT_THAT(missing.error().message, HasSubstr("nothing on box can not be read: there is no such file"));
    EXPECT_FALSE(m_transport->list(m_far.path() / "nothing"));

    m_far.write("file", "");
    const auto blocked = m_transport->makeFolders(m_far.path() / "file" / "below");
    ASSERT_FALSE(blocked);
    EXPECT_EQ(blocked.error().code, ErrorCode::Unwritable);
    const auto wrote = m_transport->write("/proc/ddpscope", "x", false);
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, ErrorCode::Unwritable);
    EXPECT_THAT(wrote.error().message, HasSubstr("/proc/ddpscope on box"));
}

TEST_P(SshFiles, AFullDiskIsSaidAndLeavesNothing) {
    const auto mounted = makeLocalTransport()->run(
        command(fmt::format("mount -t tmpfs -o size=1m none {}", m_far.path().string())), {});
    if (!mounted || mounted->exitCode != 0)
        GTEST_SKIP() << "needs the right to mount";
    const auto wrote = m_transport->write(m_far.path() / "large", bytes(3u << 20), false);
    const auto left = filesBelow(m_far.path());
    shellOutput("umount " + m_far.path().string());
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, ErrorCode::Unwritable);
    EXPECT_THAT(wrote.error().message, HasSubstr("No space left"));
    EXPECT_EQ(left, 0u);
}

TEST_P(SshFiles, WritesWholeFilesOverOldOnes) {
    const auto file = m_far.path() / "a b's \"c\"\n$d.sh";
    ASSERT_TRUE(m_transport->write(file, "old", false));
    const auto wrote = m_transport->write(file, "#!/bin/sh\necho hi\n", true);
    ASSERT_TRUE(wrote) << wrote.error().message;
    EXPECT_EQ(m_transport->read(file, 0, 100).value(), "#!/bin/sh\necho hi\n");
    EXPECT_NE(fs::status(file).permissions() & fs::perms::owner_exec, fs::perms::none);
    const auto entries = m_transport->list(m_far.path());
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1u); // no temporary file is left
    EXPECT_EQ(entries->front().name, "a b's \"c\"\n$d.sh");
    EXPECT_EQ(entries->front().size, 18u);
    EXPECT_NEAR(static_cast<double>(entries->front().modified), static_cast<double>(std::time(nullptr)),
                100.);
}

TEST_P(SshFiles, FoldersUpAndDown) {
    const std::string large = bytes(3u << 20);
    m_near.write("from/it's a \"folder\"\nwith lines/file", "content");
    m_near.write("from/large", large);
    m_near.write("from/empty", "");
    fs::permissions(m_near.write("from/run.sh", "x"), fs::perms::owner_all);
    fs::create_directories(m_near.path() / "from/hollow");
    const fs::path far = m_far.path() / "new folder/below";
    const auto up = m_transport->upload(m_near.path() / "from", far, {}, m_progress);
    ASSERT_TRUE(up) << up.error().message;
    EXPECT_EQ(m_progress.done, large.size() + 8);
    EXPECT_EQ(m_progress.total, large.size() + 8);

    fs::create_symlink("/etc/passwd", far / "link");
    fs::create_directory_symlink("/etc", far / "links");
    Progress progress;
    const auto down = pullFolder(*m_transport, far, m_near.path() / "to", {}, {}, progress);
    ASSERT_TRUE(down) << down.error().message;
    EXPECT_EQ(progress.done, large.size() + 8);
    const fs::path to = m_near.path() / "to";
    EXPECT_EQ(content(to / "it's a \"folder\"\nwith lines/file"), "content");
    EXPECT_TRUE(content(to / "large") == large);
    EXPECT_TRUE(fs::exists(to / "empty"));
    EXPECT_TRUE(fs::is_directory(to / "hollow"));
    EXPECT_NE(fs::status(to / "run.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
    EXPECT_FALSE(fs::exists(fs::symlink_status(to / "link")));
    EXPECT_FALSE(fs::exists(fs::symlink_status(to / "links")));
    EXPECT_EQ(filesBelow(to), 4u);
}

TEST_P(SshFiles, ACopyBeyondTheLimitsIsRefusedBeforeItBegins) {
    m_far.write("from/a", "12345");
    m_far.write("from/b", "12345");
    for (const CopyLimits limits : {CopyLimits{1, 1000}, CopyLimits{1000, 9}}) {
        PullOptions options;
        options.limits = limits;
        const auto refused =
            pullFolder(*m_transport, m_far.path() / "from", m_near.path() / "to", options, {}, m_progress);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::TooLarge);
        EXPECT_THAT(refused.error().message, HasSubstr("holds 2 files and folders"));
        EXPECT_FALSE(fs::exists(m_near.path() / "to"));
        EXPECT_FALSE(
            m_transport->upload(m_far.path() / "from", m_near.path() / "to", {}, m_progress, limits));
    }
}

TEST(SshFileNames, NamesThatLeadOutOfTheFolder) {
    for (const char* bad : {"", ".", "..", "../x", "/etc/passwd", "a/b"})
        EXPECT_FALSE(isPlainName(bad)) << bad;
    EXPECT_TRUE(isPlainName("..a"));
}
