// SPDX-License-Identifier: GPL-3.0-or-later
// Input that is as large, as strange or as broken as a file can be: cuts at every byte, flips anywhere,
// foreign and contradicting definitions, very many locations and regions.
#include "core/import/open_run.h"
#include "tests/support/otf2_definitions.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/small_random.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::Record;
using test::SmallRandom;
using test::TempFolder;
using testing::HasSubstr;

Result<std::shared_ptr<const TraceStore>> tryOpen(const fs::path& path) {
    Progress progress;
    return openRun({path}, {}, progress);
}

std::string content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
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

std::vector<std::string> issueNames(const TraceStore& store) {
    std::vector<std::string> names;
    for (const ImportIssue& issue : store.issues())
        names.push_back(issue.name);
    return names;
}

class HardInput : public testing::Test {
protected:
    void SetUp() override { testing::internal::CaptureStderr(); }
    void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

    // A small run of one rank, six locations.
    test::Truth generate() {
        test::GeneratorOptions options;
        options.ranks = 1;
        options.events = 300;
        options.chunkBytes = 256 << 10;
        return test::generateOtf2(m_folder.path(), options);
    }

    std::vector<std::pair<fs::path, std::string>> files() const {
        std::vector<std::pair<fs::path, std::string>> all;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
            if (entry.is_regular_file())
                all.emplace_back(entry.path(), content(entry.path()));
        std::sort(all.begin(), all.end());
        return all;
    }

    TempFolder m_folder;
};

std::uint64_t eventsOf(const TraceStore& store, const std::string& location) {
    for (const LocationInfo& info : store.locations())
        if (info.name == location)
            return info.events;
    return UINT64_MAX;
}

TEST_F(HardInput, AnEventsFileCutAtAnyByteLosesOnlyItsOwnEnd) {
    const test::Truth truth = generate();
    for (const test::TruthLocation& location : truth.locations) {
        const fs::path file =
            m_folder.path() / "scorep-rank-0/traces" / (std::to_string(location.id) + ".evt");
        const std::string whole = content(file);
        std::uint64_t before = 0;
        for (std::size_t size = 0; size + 1 < whole.size(); size += 1 + whole.size() / 50) {
            overwrite(file, whole.substr(0, size));
            const auto store = tryOpen(m_folder.path());
            ASSERT_TRUE(store) << store.error().message;
            const ImportIssue* issue = find(**store, "damaged_events_file");
            ASSERT_TRUE(issue) << file << " cut at " << size;
            EXPECT_EQ(issue->location, location.name);
            for (const test::TruthLocation& other : truth.locations) {
                if (other.id != location.id) {
                    EXPECT_EQ(eventsOf(**store, other.name), other.events()) << "cut at " << size;
                }
            }
            // More of the file is never fewer events.
            const std::uint64_t events = eventsOf(**store, location.name);
            EXPECT_GE(events, before);
            EXPECT_LE(events, location.events());
            before = events;
        }
        EXPECT_GE(before, location.events() * 9 / 10) << "nearly all stand before the last cut";
        overwrite(file, whole);
    }
}

TEST_F(HardInput, AnyOtherFileCutAtAnyByteIsALossOrOneSentence) {
    const test::Truth truth = generate();
    for (const auto& [file, whole] : files()) {
        if (file.extension() == ".evt")
            continue;
        for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 100) {
            overwrite(file, whole.substr(0, size));
            const auto store = tryOpen(m_folder.path());
            const bool settings = file.extension() == ".cfg";
            if (!store) {
                EXPECT_THAT(store.error().message, HasSubstr("traces."));
                EXPECT_FALSE(settings) << "nobody needs that file";
            } else if (!settings && size + 2 < whole.size()) { // nobody reads the last two bytes of an anchor
                EXPECT_FALSE((*store)->issues().empty()) << file << " cut at " << size;
            }
        }
        overwrite(file, whole);
    }
}

TEST_F(HardInput, AnyFlippedByteOfAScorepRunComesBackInTime) {
    generate();
    const auto all = files();
    SmallRandom random(7);
    int opened = 0;
    for (int round = 0; round < 200; ++round) {
        const auto& [file, whole] =
            all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())))];
        std::string bytes = whole;
        for (std::int64_t flips = 1 + random.below(4); flips > 0; --flips)
            bytes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(bytes.size())))] ^=
                static_cast<char>(1 << random.below(8));
        overwrite(file, bytes);
        const auto begin = std::chrono::steady_clock::now();
        const auto store = tryOpen(m_folder.path());
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10))
            << file << " round " << round;
        opened += store ? 1 : 0;
        overwrite(file, whole);
    }
    EXPECT_GT(opened, 120);
}

TEST_F(HardInput, TheAnchorOfAnotherArchiveIsNoReasonToCrash) {
    const test::Truth truth = generate();
    test::writeArchive(m_folder.path() / "other", test::plainArchive(0, 10));
    fs::copy_file(m_folder.path() / "other/traces.otf2", m_folder.path() / "scorep-rank-0/traces.otf2",
                  fs::copy_options::overwrite_existing);
    fs::remove_all(m_folder.path() / "other");
    const auto store = tryOpen(m_folder.path());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->eventCount(), truth.events());
}

std::ptrdiff_t openFiles() {
    const fs::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

// libotf2 would refuse both, and leave the file open. Found by fuzzing.
TEST_F(HardInput, AnAnchorThatLibotf2WouldRefuseIsRefusedBefore) {
    auto archive = test::plainArchive(0, 10);
    archive.properties = {{"FIRST::NAME", "1"}, {"OTHER::NAME", "2"}};
    const fs::path anchor = test::writeArchive(m_folder.path(), archive);
    const std::string whole = content(anchor);
    ASSERT_TRUE(tryOpen(anchor));
    const auto before = openFiles();

    std::string twice = whole;
    twice.replace(twice.find("OTHER::NAME"), 11, "FIRST::NAME");
    std::string endless = whole;
    endless[9] = 0;                  // the major version, which the layout does not depend on
    endless[endless.size() - 3] = 1; // where the file has to end
    for (const std::string& bytes : {twice, endless}) {
        overwrite(anchor, bytes);
        const auto store = tryOpen(anchor);
        ASSERT_FALSE(store);
        EXPECT_THAT(store.error().message, HasSubstr("damaged OTF2 anchor file"));
        EXPECT_EQ(openFiles(), before);
    }
}

// The ticks of an events file, in their order: records of type 5 and eight bytes, the others have a length.
std::vector<std::size_t> placesOfTicks(const std::string& bytes) {
    std::vector<std::size_t> places;
    for (std::size_t at = 18; at + 9 < bytes.size() && bytes[at] != 2;) {
        if (bytes[at] == 5) {
            places.push_back(at + 1);
            at += 9;
        } else {
            at += 2 + static_cast<unsigned char>(bytes[at + 1]);
        }
    }
    return places;
}

void setTick(std::string& bytes, std::size_t place, std::uint64_t tick) {
    std::memcpy(bytes.data() + place, &tick, sizeof tick);
}

constexpr std::uint64_t kBase = 1'000'000'000;

// main from kBase + 1,000 to 9,000 with ten short regions in it, at ticks that the test then changes.
fs::path writeTicks(const fs::path& folder,
                    const std::function<void(std::string&, const std::vector<std::size_t>&)>& change,
                    std::uint64_t traceLength = 8'000) {
    auto archive = test::plainArchive(kBase + 1'000, kBase + 9'000);
    archive.traceLength = traceLength;
    archive.regions.push_back({"inner", "main.cpp"});
    auto& events = archive.locations[0].events;
    for (std::uint64_t i = 0; i < 10; ++i)
        events.insert(events.end() - 1, {{Record::Enter, kBase + 2'000 + 100 * i, 1},
                                         {Record::Leave, kBase + 2'050 + 100 * i, 1}});
    const fs::path anchor = test::writeArchive(folder, archive);
    const fs::path file = folder / "traces/0.evt";
    std::string bytes = content(file);
    const auto places = placesOfTicks(bytes);
    EXPECT_EQ(places.size(), 22u);
    change(bytes, places);
    overwrite(file, bytes);
    return anchor;
}

TEST_F(HardInput, TimesThatGoBackwardsAreTakenAsEqualAndCounted) {
    const auto store = tryOpen(writeTicks(m_folder.path(), [](std::string& bytes, const auto& places) {
        setTick(bytes, places[5], kBase + 1'500);  // a begin before the end in front of it
        setTick(bytes, places[12], kBase + 1'001); // and an end before its own begin
    }));
    ASSERT_TRUE(store) << store.error().message;
    const ImportIssue* issue = find(**store, "backward_time");
    ASSERT_TRUE(issue) << testing::PrintToString(issueNames(**store));
    EXPECT_EQ(issue->count, 2u);
    EXPECT_EQ((*store)->sliceCount(), 11u);
    for (const SliceLane& lane : (*store)->lanes(LocationId(0)))
        for (std::size_t i = 0; i < lane.size(); ++i)
            EXPECT_LE(lane.begin(i), lane.end(i));
}

TEST_F(HardInput, TicksOfAnySizeAreDroppedOrKeptInRange) {
    for (const std::uint64_t tick :
         {std::uint64_t{0}, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, UINT64_MAX}) {
        const auto folder = m_folder.path() / std::to_string(tick);
        const auto change = [&](std::string& bytes, const auto& places) { setTick(bytes, places[10], tick); };
        const auto known = tryOpen(writeTicks(folder / "known", change));
        ASSERT_TRUE(known) << known.error().message;
        EXPECT_TRUE(find(**known, "events_outside_time_range")) << tick;
        EXPECT_EQ((*known)->extent().length(), Nanoseconds(8'000));
        // Without a range to compare with, any time may be right.
        const auto unknown = tryOpen(writeTicks(folder / "unknown", change, 0));
        ASSERT_TRUE(unknown) << unknown.error().message;
        EXPECT_EQ((*unknown)->eventCount(), 22u);
        EXPECT_GE((*unknown)->extent().length(), Nanoseconds(8'000));
    }
}

TEST_F(HardInput, HugeDeclaredCountsAskForNoMemory) {
    auto archive = test::plainArchive(0, 10);
    for (const std::uint64_t declared : {std::uint64_t{1} << 63, UINT64_MAX, std::uint64_t{1} << 40}) {
        archive.locations[0].declaredEvents = declared;
        const auto store = tryOpen(test::writeArchive(m_folder.path() / std::to_string(declared), archive));
        ASSERT_TRUE(store) << store.error().message;
        EXPECT_EQ((*store)->eventCount(), 2u);
        ASSERT_TRUE(find(**store, "events_missing"));
        EXPECT_EQ(find(**store, "events_missing")->count, declared - 2);
    }
}

// An archive of one location whose definitions are written by the test.
fs::path writeDefinedBy(const fs::path& folder, const std::function<void(OTF2_GlobalDefWriter*)>& define) {
    fs::create_directories(folder);
    OTF2_Archive* archive = test::openArchive(folder, 256 << 10);
    test::check(OTF2_Archive_OpenEvtFiles(archive));
    OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter(archive, 0);
    test::check(OTF2_EvtWriter_Enter(events, nullptr, 10, 0));
    test::check(OTF2_EvtWriter_Leave(events, nullptr, 20, 0));
    test::check(OTF2_Archive_CloseEvtWriter(archive, events));
    test::check(OTF2_Archive_CloseEvtFiles(archive));
    test::check(OTF2_Archive_OpenDefFiles(archive));
    test::check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, 0)));
    test::check(OTF2_Archive_CloseDefFiles(archive));
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive);
    define(writer);
    test::check(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
    test::check(OTF2_Archive_Close(archive));
    return folder / "traces.otf2";
}

void writeRegion(OTF2_GlobalDefWriter* writer, OTF2_RegionRef id, OTF2_StringRef name) {
    test::check(OTF2_GlobalDefWriter_WriteRegion(writer, id, name, name, name, OTF2_REGION_ROLE_FUNCTION,
                                                 OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, name, 1, 2));
}

void writeTree(OTF2_GlobalDefWriter* writer) {
    test::check(
        OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, 10, 10, OTF2_UNDEFINED_TIMESTAMP));
    test::check(OTF2_GlobalDefWriter_WriteString(writer, 0, "first"));
    test::check(OTF2_GlobalDefWriter_WriteString(writer, 1, "second"));
    test::check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    test::check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                        OTF2_UNDEFINED_LOCATION_GROUP));
}

TEST_F(HardInput, OfDuplicatedDefinitionsTheFirstCounts) {
    const auto store = tryOpen(writeDefinedBy(m_folder.path(), [](OTF2_GlobalDefWriter* writer) {
        writeTree(writer);
        test::check(OTF2_GlobalDefWriter_WriteString(writer, 0, "other"));
        writeRegion(writer, 0, 0);
        writeRegion(writer, 0, 1);
        for (int i = 0; i < 2; ++i)
            test::check(
                OTF2_GlobalDefWriter_WriteLocation(writer, 0, 1, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0));
        test::check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, 0));
        test::check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                            OTF2_UNDEFINED_LOCATION_GROUP));
    }));
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->ranks().size(), 1u);
    EXPECT_EQ((*store)->locations().size(), 1u);
    EXPECT_EQ((*store)->sliceCount(), 1u);
    EXPECT_EQ((*store)->regionName((*store)->lanes(LocationId(0))[0].region(0)), "first");
    ASSERT_TRUE(find(**store, "duplicate_definition"));
    EXPECT_EQ(find(**store, "duplicate_definition")->count, 5u);
}

TEST_F(HardInput, DefinitionsThatReferToNothingKeepTheirEvents) {
    const auto store = tryOpen(writeDefinedBy(m_folder.path(), [](OTF2_GlobalDefWriter* writer) {
        test::check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 90, 91, 92));
        test::check(
            OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 93, OTF2_LOCATION_GROUP_TYPE_PROCESS, 94, 95));
        test::check(OTF2_GlobalDefWriter_WriteLocation(writer, 0, 96, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 97));
        writeRegion(writer, 0, 98);
    }));
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->sliceCount(), 1u);
    EXPECT_THAT((*store)->regionName((*store)->lanes(LocationId(0))[0].region(0)),
                HasSubstr("without a name"));
    ASSERT_TRUE(find(**store, "undefined_reference"));
    EXPECT_TRUE(find(**store, "no_clock"));
}

TEST_F(HardInput, ATreeThatBitesItsTailHasNoHost) {
    const auto store = tryOpen(writeDefinedBy(m_folder.path(), [](OTF2_GlobalDefWriter* writer) {
        test::check(OTF2_GlobalDefWriter_WriteString(writer, 0, "x"));
        test::check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, 1));
        test::check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1, 0, 0, 0));
        test::check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 0,
                                                            OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0, 0));
        test::check(
            OTF2_GlobalDefWriter_WriteLocation(writer, 0, 0, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 2, 0));
        writeRegion(writer, 0, 0);
    }));
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*store)->sliceCount(), 1u);
    EXPECT_EQ((*store)->ranks()[0].host, std::nullopt);
}

TEST_F(HardInput, AFolderThatMayNotBeWrittenIsOpenedAllTheSame) {
    generate();
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
        fs::permissions(entry.path(), entry.is_directory() ? fs::perms{0555} : fs::perms{0444});
    fs::permissions(m_folder.path(), fs::perms{0555});
    constexpr uid_t kNobody = 65534; // root may write everywhere
    const bool root = geteuid() == 0;
    ASSERT_TRUE(!root || seteuid(kNobody) == 0);
    const auto store = tryOpen(m_folder.path());
    ASSERT_TRUE(!root || seteuid(0) == 0);
    fs::permissions(m_folder.path(), fs::perms{0755});
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
        fs::permissions(entry.path(), fs::perms{0755});
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_THAT(issueNames(**store), testing::IsEmpty());
}

} // namespace
} // namespace ddp
