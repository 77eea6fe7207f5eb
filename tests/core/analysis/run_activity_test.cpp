// SPDX-License-Identifier: GPL-3.0-or-later
// The activity of a run as it comes from the store file, or is made for other classes: against a sweep over
// the slices themselves, also when other clocks are laid on the run.
#include "core/analysis/run_activity.h"

#include "core/analysis/classify.h"
#include "core/import/open_run.h"
#include "tests/core/analysis/device_sweep.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

using test::numbers;
using test::Piece;
using test::piecesIn;
using test::sweep;

// Ordered and not overlapping; what lies between two neighbours is the same everywhere in it, and all of the
// work is in them.
void expectStretches(const RunActivity& activity, std::size_t device, const std::vector<Piece>& pieces,
                     TimeRange window) {
    const auto stateAt = [&](std::int64_t ns) {
        unsigned state = 0;
        for (const Piece& piece : pieces)
            if (piece.begin <= ns && ns < piece.end)
                state |= 1u << static_cast<unsigned>(piece.work);
        return state;
    };
    std::int64_t last = INT64_MIN;
    std::int64_t work = 0;
    activity.forEachStretch(device, window, [&](TimeRange stretch, unsigned state) {
        EXPECT_GE(stretch.begin.count, last);
        last = stretch.end.count;
        const TimeRange in = stretch.clippedTo(window);
        ASSERT_FALSE(in.empty());
        EXPECT_EQ(state, stateAt(in.begin.count));
        EXPECT_EQ(state, stateAt(in.end.count - 1));
        work += state != 0 ? in.length().count : 0;
    });
    EXPECT_EQ(work, window.length().count - activity.over(device, window).idle.count);
}

void expectColumns(const RunActivity& activity, std::size_t device, TimeRange window, std::size_t count) {
    std::vector<WindowActivity> columns(3);
    activity.columns(device, window, count, columns);
    ASSERT_EQ(columns.size(), window.empty() ? 0 : count);
    Nanoseconds edge = window.begin;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const TimeRange column = columnOf(window, count, i);
        EXPECT_EQ(column.begin, edge);
        edge = column.end;
        EXPECT_EQ(numbers(columns[i]), numbers(activity.over(device, column)));
    }
    EXPECT_TRUE(window.empty() || edge == window.end);
}

void expectRight(const std::shared_ptr<const TraceStore>& store, const RunActivity& activity,
                 std::mt19937& random) {
    const TimeRange whole = store->extent();
    ASSERT_FALSE(activity.devices().empty());
    for (std::size_t d = 0; d < activity.devices().size(); ++d)
        for (int n = 0; n < 12; ++n) {
            std::uniform_int_distribution<std::int64_t> any(whole.begin.count - 5, whole.end.count + 5);
            std::int64_t from = any(random);
            std::int64_t to = n == 0 ? from : any(random);
            if (from > to)
                std::swap(from, to);
            const TimeRange window = n == 1 ? whole : TimeRange{Nanoseconds(from), Nanoseconds(to)};
            const auto pieces = piecesIn(*store, activity.devices()[d], activity.classes(), window);
            const WindowActivity got = activity.over(d, window);
            EXPECT_EQ(numbers(got), numbers(window.empty() ? WindowActivity() : sweep(pieces, window)))
                << "device " << d << ", window " << window.begin.count << " to " << window.end.count;
            EXPECT_EQ((got.compute + got.exposed + got.exposedMemory + got.idle).count,
                      window.length().count);
            EXPECT_EQ(activity.sumsOver(d, window).sumNs, test::summed(pieces));
            expectStretches(activity, d, pieces, window);
            expectColumns(activity, d, window, 1 + random() % 300);
        }
}

class RunActivityOfSet : public testing::TestWithParam<std::uint64_t> {
protected:
    std::shared_ptr<const TraceStore> open() {
        Progress progress;
        auto store =
            openRun({m_folder.path() / "set"}, {.cacheFolder = m_folder.path() / "cache"}, {}, progress);
        EXPECT_TRUE(store) << store.error().message;
        return store.value_or(nullptr);
    }
    void SetUp() override {
        test::GeneratorOptions options;
        options.seed = GetParam();
        options.ranks = 3;
        options.hosts = 2;
        options.events = 1'500;
        options.wallClock = GetParam() % 2 == 0;
        generateOtf2(m_folder.path() / "set", options);
    }
    test::TempFolder m_folder;
    std::mt19937 m_random{static_cast<std::uint32_t>(GetParam())};
};

TEST_P(RunActivityOfSet, IsKeptInTheFileForTheBuiltinRules) {
    for (const char* time : {"read", "from the cache"}) {
        SCOPED_TRACE(time);
        const auto store = open();
        ASSERT_TRUE(store);
        EXPECT_TRUE(store->file().has(SectionId("ACTF")));
        const auto classes = classify(*store, ClassRules::builtin()).classes;
        EXPECT_TRUE(std::ranges::count(classes.onStream, WorkClass::Communication) > 0);
        expectRight(store, *RunActivity::of(store, classes), m_random);
    }
}

TEST_P(RunActivityOfSet, IsMadeAnewForOtherClasses) {
    const auto store = open();
    ASSERT_TRUE(store);
    WorkClasses classes = classify(*store, ClassRules::builtin()).classes;
    for (WorkClass& work : classes.onStream)
        work = static_cast<WorkClass>(m_random() % 5);
    expectRight(store, *RunActivity::of(store, classes), m_random);
}

TEST_P(RunActivityOfSet, FollowsTheClocks) {
    const auto store = open();
    ASSERT_TRUE(store);
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : store->ranks()) {
        clocks.push_back(rank.clock);
        clocks.back().offsetNs += static_cast<std::int64_t>(m_random() % 1'000'000);
    }
    const auto moved = store->withClocks(clocks);
    const auto activity = RunActivity::of(moved, classify(*moved, ClassRules::builtin()).classes);
    expectRight(moved, *activity, m_random);
}

TEST_P(RunActivityOfSet, HasColumnsByClocksThatDrift) {
    const auto store = open();
    ASSERT_TRUE(store);
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : store->ranks()) {
        clocks.push_back(rank.clock);
        clocks.back().driftPpm = static_cast<double>(m_random() % 100'000) / 100 - 500;
    }
    const auto moved = store->withClocks(clocks);
    const auto activity = RunActivity::of(moved, classify(*moved, ClassRules::builtin()).classes);
    const TimeRange whole = moved->extent();
    const Nanoseconds eighth(whole.length().count / 8);
    for (std::size_t d = 0; d < activity->devices().size(); ++d)
        for (const std::size_t count : {1, 7, 1000, 4000}) {
            expectColumns(*activity, d, whole, count);
            expectColumns(*activity, d, {whole.begin + eighth, whole.end - eighth}, count);
            expectColumns(*activity, d, {whole.end - eighth, whole.end + whole.length()}, count);
        }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RunActivityOfSet, testing::Range<std::uint64_t>(1, 5));

} // namespace
} // namespace ddp
