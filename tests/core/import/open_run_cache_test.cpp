// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_run.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using test::writeArchive;

// A run of two ranks and a cache beside it.
class OpenRunCache : public testing::Test {
protected:
    OpenRunCache() {
        for (int rank = 0; rank < 2; ++rank)
            writeArchive(m_run / ("scorep-rank-" + std::to_string(rank)), test::scorepRank(rank, 5));
        m_options.cacheFolder = m_folder.path() / "cache";
    }
    std::shared_ptr<const TraceStore> open() {
        m_progress.total = 0;
        auto store = openRun({m_run}, m_options, {}, m_progress);
        EXPECT_TRUE(store) << store.error().message;
        return store ? *store : nullptr;
    }
    // Only an import announces how many events it expects.
    bool wasImported() const { return m_progress.total > 0; }
    std::vector<fs::path> cached() const {
        std::vector<fs::path> files;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(*m_options.cacheFolder, error))
            files.push_back(entry.path());
        return files;
    }

    TempFolder m_folder;
    fs::path m_run = m_folder.path() / "run";
    OpenOptions m_options;
    Progress m_progress;
};

std::vector<std::string> slicesOf(const TraceStore& store) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < store.locations().size(); ++i)
        for (const SliceLane& lane : store.lanes(LocationId(i)))
            for (std::size_t row = 0; row < lane.size(); ++row)
                all.push_back(store.location(LocationId(i)).name + " " +
                              std::string(store.regionName(lane.region(row))) + " " +
                              std::to_string(lane.begin(row).count) + "-" +
                              std::to_string(lane.end(row).count));
    return all;
}

TEST_F(OpenRunCache, TheSecondTimeReadsNoEventAndSaysTheSame) {
    const auto first = open();
    EXPECT_TRUE(wasImported());
    EXPECT_EQ(cached().size(), 1u);
    const auto second = open();
    EXPECT_FALSE(wasImported());
    EXPECT_EQ(slicesOf(*first), slicesOf(*second));
    EXPECT_FALSE(slicesOf(*second).empty());
    ASSERT_EQ(second->ranks().size(), 2u);
    EXPECT_EQ(first->ranks()[1].clock.offsetNs, second->ranks()[1].clock.offsetNs);
    EXPECT_EQ(first->extent(), second->extent());
}

TEST_F(OpenRunCache, WhatTheArchiveSaysOfTheMeasurementIsKept) {
    auto archive = test::scorepRank(1, 5);
    const std::string longValue(100'000, 'v');
    archive.properties = {{"APP::LONG", longValue}};
    fs::remove_all(m_run / "scorep-rank-1");
    writeArchive(m_run / "scorep-rank-1", archive);
    std::ofstream(m_run / "scorep-rank-1/scorep.cfg") << "SCOREP_CUDA_ENABLE='kernel,sync'\n"
                                                         "SCOREP_TIMER='of the file'\r\n"
                                                         "# SCOREP_NOT=1\nno setting\n=\nEMPTY=\n";
    std::ofstream(m_run / "scorep-rank-0/scorep.cfg") << "A=1\n" << std::string(2 << 20, 'x');
    for (const char* time : {"read", "from the cache"}) {
        SCOPED_TRACE(time);
        const auto store = open();
        ASSERT_TRUE(store);
        const auto& properties = store->ranks()[1].properties;
        EXPECT_EQ(properties.at("APP::LONG"), longValue);
        EXPECT_EQ(properties.at("SCOREP_TIMER"), "of the file");
        EXPECT_EQ(properties.at("SCOREP_CUDA_ENABLE"), "kernel,sync");
        EXPECT_EQ(properties.at("EMPTY"), "");
        EXPECT_FALSE(properties.contains("# SCOREP_NOT"));
        EXPECT_FALSE(properties.contains(""));
        EXPECT_FALSE(store->ranks()[0].properties.contains("A")) << "no settings are that long";
    }
    EXPECT_FALSE(wasImported());
}

TEST_F(OpenRunCache, WhatChangesTheResultIsReadAgain) {
    const auto before = open()->sliceCount();
    fs::remove_all(m_run / "scorep-rank-1");
    writeArchive(m_run / "scorep-rank-1", test::scorepRank(1, 6));
    EXPECT_GT(open()->sliceCount(), before);
    open();
    EXPECT_FALSE(wasImported());
    EXPECT_EQ(cached().size(), 2u);

    std::ofstream(m_run / "scorep-rank-0" / "scorep.cfg") << "SLURM_PROCID=7\n";
    open();
    EXPECT_TRUE(wasImported()) << "settings beside the trace";
    fs::rename(m_run / "scorep-rank-1", m_run / "rank-9");
    EXPECT_EQ(open()->ranks().back().archive, "rank-9") << "the name of a folder";
    EXPECT_TRUE(wasImported());
    const auto whole = open();
    fs::remove(m_run / "rank-9" / "traces" / "0.evt");
    const auto rest = open();
    EXPECT_TRUE(wasImported()) << "a file that is gone";
    EXPECT_LT(rest->eventCount(), whole->eventCount());
}

TEST_F(OpenRunCache, WithoutItNothingIsKept) {
    m_options.cache = false;
    open();
    open();
    EXPECT_TRUE(wasImported());
    EXPECT_FALSE(fs::exists(*m_options.cacheFolder));
}

TEST_F(OpenRunCache, ADamagedFileIsMadeAnew) {
    const auto expected = slicesOf(*open());
    const fs::path file = cached().at(0);
    const auto size = fs::file_size(file);
    for (const std::uintmax_t cut : {std::uintmax_t{0}, std::uintmax_t{70}, size / 2, size - 1}) {
        fs::resize_file(file, cut);
        EXPECT_EQ(slicesOf(*open()), expected);
        EXPECT_TRUE(wasImported());
        EXPECT_EQ(fs::file_size(file), size);
    }
    for (std::uintmax_t at = 0; at < size; at += size / 50) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(at)).put('\x5a');
        bytes.close();
        EXPECT_EQ(slicesOf(*open()), expected) << "byte " << at;
    }
}

TEST_F(OpenRunCache, AFolderThatCanNotBeCreatedIsDoneWithout) {
    m_options.cacheFolder = m_folder.write("a file", "x") / "cache";
    EXPECT_EQ(slicesOf(*open()), slicesOf(*open()));
    EXPECT_TRUE(wasImported());
}

TEST_F(OpenRunCache, StoppedItLeavesNothingBehind) {
    std::stop_source stop;
    stop.request_stop();
    const auto store = openRun({m_run}, m_options, stop.get_token(), m_progress);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(cached().empty());
}

// At every kind of place: while events are read, while the records are merged, while the sums are made.
TEST_F(OpenRunCache, StoppedInTheMiddleItLeavesNothingBehind) {
    using Clock = std::chrono::steady_clock;
    test::GeneratorOptions large;
    large.events = 30'000;
    fs::remove_all(m_run);
    test::generateOtf2(m_run, large);
    const auto began = Clock::now();
    const auto expected = slicesOf(*open());
    const auto whole = Clock::now() - began;
    fs::remove(cached().at(0));
    int inTheMiddle = 0;
    for (int part = 0; part < 16; ++part) {
        std::stop_source stop;
        const std::jthread later([&] {
            std::this_thread::sleep_for(whole * part / 16);
            stop.request_stop();
        });
        Progress progress;
        if (const auto store = openRun({m_run}, m_options, stop.get_token(), progress)) {
            EXPECT_EQ(slicesOf(**store), expected); // it was faster: then it is whole
            fs::remove(cached().at(0));
        } else {
            EXPECT_EQ(store.error().code, ErrorCode::Cancelled);
            EXPECT_TRUE(cached().empty());
            inTheMiddle += progress.done > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(inTheMiddle, 0);
}

TEST_F(OpenRunCache, TwoProgramsMayOpenTheSameAtOnce) {
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            bool right = true;
            for (int round = 0; round < 5; ++round) {
                const auto store = openRun({m_run}, m_options, {}, m_progress);
                right = right && store && (*store)->ranks().size() == 2 && (*store)->verifyColumns({});
            }
            ::_exit(right ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    EXPECT_EQ(cached().size(), 1u);
    open();
    EXPECT_FALSE(wasImported());
}

} // namespace
} // namespace ddp
