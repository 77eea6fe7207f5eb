// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/profile.h"

#include "core/store/trace_builder.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace ddp {
namespace {

// A run that a test puts together; a region is named by its name, its paradigm is that of its first use.
class MadeRun {
public:
    LocationId location(int rank, LocationKind kind = LocationKind::Thread) {
        while (m_builder.rankCount() <= static_cast<std::size_t>(rank)) {
            RankInfo info;
            info.rank = static_cast<int>(m_builder.rankCount());
            m_builder.addRank(info);
        }
        LocationInfo info;
        info.rankIndex = static_cast<std::size_t>(rank);
        info.kind = kind;
        return m_builder.addLocation(info);
    }
    void region(const std::string& name, const std::string& paradigm) {
        m_ids[name] = m_builder.addRegion({name, "", "", paradigm, RegionRole::Other, 0});
    }
    void enter(LocationId location, std::int64_t ns, const std::string& name) {
        m_builder.location(location).enter(ns, id(name));
    }
    void leave(LocationId location, std::int64_t ns, const std::string& name) {
        m_builder.location(location).leave(ns, id(name));
    }
    std::shared_ptr<const TraceStore> freeze() {
        return m_builder.freeze(std::vector<std::int64_t>(m_builder.rankCount()));
    }

private:
    RegionId id(const std::string& name) {
        if (!m_ids.contains(name))
            region(name, "user");
        return m_ids.at(name);
    }
    TraceBuilder m_builder{"otf2"};
    std::map<std::string, RegionId> m_ids;
};

using Numbers = std::tuple<std::uint64_t, std::int64_t, std::int64_t>; // visits, inclusive, exclusive
using Table = std::map<std::string, Numbers>;

TimeRange window(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

Profile profiled(const TraceStore& store, ProfileBy by, std::optional<TimeRange> part = std::nullopt) {
    return flatProfile(store, regionGroups(store, {}), by, part, {});
}

Numbers numbers(const ProfileRow& row) {
    return {row.visits, row.inclusive.count, row.exclusive.count};
}

Table byRegion(const TraceStore& store, std::optional<TimeRange> part = std::nullopt) {
    Table table;
    for (const ProfileRow& row : profiled(store, ProfileBy::Region, part).rows)
        table[std::string(store.regionName(row.region))] = numbers(row);
    return table;
}

std::map<RegionGroup, Numbers> byGroup(const TraceStore& store) {
    std::map<RegionGroup, Numbers> table;
    for (const ProfileRow& row : profiled(store, ProfileBy::Group).rows)
        table[row.group.value()] = numbers(row);
    return table;
}

// main 0-100 { f 10-40 { g 20-30 }, g 50-60 }
std::shared_ptr<const TraceStore> nested() {
    MadeRun run;
    const auto at = run.location(0);
    run.enter(at, 0, "main");
    run.enter(at, 10, "f");
    run.enter(at, 20, "g");
    run.leave(at, 30, "g");
    run.leave(at, 40, "f");
    run.enter(at, 50, "g");
    run.leave(at, 60, "g");
    run.leave(at, 100, "main");
    return run.freeze();
}

TEST(Profile, ExclusiveIsWithoutWhatIsNested) {
    const auto store = nested();
    EXPECT_EQ(byRegion(*store), (Table{{"main", {1, 100, 60}}, {"f", {1, 30, 20}}, {"g", {2, 20, 20}}}));
    const Profile profile = profiled(*store, ProfileBy::Region);
    EXPECT_EQ(numbers(profile.total), Numbers(4, 100, 100));
    EXPECT_EQ(store->regionName(profile.rows.front().region), "main") << "the longest first";
    EXPECT_EQ(profile.window, store->extent());
}

TEST(Profile, RecursionCountsOnceInInclusiveTime) {
    MadeRun run;
    const auto at = run.location(0);
    run.enter(at, 0, "f");
    run.enter(at, 10, "g");
    run.enter(at, 20, "f");
    run.enter(at, 30, "f");
    run.leave(at, 40, "f");
    run.leave(at, 80, "f");
    run.leave(at, 90, "g");
    run.leave(at, 100, "f");
    run.enter(at, 200, "f");
    run.leave(at, 205, "f");
    EXPECT_EQ(byRegion(*run.freeze()), (Table{{"f", {4, 105, 85}}, {"g", {1, 80, 20}}}));
}

TEST(Profile, OverlappingKernelsAreEachAsLongAsTheyAre) {
    MadeRun run;
    const auto at = run.location(0, LocationKind::Stream);
    run.enter(at, 0, "a");
    run.enter(at, 5, "b");
    run.leave(at, 10, "a");
    run.enter(at, 12, "a"); // beside b too
    run.leave(at, 15, "b");
    run.leave(at, 20, "a");
    run.enter(at, 30, "idle");
    run.enter(at, 40, "a"); // inside idle
    run.leave(at, 45, "a");
    run.leave(at, 60, "idle");
    const auto store = run.freeze();
    EXPECT_EQ(byRegion(*store), (Table{{"a", {3, 23, 23}}, {"b", {1, 10, 10}}, {"idle", {1, 30, 25}}}));
    EXPECT_EQ(numbers(profiled(*store, ProfileBy::Location).rows.at(0)), Numbers(5, 58, 58));
}

TEST(Profile, AKernelThatOverlapsItselfIsNoRecursion) {
    MadeRun run;
    const auto at = run.location(0, LocationKind::Stream);
    run.enter(at, 0, "a");
    run.enter(at, 5, "a");
    run.leave(at, 10, "a");
    run.leave(at, 15, "a");
    EXPECT_EQ(byRegion(*run.freeze()), (Table{{"a", {2, 20, 20}}}));
}

TEST(Profile, SlicesAreClippedToTheWindow) {
    const auto store = nested();
    EXPECT_EQ(byRegion(*store, window(15, 25)),
              (Table{{"main", {1, 10, 0}}, {"f", {1, 10, 5}}, {"g", {1, 5, 5}}}));
    // f and the first g end where this window begins, the second g begins where it ends: no time in common.
    EXPECT_EQ(byRegion(*store, window(40, 50)), (Table{{"main", {1, 10, 10}}}));
    EXPECT_EQ(byRegion(*store, window(100, 200)), Table{});
    EXPECT_EQ(byRegion(*store, window(0, 1'000'000)), byRegion(*store));
}

TEST(Profile, ASliceWithoutLengthIsAVisitWhereItLiesInTheWindow) {
    MadeRun run;
    const auto at = run.location(0);
    run.enter(at, 0, "main");
    for (const std::int64_t ns : {0, 10, 20, 30}) {
        run.enter(at, ns, "mark");
        run.leave(at, ns, "mark");
    }
    run.leave(at, 30, "main");
    const auto store = run.freeze();
    EXPECT_EQ(byRegion(*store), (Table{{"main", {1, 30, 30}}, {"mark", {4, 0, 0}}}));
    EXPECT_EQ(byRegion(*store, window(10, 20)), (Table{{"main", {1, 10, 10}}, {"mark", {2, 0, 0}}}));
}

TEST(Profile, LocationsComeRankByRankAndWithoutThoseThatDidNothing) {
    MadeRun run;
    const auto first = run.location(0);
    const auto second = run.location(1);
    run.location(0); // nothing happens here
    const auto third = run.location(0);
    for (const auto at : {first, second, third}) {
        run.enter(at, 0, "f");
        run.leave(at, 10 + static_cast<std::int64_t>(at.value), "f");
    }
    const auto store = run.freeze();
    const Profile profile = profiled(*store, ProfileBy::Location);
    ASSERT_EQ(profile.rows.size(), 3u);
    EXPECT_EQ(profile.rows[0].location, first);
    EXPECT_EQ(profile.rows[1].location, third);
    EXPECT_EQ(profile.rows[2].location, second);
    EXPECT_EQ(numbers(profile.rows[1]), Numbers(1, 13, 13));
    EXPECT_FALSE(profile.rows[1].group);
    EXPECT_FALSE(profile.rows[1].region.valid());
}

// step 0-100 { MPI_Allreduce 10-50 { MPI_Wait 20-30 }, leaf 60-70 { flush 61-62 } }, leaf 110-120
TEST(Profile, GroupsAreThoseOfScorepScore) {
    MadeRun run;
    run.region("MPI_Allreduce", "mpi");
    run.region("MPI_Wait", "mpi");
    run.region("flush", "measurement system");
    run.region("never called", "user");
    const auto at = run.location(0);
    run.enter(at, 0, "step");
    run.enter(at, 10, "MPI_Allreduce");
    run.enter(at, 20, "MPI_Wait");
    run.leave(at, 30, "MPI_Wait");
    run.leave(at, 50, "MPI_Allreduce");
    run.enter(at, 60, "leaf");
    run.enter(at, 61, "flush");
    run.leave(at, 62, "flush");
    run.leave(at, 70, "leaf");
    run.leave(at, 100, "step");
    run.enter(at, 110, "leaf");
    run.leave(at, 120, "leaf");
    const auto store = run.freeze();
    EXPECT_EQ(byGroup(*store), (std::map<RegionGroup, Numbers>{
                                   {RegionGroup::Mpi, {2, 40, 40}},
                                   {RegionGroup::Communicating, {1, 100, 50}},
                                   {RegionGroup::User, {2, 20, 19}}, // the tracer is no communication
                                   {RegionGroup::Measurement, {1, 1, 1}},
                               }));
}

TEST(Profile, WithoutAParadigmTheNameDecides) {
    MadeRun run;
    const std::map<std::string, RegionGroup> expected{{"MPI_Init", RegionGroup::Mpi},
                                                      {"gloo:all_reduce", RegionGroup::Gloo},
                                                      {"cuLaunchKernel", RegionGroup::Cuda},
                                                      {"cudaMalloc", RegionGroup::Cuda},
                                                      {"clFinish", RegionGroup::OpenCl},
                                                      {"cut", RegionGroup::User},
                                                      {"cu", RegionGroup::User},
                                                      {"close", RegionGroup::User},
                                                      {"pthread_create", RegionGroup::Pthread},
                                                      {"!$omp parallel", RegionGroup::OpenMp}};
    for (const auto& [name, group] : expected)
        run.region(name, "unknown");
    run.region("cudaMalloc of a user", "user");
    const auto store = run.freeze();
    const auto groups = regionGroups(*store, {});
    for (std::size_t i = 0; i < store->regionCount(); ++i) {
        const std::string name(store->regionName(RegionId(i)));
        EXPECT_EQ(groups[i], expected.contains(name) ? expected.at(name) : RegionGroup::User) << name;
    }
}

TEST(Profile, AnEmptyRunHasNoRows) {
    const auto store = MadeRun().freeze();
    for (const auto by : {ProfileBy::Region, ProfileBy::Group, ProfileBy::Location})
        EXPECT_TRUE(profiled(*store, by).rows.empty());
}

TEST(Profile, SumsBeyond64BitsAreTheLargestNumber) {
    MadeRun run;
    for (int i = 0; i < 3; ++i) {
        const auto at = run.location(0);
        run.enter(at, 0, "f");
        run.leave(at, (std::int64_t{1} << 62) - 1, "f");
    }
    EXPECT_EQ(byRegion(*run.freeze()), (Table{{"f", {3, INT64_MAX, INT64_MAX}}}));
}

// Random runs against the definitions, taken literally: every slice looks up its whole line of parents.
class RandomProfile : public testing::TestWithParam<unsigned> {
protected:
    void nest(MadeRun& run, LocationId at, std::int64_t& now, int depth) {
        for (int i = number(0, 4); i > 0; --i) {
            now += number(0, 3);
            const std::string name(1, static_cast<char>('a' + number(0, 7)));
            run.enter(at, now, name);
            now += number(0, 3);
            if (depth < 5)
                nest(run, at, now, depth + 1);
            run.leave(at, now, name);
        }
    }

    void overlap(MadeRun& run, LocationId at) {
        std::vector<std::string> open;
        std::int64_t now = 0;
        for (int i = 0; i < 60; ++i) {
            now += number(0, 3);
            if (open.empty() || (open.size() < 5 && number(0, 1) == 0)) {
                open.emplace_back(1, static_cast<char>('a' + number(0, 7)));
                run.enter(at, now, open.back());
            } else {
                const auto which = open.begin() + number(0, static_cast<int>(open.size()) - 1);
                run.leave(at, now, *which);
                open.erase(which);
            }
        }
        for (const std::string& name : open)
            run.leave(at, now + 1, name);
    }

    std::shared_ptr<const TraceStore> makeRun() {
        MadeRun run;
        run.region("a", "cuda");
        run.region("b", "mpi");
        for (int i = 0; i < 3; ++i) {
            std::int64_t now = number(0, 5);
            nest(run, run.location(i % 2), now, 0);
            overlap(run, run.location(i % 2, LocationKind::Stream));
        }
        return run.freeze();
    }

    int number(int low, int high) { return std::uniform_int_distribution(low, high)(m_random); }

    std::mt19937 m_random{GetParam()};
};

class Literal {
public:
    Literal(const TraceStore& store, TimeRange part) : m_store(store), m_part(part) {}

    template <class Key>
    std::map<Key, Numbers> sums(const std::function<Key(LocationId, RegionId)>& keyOf) const {
        std::map<Key, Numbers> table;
        for (std::size_t l = 0; l < m_store.locations().size(); ++l)
            forEach(LocationId(l), [&](std::size_t lane, std::size_t row) {
                const LocationId at(l);
                const auto key = keyOf(at, region(at, lane, row));
                auto& [visits, inclusive, exclusive] = table[key];
                visits += isVisit(at, lane, row) ? 1 : 0;
                exclusive += length(at, lane, row) - lengthOfChildren(at, lane, row);
                bool outermost = true;
                for (auto up = parentOf(at, lane, row); up; up = parentOf(at, up->first, up->second))
                    outermost = outermost && keyOf(at, region(at, up->first, up->second)) != key;
                inclusive += outermost ? length(at, lane, row) : 0;
            });
        std::erase_if(table, [](const auto& entry) { return std::get<0>(entry.second) == 0; });
        return table;
    }

    // The groups of paradigms are known; user regions with one of them below are COM.
    std::vector<RegionGroup> groups() const {
        std::vector<RegionGroup> all;
        for (std::size_t i = 0; i < m_store.regionCount(); ++i)
            all.push_back(m_store.text(m_store.region(RegionId(i)).paradigm) == "cuda"  ? RegionGroup::Cuda
                          : m_store.text(m_store.region(RegionId(i)).paradigm) == "mpi" ? RegionGroup::Mpi
                                                                                        : RegionGroup::User);
        for (std::size_t l = 0; l < m_store.locations().size(); ++l)
            forEach(LocationId(l), [&](std::size_t lane, std::size_t row) {
                const LocationId at(l);
                const RegionGroup own = all[region(at, lane, row).index()];
                if (own != RegionGroup::Cuda && own != RegionGroup::Mpi)
                    return;
                for (auto up = parentOf(at, lane, row); up; up = parentOf(at, up->first, up->second))
                    if (auto& group = all[region(at, up->first, up->second).index()];
                        group == RegionGroup::User)
                        group = RegionGroup::Communicating;
            });
        return all;
    }

private:
    using Place = std::optional<std::pair<std::size_t, std::size_t>>; // lane, row

    void forEach(LocationId at, const std::function<void(std::size_t, std::size_t)>& visit) const {
        for (std::size_t lane = 0; lane < m_store.lanes(at).size(); ++lane)
            for (std::size_t row = 0; row < m_store.lanes(at)[lane].size(); ++row)
                visit(lane, row);
    }
    RegionId region(LocationId at, std::size_t lane, std::size_t row) const {
        return m_store.lanes(at)[lane].region(row);
    }
    Place parentOf(LocationId at, std::size_t lane, std::size_t row) const {
        const auto parent = m_store.lanes(at)[lane].parent(row);
        return parent ? Place({lane - 1, *parent}) : std::nullopt;
    }
    std::int64_t length(LocationId at, std::size_t lane, std::size_t row) const {
        const SliceLane& slices = m_store.lanes(at)[lane];
        const auto common = std::min(slices.end(row), m_part.end) - std::max(slices.begin(row), m_part.begin);
        return common.count > 0 ? common.count : 0;
    }
    bool isVisit(LocationId at, std::size_t lane, std::size_t row) const {
        const Nanoseconds begin = m_store.lanes(at)[lane].begin(row);
        return begin == m_store.lanes(at)[lane].end(row) ? m_part.begin <= begin && begin <= m_part.end
                                                         : length(at, lane, row) > 0;
    }
    std::int64_t lengthOfChildren(LocationId at, std::size_t lane, std::size_t row) const {
        std::int64_t sum = 0;
        if (lane + 1 < m_store.lanes(at).size())
            for (std::size_t i = 0; i < m_store.lanes(at)[lane + 1].size(); ++i)
                sum += m_store.lanes(at)[lane + 1].parent(i) == row ? length(at, lane + 1, i) : 0;
        return sum;
    }

    const TraceStore& m_store;
    TimeRange m_part;
};

TEST_P(RandomProfile, IsWhatTheDefinitionsSay) {
    const auto store = makeRun();
    const TimeRange all = store->extent();
    const int middle = number(0, static_cast<int>(all.end.count));
    const int end = number(middle, static_cast<int>(all.end.count));
    for (const TimeRange part : {all, window(middle, end)}) {
        const Literal literal(*store, part);
        const auto groups = literal.groups();
        ASSERT_EQ(regionGroups(*store, {}), groups);
        std::map<RegionId, Numbers> regions;
        for (const ProfileRow& row : flatProfile(*store, groups, ProfileBy::Region, part, {}).rows) {
            regions[row.region] = numbers(row);
            EXPECT_EQ(row.group, groups[row.region.index()]);
        }
        EXPECT_EQ(regions, literal.sums<RegionId>([](LocationId, RegionId id) { return id; }));
        std::map<RegionGroup, Numbers> grouped;
        for (const ProfileRow& row : flatProfile(*store, groups, ProfileBy::Group, part, {}).rows)
            grouped[row.group.value()] = numbers(row);
        EXPECT_EQ(grouped,
                  literal.sums<RegionGroup>([&](LocationId, RegionId id) { return groups[id.index()]; }));
        std::map<LocationId, Numbers> places;
        for (const ProfileRow& row : flatProfile(*store, groups, ProfileBy::Location, part, {}).rows)
            places[row.location] = numbers(row);
        EXPECT_EQ(places, literal.sums<LocationId>([](LocationId at, RegionId) { return at; }));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProfile, testing::Range(0u, 40u));

} // namespace
} // namespace ddp
