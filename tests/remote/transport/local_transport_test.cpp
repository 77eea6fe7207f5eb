// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_transport.h"

#include "remote/pull/pull.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::TempFolder;
using namespace std::chrono_literals;

namespace {

Command shell(std::string text) {
    Command command;
    command.shell = std::move(text);
    return command;
}

} // namespace

TEST(LocalTransport, GivesExitCodeAndBothStreams) {
    const auto result = makeLocalTransport()->run(shell("echo out; echo err >&2; exit 7"), {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 7);
    EXPECT_EQ(result->out, "out\n");
    EXPECT_EQ(result->err, "err\n");
    EXPECT_FALSE(result->truncated);
}

TEST(LocalTransport, ASignalIsAnExitCodeAbove128) {
    const auto result = makeLocalTransport()->run(shell("kill -KILL $$"), {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 128 + SIGKILL);
}

TEST(LocalTransport, FeedsInputLargerThanAPipe) {
    Command command = shell("wc -c");
    command.input.assign(3u << 20, 'x');
    const auto result = makeLocalTransport()->run(command, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(std::stoul(result->out), 3u << 20);
}

TEST(LocalTransport, ACommandThatDoesNotReadItsInputIsNoFailure) {
    Command command = shell("exit 3");
    command.input.assign(1u << 20, 'x');
    const auto result = makeLocalTransport()->run(command, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 3);
}

TEST(LocalTransport, KeepsTheBeginningWhenTooMuchIsPrinted) {
    Command command = shell("yes 0123456789 | head -c 1000000");
    command.outputLimit = 1000;
    const auto result = makeLocalTransport()->run(command, {});
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->truncated);
    EXPECT_EQ(result->out.size(), 1000u);
    EXPECT_EQ(result->out.substr(0, 11), "0123456789\n");
}

TEST(LocalTransport, DeadlineEndsTheWholeGroup) {
    TempFolder folder;
    Command command = shell("(sleep 30; touch " + (folder.path() / "late").string() + ") & sleep 30");
    command.deadline = 300ms;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = makeLocalTransport()->run(command, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(LocalTransport, StopEndsACommand) {
    std::stop_source stop;
    std::jthread later([&stop] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const auto result = makeLocalTransport()->run(shell("sleep 30"), stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST(LocalTransport, DoesNotWaitForWhatTheCommandLeftBehind) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = makeLocalTransport()->run(shell("sleep 5 & echo $!"), {});
    ASSERT_TRUE(result);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
    ::kill(std::stoi(result->out), SIGKILL);
}

TEST(LocalTransport, ReadsFromAnOffset) {
    TempFolder folder;
    const auto file = folder.write("log", "0123456789");
    const auto transport = makeLocalTransport();
    EXPECT_EQ(transport->read(file, 4, 3).value(), "456");
    EXPECT_EQ(transport->read(file, 8, 100).value(), "89");
    EXPECT_EQ(transport->read(file, 100, 10).value(), "");
}

TEST(LocalTransport, ErrorsNameTheFile) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    const auto missing = transport->read(folder.path() / "nothing", 0, 10);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Unreadable);
    EXPECT_NE(missing.error().message.find("nothing"), std::string::npos);

    folder.write("file", "");
    const auto blocked = transport->makeFolders(folder.path() / "file" / "below");
    ASSERT_FALSE(blocked);
    EXPECT_EQ(blocked.error().code, ErrorCode::Unwritable);
}

TEST(LocalTransport, AFullDiskIsSaidAndLeavesNoHalfFile) {
    const auto wrote = makeLocalTransport()->write("/proc/ddpscope", "x", false);
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, ErrorCode::Unwritable);
    EXPECT_NE(wrote.error().message.find("/proc/ddpscope"), std::string::npos);
}

TEST(LocalTransport, WritesWholeFiles) {
    TempFolder folder;
    const auto transport = makeLocalTransport();
    ASSERT_TRUE(transport->write(folder.path() / "a.sh", "echo hi\n", true));
    EXPECT_EQ(transport->run(shell((folder.path() / "a.sh").string()), {}).value().exitCode, 0);
    const auto entries = transport->list(folder.path());
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 1u); // no temporary file is left
    EXPECT_EQ(entries->front().name, "a.sh");
    EXPECT_EQ(entries->front().size, 8u);
}

TEST(LocalTransport, APullCopiesTreesButFollowsNoLink) {
    TempFolder folder;
    folder.write("from/a.txt", "a");
    folder.write("from/sub/b.txt", "bb");
    folder.write("secret", "s");
    std::filesystem::create_symlink(folder.path() / "secret", folder.path() / "from/link");
    Progress progress;
    ASSERT_TRUE(
        pullFolder(*makeLocalTransport(), folder.path() / "from", folder.path() / "to", {}, {}, progress));
    EXPECT_EQ(makeLocalTransport()->read(folder.path() / "to/sub/b.txt", 0, 10).value(), "bb");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "to/link"));
}
