// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_transport.h"
#include "remote/transport/shell_quote.h"

#include <gtest/gtest.h>

using namespace ddp::remote;

TEST(ShellQuote, LeavesPlainWordsReadable) {
    EXPECT_EQ(shellQuote("/opt/run_1/job-2.sh"), "/opt/run_1/job-2.sh");
    EXPECT_EQ(shellCommand({"ls", "-l", "a b"}), "ls -l 'a b'");
}

TEST(ShellQuote, EmptyWordStaysAWord) {
    EXPECT_EQ(shellQuote(""), "''");
}

// The shell itself is the judge: what it prints back must be the bytes that went in.
TEST(ShellQuote, EveryByteSurvivesTheShell) {
    std::string every;
    for (int byte = 1; byte < 256; ++byte) // a NUL can not be part of an argument
        every += static_cast<char>(byte);
    for (const std::string& word :
         {every, std::string("it's"), std::string("$(touch /tmp/x) `id` \"\\\" !! ; | & > *"),
          std::string("-n"), std::string("~"), std::string("a\nb\n")}) {
        Command command;
        command.shell = "printf '%s' " + shellQuote(word);
        const auto result = makeLocalTransport()->run(command, {});
        ASSERT_TRUE(result);
        EXPECT_EQ(result->out, word);
        EXPECT_EQ(result->exitCode, 0);
    }
}
