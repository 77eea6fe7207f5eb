// SPDX-License-Identifier: GPL-3.0-or-later
// Archives that are cut, flipped, incomplete or forbidden: the rest opens, or one sentence says why not;
// nothing is printed, nothing crashes, nothing hangs.
#include "core/import/open_run.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

// libotf2 forgets a few hundred bytes of every anchor and mapping table that it refuses.
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
    return "leak:libopen-trace-format2\n";
}

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using test::writeArchive;
using testing::HasSubstr;

Result<std::shared_ptr<const TraceStore>> tryOpen(const fs::path& path) {
    Progress progress;
    return openRun({path}, {}, progress);
}

std::string content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// root may read everything: be somebody else for that time.
Result<std::shared_ptr<const TraceStore>> openAsNobody(const fs::path& path) {
    constexpr uid_t kNobody = 65534;
    const bool root = geteuid() == 0;
    if (root && seteuid(kNobody) != 0)
        throw std::runtime_error("can not become nobody");
    auto store = tryOpen(path);
    if (root && seteuid(0) != 0)
        throw std::runtime_error("can not become root again");
    return store;
}

void overwrite(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

const ImportIssue* find(const TraceStore& store, const std::string& name) {
    for (const ImportIssue& issue : store.issues())
        if (issue.name == name)
            return &issue;
    return nullptr;
}

// Runs the test and fails it when anything was written to stderr, which belongs to the program alone.
class DamagedArchive : public testing::Test {
protected:
    void SetUp() override {
        m_anchor = writeArchive(m_folder.path(), test::scorepRank(0, 50));
        testing::internal::CaptureStderr();
    }
    void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

    fs::path events(std::uint64_t location) const {
        return m_folder.path() / "traces" / (std::to_string(location) + ".evt");
    }

    void expectError(const std::string& part) {
        const auto store = tryOpen(m_anchor);
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().code, ErrorCode::Unreadable);
        EXPECT_THAT(store.error().message, HasSubstr(part));
        EXPECT_THAT(store.error().message, HasSubstr(m_folder.path().string()));
        EXPECT_THAT(store.error().message, testing::Not(HasSubstr("\n")));
    }

    TempFolder m_folder;
    fs::path m_anchor;
};

constexpr std::uint64_t kCompute = 1ull << 32;

TEST_F(DamagedArchive, AMissingEventsFileLosesItsLocationOnly) {
    fs::remove(events(kCompute));
    const auto store = tryOpen(m_anchor);
    ASSERT_TRUE(store) << store.error().message;
    const ImportIssue* issue = find(**store, "missing_events_file");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->severity, IssueSeverity::DataLoss);
    EXPECT_EQ(issue->rank, 0);
    EXPECT_EQ(issue->location, "CUDA[0:7]");
    EXPECT_THAT(issue->sentence, HasSubstr("4294967296.evt"));
    EXPECT_EQ((*store)->eventCount(), 200u + 100 + 50);
    EXPECT_EQ((*store)->locations().size(), 4u);
}

TEST_F(DamagedArchive, AllEventsFilesMissing) {
    fs::remove_all(m_folder.path() / "traces");
    const auto store = tryOpen(m_anchor);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->eventCount(), 0u);
    EXPECT_TRUE((*store)->extent().empty());
    EXPECT_EQ((*store)->issues().size(), 4u);
}

TEST_F(DamagedArchive, ALocationThatDeclaresNoEventsNeedsNoFile) {
    auto archive = test::scorepRank(0, 1);
    archive.locations[3].events.clear();
    writeArchive(m_folder.path() / "sparse", archive);
    fs::remove(m_folder.path() / "sparse/traces" / (std::to_string(3ull << 32) + ".evt"));
    const auto store = tryOpen(m_folder.path() / "sparse");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE((*store)->issues().empty());
}

TEST_F(DamagedArchive, ACutEventsFileKeepsWhatStandsBeforeTheCut) {
    const std::string whole = content(events(0));
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{20},
                                   whole.size() / 2, whole.size() - 2}) {
        overwrite(events(0), whole.substr(0, size));
        const auto store = tryOpen(m_anchor);
        ASSERT_TRUE(store) << store.error().message;
        const ImportIssue* issue = find(**store, "damaged_events_file");
        ASSERT_TRUE(issue) << "cut at " << size;
        EXPECT_THAT(issue->sentence, HasSubstr("0.evt is damaged"));
        EXPECT_LE((*store)->locations()[0].events, 200u);
        EXPECT_GE((*store)->locations()[0].events, size > 20 ? 60u : 0u);
        EXPECT_EQ((*store)->locations()[1].events, 350u) << "the others are whole";
    }
}

TEST_F(DamagedArchive, FewerEventsThanDeclaredIsALoss) {
    auto archive = test::plainArchive(0, 10);
    archive.locations[0].declaredEvents = 5;
    const auto store = tryOpen(writeArchive(m_folder.path() / "short", archive));
    ASSERT_TRUE(store);
    const ImportIssue* issue = find(**store, "events_missing");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->count, 3u);
    EXPECT_EQ(issue->severity, IssueSeverity::DataLoss);
}

TEST_F(DamagedArchive, WithoutItsDefinitionsNothingCanBeRead) {
    fs::remove(m_folder.path() / "traces.def");
    expectError("definitions file");
    overwrite(m_folder.path() / "traces.def", "");
    expectError("is empty");
    overwrite(m_folder.path() / "traces.def", "no definitions at all");
    expectError("traces.def is damaged");
}

TEST_F(DamagedArchive, CutDefinitionsAreALossOrAnError) {
    const std::string whole = content(m_folder.path() / "traces.def");
    for (std::size_t size = 1; size < whole.size(); size += 7) {
        overwrite(m_folder.path() / "traces.def", whole.substr(0, size));
        const auto store = tryOpen(m_anchor);
        if (store) {
            EXPECT_TRUE(find(**store, "damaged_definitions_file")) << "cut at " << size;
        } else {
            EXPECT_THAT(store.error().message, HasSubstr("traces.def"));
        }
    }
}

TEST_F(DamagedArchive, AMissingLocalDefinitionsFileIsAWarning) {
    fs::remove(m_folder.path() / "traces/0.def");
    const auto store = tryOpen(m_anchor);
    ASSERT_TRUE(store);
    const ImportIssue* issue = find(**store, "damaged_definitions_file");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->severity, IssueSeverity::Warning);
    EXPECT_EQ((*store)->locations()[0].events, 200u);
}

TEST_F(DamagedArchive, AnAnchorThatIsNone) {
    overwrite(m_anchor, "");
    expectError("is empty");
    overwrite(m_anchor, "OTTO of another kind, long enough to be something");
    expectError("is not an OTF2 anchor file");
    fs::remove(m_anchor);
    fs::create_directory(m_anchor);
    expectError("holds no trace");
}

TEST_F(DamagedArchive, ACutAnchorIsRefused) {
    const std::string whole = content(m_anchor);
    for (std::size_t size = 8; size < whole.size() - 12; size += 3) {
        overwrite(m_anchor, whole.substr(0, size));
        ASSERT_FALSE(tryOpen(m_anchor)) << size;
    }
}

TEST_F(DamagedArchive, ADamagedAnchorLeavesNoFileOpen) {
    auto archive = test::plainArchive(0, 10);
    archive.properties = {{"DDPSCOPE::RANK", "1"}};
    m_anchor = writeArchive(m_folder.path() / "small", archive);
    const auto openFiles = [] {
        const fs::directory_iterator all("/proc/self/fd");
        return std::distance(begin(all), end(all));
    };
    const std::string whole = content(m_anchor);
    (void)tryOpen(m_anchor);
    const auto before = openFiles();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int value : {0, 0xff}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(value);
            overwrite(m_anchor, bytes);
            (void)tryOpen(m_anchor);
            EXPECT_EQ(openFiles(), before) << "byte " << at << " = " << value;
        }
    }
}

TEST_F(DamagedArchive, OneBadArchiveDoesNotLoseTheOthers) {
    writeArchive(m_folder.path() / "run/rank-0", test::plainArchive(0, 10));
    writeArchive(m_folder.path() / "run/rank-1", test::plainArchive(0, 10));
    overwrite(m_folder.path() / "run/rank-1/traces.otf2", "");
    const auto store = tryOpen(m_folder.path() / "run");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->ranks().size(), 1u);
    const ImportIssue* issue = find(**store, "unreadable_archive");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->severity, IssueSeverity::DataLoss);
    EXPECT_THAT(issue->sentence, HasSubstr("rank-1"));
}

TEST_F(DamagedArchive, AnAnchorOfAnotherNameIsFine) {
    auto archive = test::plainArchive(0, 10);
    archive.stem = "my trace.v2";
    writeArchive(m_folder.path() / "other", archive);
    const auto store = tryOpen(m_folder.path() / "other");
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->sliceCount(), 1u);
}

TEST_F(DamagedArchive, WithoutPermissionTheFileIsNamed) {
    ASSERT_EQ(chmod(m_folder.path().c_str(), 0755), 0);
    const fs::path closed = m_folder.path() / "closed";
    fs::create_directory(closed);
    for (const auto& path : {m_anchor, m_folder.path() / "traces.def", events(kCompute), closed})
        fs::permissions(path, fs::perms::none);
    const auto anchor = openAsNobody(m_anchor);
    ASSERT_FALSE(anchor);
    EXPECT_THAT(anchor.error().message, testing::AllOf(HasSubstr("traces.otf2"), HasSubstr("may read it")));
    const auto folder = openAsNobody(closed);
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().message, testing::AllOf(HasSubstr("closed"), HasSubstr("may read it")));

    fs::permissions(m_anchor, fs::perms::all);
    const auto definitions = openAsNobody(m_anchor);
    ASSERT_FALSE(definitions);
    EXPECT_THAT(definitions.error().message, HasSubstr("traces.def can not be opened"));

    fs::permissions(m_folder.path() / "traces.def", fs::perms::all);
    const auto store = openAsNobody(m_anchor);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(find(**store, "unreadable_events_file"));
    fs::permissions(closed, fs::perms::all); // so that the folder can be removed
}

// Bytes at random: the point is that this comes back at all, in time, under the sanitizers.
TEST_F(DamagedArchive, AnyFlippedByteComesBackInTime) {
    std::vector<std::pair<fs::path, std::string>> files;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
        if (entry.is_regular_file())
            files.emplace_back(entry.path(), content(entry.path()));
    std::sort(files.begin(), files.end());
    std::mt19937 random(5);
    int opened = 0;
    for (int round = 0; round < 150; ++round) {
        const auto& [file, whole] = files[random() % files.size()];
        std::string bytes = whole;
        const int flips = 1 << (random() % 4);
        for (int i = 0; i < flips && !bytes.empty(); ++i) {
            const std::size_t at =
                random() % std::min<std::size_t>(bytes.size(), random() % 2 ? 100 : bytes.size());
            constexpr unsigned char kValues[] = {0, 1, 0x7f, 0x80, 0xff};
            bytes[at] = static_cast<char>(random() % 2 ? kValues[random() % 5] : random() % 256);
        }
        if (random() % 5 == 0)
            bytes.resize(random() % (bytes.size() + 1));
        overwrite(file, bytes);
        const auto begin = std::chrono::steady_clock::now();
        const auto store = tryOpen(m_anchor);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10))
            << file << " round " << round;
        opened += store ? 1 : 0;
        if (!store) {
            EXPECT_THAT(store.error().message, testing::Not(HasSubstr("\n")));
        }
        overwrite(file, whole);
    }
    EXPECT_GT(opened, 75) << "most damage costs a part, not the trace";
}

} // namespace
} // namespace ddp
