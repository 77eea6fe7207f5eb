// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs that exist, can not be written, or are not finished.
#include "tests/app/convert_fixture.h"

#include <gmock/gmock.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::namesIn;
using test::opened;
using test::runCli;
using test::slicesOf;
using testing::HasSubstr;

using ConvertErrors = test::ConvertTest;

// One thread with `slices` regions in main, which makes a file of 24 bytes a slice.
fs::path writeLong(const fs::path& folder, std::uint64_t slices) {
    test::Otf2Archive archive = test::plainArchive(0, slices * 100'000);
    archive.regions.push_back({"work", "main.cpp"});
    auto& events = archive.locations[0].events;
    events.pop_back();
    for (std::uint64_t i = 0; i < slices; ++i) {
        events.push_back({test::Record::Enter, i * 100'000 + 1, 1});
        events.push_back({test::Record::Leave, i * 100'000 + 70'000, 1});
    }
    events.push_back({test::Record::Leave, slices * 100'000, 0});
    return test::writeArchive(folder, archive);
}

remote::CommandResult shell(const std::string& line) {
    remote::Command command;
    command.shell = line;
    command.deadline = std::chrono::seconds(60);
    return remote::makeLocalTransport()->run(command, {}).value();
}

TEST_F(ConvertErrors, WhatExistsIsReplacedOnlyByForce) {
    const fs::path folder = twoRanks();
    for (const std::string name : {"a.json", "a.csv", "a.otf2"}) {
        m_out.write(name, "mine");
        const auto refused = runCli({"convert", folder.string(), "-o", out(name).string()});
        EXPECT_EQ(refused.exitCode, 73);
        EXPECT_THAT(refused.err, HasSubstr(out(name).string() + " exists already"));
        EXPECT_EQ(content(name), "mine");
        const auto forced = runCli({"convert", folder.string(), "--force", "-o", out(name).string()});
        EXPECT_EQ(forced.exitCode, 0) << forced.err;
        EXPECT_NE(content(name), "mine");
    }
    // An archive over an archive, its own source too.
    const auto again = runCli({"convert", out("a.otf2").string(), "--force", "-o", out("a.otf2").string()});
    EXPECT_EQ(again.exitCode, 0) << again.err;
    EXPECT_EQ(slicesOf(*opened(out("a.otf2"))), slicesOf(*opened(folder)));
    EXPECT_EQ(namesIn(m_out.path()), (std::vector<std::string>{"a", "a.csv", "a.def", "a.json", "a.otf2"}));
}

TEST_F(ConvertErrors, ForceNeverRemovesWhatIsNoArchive) {
    const fs::path folder = twoRanks();
    const auto expectRefused = [&] {
        const auto answer = runCli({"convert", folder.string(), "--force", "-o", out("a.otf2").string()});
        EXPECT_EQ(answer.exitCode, 73) << answer.err;
    };
    m_out.write("a/thesis.tex", "mine");
    expectRefused(); // no anchor that the folder could belong to
    m_out.write("a.otf2", "an anchor");
    expectRefused(); // a folder with other things in it
    EXPECT_EQ(content("a/thesis.tex"), "mine");
    fs::create_directory(out("b.json"));
    EXPECT_EQ(runCli({"convert", folder.string(), "--force", "-o", out("b.json").string()}).exitCode, 73);
    EXPECT_EQ(namesIn(m_out.path()), (std::vector<std::string>{"a", "a.otf2", "b.json"}));
}

TEST_F(ConvertErrors, ErrorsAreOneSentenceAndLeaveNothing) {
    const std::string folder = twoRanks().string();
    struct Case {
        std::vector<std::string> arguments;
        int exitCode;
        std::string says;
    };
    const std::vector<Case> cases{
        {{folder, "-o", out("run.txt").string()},
         64,
         ".otf2 (one archive of all ranks), .json (Perfetto, Chrome) or .csv"},
        {{folder, "-o", out("run").string()}, 64, ".json"},
        {{folder}, 64, "--output is required"},
        {{folder, "-o", out("none/run.json").string()}, 73, "make its folder first"},
        {{folder, "-o", out("none/run.otf2").string()}, 73, "make its folder first"},
        {{out("missing").string(), "-o", out("run.json").string()}, 65, "does not exist"},
        {{out("missing").string(), "-o", out("run.otf2").string()}, 65, "does not exist"},
    };
    for (const Case& made : cases) {
        std::vector<std::string> arguments{"convert"};
        arguments.insert(arguments.end(), made.arguments.begin(), made.arguments.end());
        const auto answer = runCli(arguments);
        EXPECT_EQ(answer.exitCode, made.exitCode) << answer.err;
        EXPECT_THAT(answer.err, HasSubstr(made.says));
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    }
    EXPECT_TRUE(namesIn(m_out.path()).empty());
}

// A limit on the size of a file is what a full disk is for the program: a write that fails. In blocks of 512
// or 1024 bytes, as the shell likes.
TEST_F(ConvertErrors, AFullDiskIsOneSentenceAndLeavesNothing) {
    const std::string small = twoRanks().string();
    const std::string large = writeLong(m_in.path() / "large", 250'000).string(); // a file of 6 MB
    for (const std::string& path : {small, large}) // into the cache, which the limit would stop too
        ASSERT_EQ(runCli({"info", path}).exitCode, 0);
    struct Case {
        std::string from;
        std::string to;
        int blocks;
    };
    // libotf2 writes a small file when it is closed, a large one in pieces of 4 MiB on the way, and the rest
    // then.
    for (const Case& made : std::vector<Case>{{small, "run.json", 1},
                                              {small, "run.csv", 0},
                                              {small, "run.otf2", 0},
                                              {large, "run.otf2", 64},
                                              {large, "run.otf2", 10'000}}) {
        const auto answer = shell("trap '' XFSZ; ulimit -f " + std::to_string(made.blocks) +
                                  "; exec " DDP_BIN_DIR "/ddpscope-cli convert '" + made.from + "' -o '" +
                                  out(made.to).string() + "'");
        EXPECT_EQ(answer.exitCode, 73) << made.to << made.blocks << answer.err;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        EXPECT_THAT(answer.err, HasSubstr(out(made.to).string() + " can not be written"));
        EXPECT_TRUE(namesIn(m_out.path()).empty()) << made.to;
    }
}

TEST_F(ConvertErrors, StoppedItLeavesNothing) {
    const std::string anchor = writeLong(m_in.path() / "large", 250'000).string();
    for (const char* name : {"run.json", "run.otf2"}) {
        // The unfinished output is there before the trace is opened: from then on there is something to stop.
        const auto answer =
            shell("cd '" + m_out.path().string() + "'; " DDP_BIN_DIR "/ddpscope-cli convert --no-cache '" +
                  anchor + "' -o " + name + " & pid=$!; until ls -a | grep -q part; do sleep 0.01; done; " +
                  "kill -TERM $pid; wait $pid");
        EXPECT_EQ(answer.exitCode, 130) << answer.err;
        EXPECT_THAT(answer.err, HasSubstr("stopped"));
        EXPECT_TRUE(namesIn(m_out.path()).empty()) << name;
    }
}

} // namespace
} // namespace ddp
