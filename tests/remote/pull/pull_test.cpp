// SPDX-License-Identifier: GPL-3.0-or-later
// Folders pulled over a real sshd.
#include "remote/pull/log_tail.h"
#include "tests/remote/pull/pull_fixture.h"

#include <gmock/gmock.h>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST_F(Pull, OnlyWhatIsNewWithAnyNameAndClock) {
    const std::string odd = "it's a \"näme\"\nwith lines \\ and $x";
    far(odd + "/-rf", "a");
    far("-n", "b");
    far("empty", "");
    fs::permissions(far("run.sh", "x"), fs::perms::owner_all);
    fs::create_directories(m_far.path() / "run/hollow");
    manySmall(2000);
    shellOutput(fmt::format("cd {}/run && touch -d 2040-05-05 d1/f1 && touch -d 1969-01-01 d2/f2",
                            m_far.path().string()));
    auto report = pull();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->files, 2004u);
    EXPECT_TRUE(report->failed.empty());
    EXPECT_EQ(m_progress.done, m_progress.total);
    EXPECT_TRUE(same());
    EXPECT_NE(fs::status(m_to / "run.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
    EXPECT_TRUE(fs::is_directory(m_to / "hollow"));

    report = pull();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->files, 0u);
    EXPECT_EQ(report->skipped, 2004u);

    std::ofstream(m_far.path() / "run/d3/f3", std::ios::app) << "more\n"; // another size
    shellOutput(fmt::format("touch -d 2001-01-01 {}/run/d4/f4", m_far.path().string()));
    fs::remove(m_to / "d5/f5");
    std::ofstream(m_to / "d6/f6") << "touched here\n";
    report = pull();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->files, 4u);
    EXPECT_TRUE(same());
}

TEST_F(Pull, LinksAndNothingBehindThem) {
    far("file", "x");
    fs::create_symlink("/etc/passwd", m_far.path() / "run/link");
    fs::create_directory_symlink("/etc", m_far.path() / "run/links");
    m_options.wanted = [](const fs::path& name) { return name != "other"; };
    far("other", "x");
    const auto report = pull();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->files, 1u);
    EXPECT_FALSE(fs::exists(fs::symlink_status(m_to / "link")));
    EXPECT_FALSE(fs::exists(fs::symlink_status(m_to / "links")));
    EXPECT_FALSE(fs::exists(m_to / "other"));
}

TEST_F(Pull, AKilledConnectionGoesOnWhereItWas) {
    const std::string large = bytes(40u << 20);
    far("large", large);
    std::uint64_t before = 0;
    for (const auto compression : {Compression::Never, Compression::Always}) {
        m_options.compression = compression;
        {
            const auto killer = after(before + (8u << 20), [this] { m_server.killSessions(); });
            const auto broken = pull();
            ASSERT_FALSE(broken);
            EXPECT_EQ(broken.error().code, ErrorCode::Unreachable);
            EXPECT_THAT(broken.error().message, HasSubstr("box"));
            EXPECT_THAT(broken.error().message, HasSubstr("0 of 1 new files are here and stay"));
        }
        EXPECT_FALSE(fs::exists(m_to / "large"));
        before = m_progress.done; // also what the first one brought
        connect();
    }
    EXPECT_GT(before, 15u << 20);
    const auto report = pull();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_LE(report->bytes, large.size() - before);
    EXPECT_TRUE(content(m_to / "large") == large);
    EXPECT_TRUE(fs::is_empty(m_near.path() / ".to.pull/parts"));
}

TEST_F(Pull, APartOfAnotherFileIsNotContinued) {
    far("large", bytes(20u << 20));
    {
        const auto killer = after(4u << 20, [this] { m_server.killSessions(); });
        ASSERT_FALSE(pull());
    }
    connect();
    const std::string other = bytes((20u << 20) + 1);
    far("large", other);
    const auto report = pull();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->bytes, other.size());
    EXPECT_TRUE(content(m_to / "large") == other);
}

TEST_F(Pull, SmallFilesThatCameBeforeTheConnectionBrokeStay) {
    fs::create_directories(m_far.path() / "run");
    for (int i = 0; i < 300; ++i) {
        std::ofstream(m_far.path() / "run" / std::to_string(i));
        fs::resize_file(m_far.path() / "run" / std::to_string(i), 1u << 20);
    }
    {
        const auto killer = after(9u << 20, [this] { m_server.killSessions(); });
        const auto broken = pull();
        ASSERT_FALSE(broken);
        EXPECT_EQ(broken.error().code, ErrorCode::Unreachable);
    }
    connect();
    const auto report = pull();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_GE(report->skipped, 1u);
    EXPECT_EQ(report->files + report->skipped, 300u);
    EXPECT_TRUE(same());
}

TEST_F(Pull, FilesThatChangeMeanwhile) {
    for (const int others : {0, 20}) { // file by file, and as an archive
        manySmall(others);
        m_options.compression = others == 0 ? Compression::Never : Compression::Always;
        far("gone", "x");
        far("grows", "one\n");
        far("shrinks", "a long line\n");
        m_options.wanted = [this, others](const fs::path& name) {
            if (name == "gone")
                fs::remove(m_far.path() / "run/gone");
            if (name == "grows")
                std::ofstream(m_far.path() / "run/grows", std::ios::app) << "two\n";
            if (name == "shrinks")
                far("shrinks", others == 0 ? "a\n" : "b\n");
            return true;
        };
        auto report = pull();
        ASSERT_TRUE(report) << report.error().message;
        ASSERT_GE(report->failed.size(), 1u);
        EXPECT_EQ(report->failed.front().file, "gone");
        EXPECT_THAT(report->failed.front().why, HasSubstr("gone on box can not be read"));
        EXPECT_TRUE(content(m_to / "grows").starts_with("one\n"));
        EXPECT_FALSE(fs::exists(m_to / "gone"));
        m_options.wanted = {};
        report = pull();
        ASSERT_TRUE(report);
        EXPECT_TRUE(report->failed.empty());
        EXPECT_TRUE(same());
    }
}

TEST_F(Pull, CompressedAndVerified) {
    const std::string random = bytes(3u << 20);
    far("random", random);
    far("text", std::string(9u << 20, 'x'));
    // Its own compression stays.
    shellOutput(fmt::format("cd {}/run && zstd -q text -o text.zst && zstd -q --no-compress-literals -1 "
                            "random -o random.zst && gzip -k random",
                            m_far.path().string()));
    manySmall(30);
    m_options.compression = Compression::Always;
    m_options.verify = true;
    auto report = pull();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->failed.empty());
    EXPECT_TRUE(same());

    // Another content under the same size and time.
    shellOutput(fmt::format("cd {0} && touch -r random stamp && printf x | dd of=random conv=notrunc "
                            "2>/dev/null && touch -r stamp random && rm stamp",
                            m_to.string()));
    m_options.verify = false;
    EXPECT_EQ(pull().value().files, 0u);
    m_options.verify = true;
    report = pull();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->files, 1u);
    EXPECT_TRUE(same());
}

TEST_F(PullWithoutTar, ComesFileByFile) {
    manySmall(200);
    far("large", bytes(9u << 20));
    m_options.compression = Compression::Always;
    const auto report = pull();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->files, 201u);
    EXPECT_TRUE(same());
}

TEST_F(Pull, TooMuchIsToldWithItsSize) {
    far("a", std::string(700'000, 'a'));
    far("b", std::string(800'000, 'b'));
    m_options.limits = {1, 1'000'000};
    auto refused = pull();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::TooLarge);
    EXPECT_THAT(refused.error().message, HasSubstr("holds 2 files and folders with 1.5 MB"));
    EXPECT_THAT(refused.error().message, HasSubstr("--max-files or --max-size"));
    EXPECT_FALSE(fs::exists(m_to));
    m_options.limits = {2, 1'500'000};
    EXPECT_TRUE(pull());
}

TEST_F(Pull, OneFileThatFailsDoesNotCostTheOthers) {
    far("a", "a");
    far("b", "b");
    m_near.write("to/a/x", ""); // nothing can be renamed to a folder that holds something
    const auto report = pull();
    ASSERT_TRUE(report);
    ASSERT_EQ(report->failed.size(), 1u);
    EXPECT_EQ(report->failed.front().file, "a");
    EXPECT_EQ(content(m_to / "b"), "b");
}

TEST_F(Pull, AStopComesWithinASecondAndCostsNotTheConnection) {
    for (int i = 0; i < 600; ++i)
        far(fmt::format("f{}", i), bytes(400'000));
    shellOutput(fmt::format("truncate -s 3G {}/run/large", m_far.path().string()));
    for (const bool small : {true, false}) {
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        m_options.wanted = [small](const fs::path& name) { return (name != "large") == small; };
        const auto stopper = after(4u << 20, [&] {
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto stopped = pull(stop.get_token());
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled) << stopped.error().message;
        EXPECT_LT(std::chrono::steady_clock::now() - asked, 1s);
        EXPECT_EQ(m_transport->run(command("echo still"), {})->out, "still\n");
        EXPECT_EQ(m_transport->read(m_server.path("id.pub"), 0, 11).value(), "ssh-ed25519");
    }
}

TEST_F(Pull, AFullDiskHereIsSaidAndLeavesNoHalfFile) {
    if (!m_ownMounts)
        GTEST_SKIP() << "mounts are not allowed here";
    const std::string near = m_near.path().string();
    ASSERT_EQ(::mount("ddp", near.c_str(), "tmpfs", 0, "size=64m"), 0);
    far("a", "small");
    far("large", bytes(48u << 20));
    m_options.compression = Compression::Never; // one after the other
    {
        const auto filler = after(1u << 20, [this] {
            std::ofstream(m_near.path() / "other", std::ios::binary) << std::string(60u << 20, 'x');
        });
        const auto full = pull();
        ASSERT_FALSE(full);
        EXPECT_EQ(full.error().code, ErrorCode::Unwritable);
        EXPECT_THAT(full.error().message, HasSubstr("No space left on device"));
        EXPECT_THAT(full.error().message, HasSubstr("1 of 2 new files are here and stay"));
    }
    EXPECT_FALSE(fs::exists(m_to / "large"));
    EXPECT_EQ(content(m_to / "a"), "small");
    fs::remove(m_near.path() / "other");
    EXPECT_TRUE(pull());
    EXPECT_TRUE(same());

    far("second", bytes(20u << 20));
    const auto refused = pull(); // before anything of it came
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("MB free"));
    EXPECT_EQ(m_progress.done, 0u);
    ::umount(near.c_str());
}

TEST_F(Pull, AFullDiskThereIsSaidAndLeavesNoHalfFile) {
    if (!m_ownMounts)
        GTEST_SKIP() << "mounts are not allowed here";
    const std::string there = m_far.path().string();
    ASSERT_EQ(::mount("ddp", there.c_str(), "tmpfs", 0, "size=2m"), 0);
    m_near.write("up/a", "small");
    m_near.write("up/large", bytes(8u << 20));
    const auto full = m_transport->upload(m_near.path() / "up", m_far.path(), {}, m_progress);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::Unwritable);
    EXPECT_THAT(full.error().message, HasSubstr("No space left on device"));
    EXPECT_EQ(content(m_far.path() / "a"), "small");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_far.path()), fs::directory_iterator()), 1);
    ::umount(there.c_str());
}

TEST_F(Pull, AnUploadIsNotHeldInMemoryAndIsCleanedUpByAStop) {
    shellOutput(fmt::format("mkdir {0}/up && truncate -s 3G {0}/up/large", m_near.path().string()));
    std::stop_source stop;
    const auto stopper = after(8u << 20, [&] { stop.request_stop(); });
    const auto stopped =
        m_transport->upload(m_near.path() / "up", m_far.path() / "in", stop.get_token(), m_progress);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(fs::is_empty(m_far.path() / "in"));
}

TEST_F(Pull, TwoPullsIntoOneFolderDoNotMix) {
    shellOutput(fmt::format("mkdir {0}/run && truncate -s 3G {0}/run/large", m_far.path().string()));
    std::stop_source stop;
    std::string second;
    const auto other = after(1u << 20, [&] {
        Progress progress;
        const auto refused =
            pullFolder(*remote::makeLocalTransport(), m_far.path() / "run", m_to, {}, {}, progress);
        second = refused ? "" : refused.error().message;
        stop.request_stop();
    });
    EXPECT_FALSE(pull(stop.get_token()));
    EXPECT_THAT(second, HasSubstr("is being pulled already"));
}

TEST_F(Pull, FromThisMachineByTheSameFunction) {
    m_transport = remote::makeLocalTransport();
    manySmall(50);
    far("large", bytes(9u << 20));
    for (const auto compression : {Compression::Never, Compression::Auto, Compression::Always}) {
        m_options.compression = compression;
        m_to = m_near.path() / std::to_string(static_cast<int>(compression));
        const auto report = pull();
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_EQ(report->files, 51u);
        EXPECT_TRUE(same());
        EXPECT_EQ(pull().value().skipped, 51u);
    }
}

TEST_F(Pull, ALogIsFollowedAcrossABrokenConnection) {
    far("job.out", "one\n");
    LogTail tail(m_far.path() / "run");
    EXPECT_EQ(tail.next(*m_transport, {}).value().front().text, "one\n");
    m_server.killSessions();
    const auto broken = tail.next(*m_transport, {});
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::Unreachable);
    far("job.out", "one\ntwo\n");
    connect();
    EXPECT_EQ(tail.next(*m_transport, {}).value().front().text, "two\n");
}
