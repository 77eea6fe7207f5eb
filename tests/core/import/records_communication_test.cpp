// SPDX-License-Identifier: GPL-3.0-or-later
// Messages, collective operations, sampled stacks and markers, written by libotf2 and read back; the expected
// values are those that were written.
#include "tests/core/import/records_fixture.h"

#include "core/import/otf2/calling_contexts.h"

#include <filesystem>

namespace ddp {
namespace {

using test::check;
using test::enter;
using test::leave;
using test::RawArchive;
using test::Records;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Communication : public Records {
protected:
    // "sender@t>receiver@t communicator tag bytes"
    std::vector<std::string> messages() const {
        std::vector<std::string> all;
        for (const Message& message : m_store->records().messages())
            all.push_back(m_store->location(message.sender).name + "@" +
                          std::to_string(m_store->time(message.sender, message.sendNs).count) + ">" +
                          m_store->location(message.receiver).name + "@" +
                          std::to_string(m_store->time(message.receiver, message.receiveNs).count) + " " +
                          text(m_store->records().communicator(message.communicator).name) + " " +
                          std::to_string(message.tag) + " " + std::to_string(message.bytes));
        return all;
    }

    // "OPERATION[begin,end) communicator root sent received lane.row"
    std::vector<std::string> collectives(LocationId location) const {
        std::vector<std::string> all;
        for (const Collective& row : m_store->records().collectives(location)) {
            const std::string comm =
                row.communicator.valid() ? text(m_store->records().communicator(row.communicator).name) : "-";
            all.push_back(
                text(row.operation) + "[" + std::to_string(m_store->time(location, row.beginNs).count) + "," +
                std::to_string(m_store->time(location, row.endNs).count) + ") " + comm + " " +
                (row.root == Collective::kNoRoot ? "-" : std::to_string(row.root)) + " " +
                std::to_string(row.bytesSent) + " " + std::to_string(row.bytesReceived) + " " +
                (row.slice.valid() ? std::to_string(row.slice.lane) + "." + std::to_string(row.slice.row)
                                   : "-") +
                (row.nonBlocking ? " non-blocking" : ""));
        }
        return all;
    }
};

constexpr OTF2_CommRef kWorld = 1;

// Rank 0 of the communicator is thread 20, rank 1 is thread 10: not the order of their numbers.
void defineWorld(RawArchive& out) {
    out.communicator(kWorld, "WORLD", {20, 10});
}

TEST_F(Communication, MessagesAreMatchedInTheOrderOfEachChannel) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(10, [](OTF2_EvtWriter* writer) { // rank 1
        enter(writer, 0, 0);
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 10, 0, kWorld, 7, 100));
        check(OTF2_EvtWriter_MpiIsend(writer, nullptr, 20, 0, kWorld, 8, 200, 55));
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 30, 0, kWorld, 7, 300));
        check(OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, 35, 55));
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 40, 1, kWorld, 7, 400)); // to itself
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 45, 1, kWorld, 7, 400));
        leave(writer, 100, 0);
    });
    archive.thread(20, [](OTF2_EvtWriter* writer) { // rank 0
        enter(writer, 1, 0);
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 60, 1, kWorld, 8, 200)); // sent second
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 61, 1, kWorld, 7, 100));
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 62, 1, kWorld, 7, 300));
        leave(writer, 101, 0);
    });
    open(archive, defineWorld);
    EXPECT_THAT(issues(), IsEmpty());
    EXPECT_THAT(messages(),
                ElementsAre("thread 10@10>thread 20@61 WORLD 7 100", "thread 10@20>thread 20@60 WORLD 8 200",
                            "thread 10@30>thread 20@62 WORLD 7 300",
                            "thread 10@40>thread 10@45 WORLD 7 400"));
    const auto communicators = m_store->records().communicators();
    ASSERT_EQ(communicators.size(), 1u);
    EXPECT_THAT(m_store->records().members(communicators[0]), ElementsAre(1, 0)) << "rank indices";
}

// What was asked for first gets the first message, however late it is complete.
TEST_F(Communication, NonBlockingReceivesAreMatchedByTheirRequest) {
    RawArchive archive(m_folder.path());
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        for (std::uint64_t i = 0; i < 3; ++i)
            check(OTF2_EvtWriter_MpiSend(writer, nullptr, 10 * i, 0, kWorld, 0, i));
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 35, 0, kWorld, 4, 9));
    });
    archive.thread(20, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, 1, 71));
        check(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, 2, 72));
        check(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, 3, 73));
        check(OTF2_EvtWriter_MpiRequestCancelled(writer, nullptr, 4, 73));
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 40, 1, kWorld, 0, 2));
        check(OTF2_EvtWriter_MpiIrecv(writer, nullptr, 50, 1, kWorld, 0, 1, 72));
        check(OTF2_EvtWriter_MpiIrecv(writer, nullptr, 60, 1, kWorld, 0, 0, 71));
        check(OTF2_EvtWriter_MpiIrecv(writer, nullptr, 70, 1, kWorld, 4, 9, 1ull << 63)); // never asked for
    });
    open(archive, defineWorld);
    EXPECT_THAT(issues(), ElementsAre("unmatched_request(1)"));
    EXPECT_THAT(messages(),
                ElementsAre("thread 10@0>thread 20@60 WORLD 0 0", "thread 10@10>thread 20@50 WORLD 0 1",
                            "thread 10@20>thread 20@40 WORLD 0 2", "thread 10@35>thread 20@70 WORLD 4 9"));
}

TEST_F(Communication, MessagesWithoutTheirOtherEndAreCounted) {
    RawArchive archive(m_folder.path());
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 0, 0, kWorld, 1, 1));   // received
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 1, 0, kWorld, 1, 2));   // lost
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 2, 0, 99, 1, 3));       // no such communicator
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 3, 500, kWorld, 1, 4)); // no such rank
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 4, 0, 2, 1, 5));        // no such group
        check(OTF2_EvtWriter_MpiSend(writer, nullptr, 5, 0, 3, 1, 6));        // to itself, by MPI_COMM_SELF
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 6, 0, 3, 1, 6));
    });
    archive.thread(20, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 10, 1, kWorld, 1, 1));
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 11, 1, kWorld, 2, 2)); // never sent
        check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 12, 0, kWorld, 1, 2)); // from itself, never sent
    });
    open(archive, [](RawArchive& out) {
        defineWorld(out);
        check(OTF2_GlobalDefWriter_WriteComm(out.definitions(), 2, out.string("broken"), 77,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
        check(OTF2_GlobalDefWriter_WriteGroup(out.definitions(), 50, out.string(""),
                                              OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, 0, nullptr));
        check(OTF2_GlobalDefWriter_WriteComm(out.definitions(), 3, out.string("SELF"), 50,
                                             OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    });
    EXPECT_THAT(issues(), UnorderedElementsAre("unmatched_send(1)", "unmatched_receive(2)",
                                               "undefined_communicator(3)"));
    EXPECT_THAT(messages(),
                ElementsAre("thread 10@0>thread 20@10 WORLD 1 1", "thread 10@5>thread 10@6 SELF 1 6"));
}

TEST_F(Communication, RanksOfAnIntercommunicatorAreThoseOfTheOtherSide) {
    RawArchive archive(m_folder.path());
    archive.thread(
        10, [](OTF2_EvtWriter* writer) { check(OTF2_EvtWriter_MpiSend(writer, nullptr, 0, 0, 4, 1, 77)); });
    archive.thread(
        20, [](OTF2_EvtWriter* writer) { check(OTF2_EvtWriter_MpiRecv(writer, nullptr, 5, 0, 4, 1, 77)); });
    open(archive, [](RawArchive& out) {
        defineWorld(out);
        const auto group = [&](OTF2_GroupRef id, std::uint64_t place) {
            check(OTF2_GlobalDefWriter_WriteGroup(out.definitions(), id, out.string(""),
                                                  OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                                  OTF2_GROUP_FLAG_NONE, 1, &place));
        };
        group(60, 0); // thread 10: the list of all is in the order of their numbers
        group(61, 1); // thread 20
        check(OTF2_GlobalDefWriter_WriteInterComm(out.definitions(), 4, out.string("inter"), 60, 61, kWorld,
                                                  OTF2_COMM_FLAG_NONE));
    });
    EXPECT_THAT(issues(), IsEmpty());
    EXPECT_THAT(messages(), ElementsAre("thread 10@0>thread 20@5 inter 1 77"));
}

TEST_F(Communication, CollectivesKnowTheirSlice) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.region(1, "MPI_Allreduce");
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        enter(writer, 0, 0);
        for (std::uint64_t t : {100, 200}) {
            enter(writer, t, 1);
            check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, t + 1));
            check(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, t + 50, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                  kWorld, OTF2_COLLECTIVE_ROOT_NONE, t, 2 * t));
            leave(writer, t + 60, 1);
        }
        check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, 300, 5));
        check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, 310, 6));
        check(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, 400, OTF2_COLLECTIVE_OP_BCAST,
                                                           kWorld, 1, 8, 9, 5));
        leave(writer, 500, 0);
        check(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 600, OTF2_COLLECTIVE_OP_BARRIER, 99,
                                              OTF2_COLLECTIVE_ROOT_NONE, 0, 0)); // never begun, undefined
        check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 700));          // never ended
    });
    archive.thread(20, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 50));
        check(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 60, 200, kWorld, 1, 1ull << 63, 0));
        check(OTF2_EvtWriter_RmaCollectiveBegin(writer, nullptr, 70));
        check(OTF2_EvtWriter_RmaCollectiveEnd(writer, nullptr, 80, OTF2_COLLECTIVE_OP_ALLOCATE,
                                              OTF2_RMA_SYNC_LEVEL_MEMORY, 8, 0, 1, 2));
    });
    open(archive, [](RawArchive& out) {
        defineWorld(out);
        check(OTF2_GlobalDefWriter_WriteRmaWin(out.definitions(), 8, out.string("window"), kWorld,
                                               OTF2_RMA_WIN_FLAG_NONE));
    });
    EXPECT_THAT(collectives(LocationId(0)),
                ElementsAre("ALLREDUCE[101,150) WORLD - 100 200 1.0",
                            "ALLREDUCE[201,250) WORLD - 200 400 1.1",
                            "BCAST[300,400) WORLD 1 8 9 0.0 non-blocking", "BARRIER[600,600) - - 0 0 -"));
    EXPECT_THAT(
        collectives(LocationId(1)),
        ElementsAre("operation 200[50,60) WORLD 1 9223372036854775808 0 -", "ALLOCATE[70,80) WORLD 0 1 2 -"));
    EXPECT_THAT(issues(), UnorderedElementsAre("unmatched_collective_end(1)", "unfinished_collective(2)",
                                               "undefined_communicator(1)", "unknown_value(1)"));
}

// --- calling contexts ---

// 0 main > 1 step > 2 forward, 3 backward; 4: forward once more, as another place in step
void defineContexts(RawArchive& out) {
    const auto context = [&](OTF2_CallingContextRef id, OTF2_RegionRef region,
                             OTF2_CallingContextRef parent) {
        check(OTF2_GlobalDefWriter_WriteCallingContext(out.definitions(), id, region,
                                                       OTF2_UNDEFINED_SOURCE_CODE_LOCATION, parent));
    };
    context(0, 0, OTF2_UNDEFINED_CALLING_CONTEXT);
    context(2, 2, 1); // before its parent
    context(1, 1, 0);
    context(3, 3, 1);
    context(4, 2, 1);
    check(OTF2_GlobalDefWriter_WriteInterruptGenerator(out.definitions(), 0, out.string("timer"),
                                                       OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL,
                                                       -9, 10));
}

void nameRegions(RawArchive& archive) {
    std::uint32_t id = 0;
    for (const char* name : {"main", "step", "forward", "backward"})
        archive.region(id++, name);
}

void sample(OTF2_EvtWriter* writer, std::uint64_t tick, OTF2_CallingContextRef context,
            std::uint32_t unwind) {
    check(OTF2_EvtWriter_CallingContextSample(writer, nullptr, tick, context, unwind, 0));
}

TEST_F(Communication, SamplesMakeSlicesOfTheStack) {
    RawArchive archive(m_folder.path());
    nameRegions(archive);
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        sample(writer, 0, 2, 4);  // main, step and forward are new
        sample(writer, 10, 2, 0); // nothing happened
        sample(writer, 20, 2, 1); // forward went on
        sample(writer, 30, 2, 2); // forward was left and entered anew
        sample(writer, 40, 3, 2); // backward in the same step
        sample(writer, 50, 4, 3); // another step, forward in it
        sample(writer, 60, 0, 1); // back in main
        sample(writer, 70, 0, 1);
    });
    open(archive, defineContexts);
    EXPECT_THAT(issues(), IsEmpty());
    EXPECT_EQ(m_store->eventCount(), 8u);
    EXPECT_THAT(slices(LocationId(0)),
                ElementsAre("0:main[0,70)", "1:step[0,50)", "1:step[50,60)", "2:forward[0,30)",
                            "2:forward[30,40)", "2:backward[40,50)", "2:forward[50,60)"));
}

TEST_F(Communication, InstrumentedContextsAreEnteredAndLeft) {
    RawArchive archive(m_folder.path());
    nameRegions(archive);
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        OTF2_AttributeList* list = OTF2_AttributeList_New();
        check(OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 0, 0, 2)); // main
        check(OTF2_AttributeList_AddUint64(list, 0, 5));
        check(OTF2_EvtWriter_CallingContextEnter(writer, list, 10, 2, 3)); // forward, found inside step
        sample(writer, 15, 2, 1);
        check(OTF2_AttributeList_AddUint64(list, 0, 6));
        check(OTF2_EvtWriter_CallingContextLeave(writer, list, 20, 2));
        check(OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 30, 3, 2)); // backward in the same step
        check(OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 40, 3));
        check(OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 50, 0));    // with it step ends
        check(OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 60, 0, 2)); // never left
        OTF2_AttributeList_Delete(list);
    });
    open(archive, [](RawArchive& out) {
        defineContexts(out);
        check(OTF2_GlobalDefWriter_WriteAttribute(out.definitions(), 0, out.string("id"), out.string(""),
                                                  OTF2_TYPE_UINT64));
    });
    EXPECT_THAT(issues(), ElementsAre("unfinished_region(1)"));
    EXPECT_THAT(slices(LocationId(0)), ElementsAre("0:main[0,50)", "0:main[60,60)", "1:step[10,50)",
                                                   "2:forward[10,20)", "2:backward[30,40)"));
    EXPECT_EQ(attributes(LocationId(0), {2, 0}), "id=5u id=6u");
    EXPECT_EQ(m_store->records().slicesWithAttributes(), 1u);
}

TEST_F(Communication, DamagedContextsAreCounted) {
    RawArchive archive(m_folder.path());
    nameRegions(archive);
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        sample(writer, 0, 2, 2);                                           // claims that step was open
        sample(writer, 10, 77, 1);                                         // not defined
        sample(writer, 20, 3, UINT32_MAX);                                 // all of it is new
        check(OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 30, 4)); // is not open
        sample(writer, 40, 8, 1);                                          // a circle
    });
    open(archive, [](RawArchive& out) {
        defineContexts(out);
        for (OTF2_CallingContextRef id : {8, 9})
            check(OTF2_GlobalDefWriter_WriteCallingContext(out.definitions(), id, 0,
                                                           OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 17 - id));
        check(OTF2_GlobalDefWriter_WriteCallingContext(out.definitions(), 1, 0,
                                                       OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 0));
    });
    EXPECT_THAT(issues(), UnorderedElementsAre("calling_context_mismatch(3)", "undefined_calling_context(1)",
                                               "duplicate_definition(1)", "undefined_reference(1)"));
    EXPECT_THAT(slices(LocationId(0)),
                UnorderedElementsAre("0:main[0,20)", "1:step[0,20)", "2:forward[0,20)", "0:main[20,40)",
                                     "1:step[20,40)", "2:backward[20,30)", "0:main[40,40)", "1:main[40,40)"));
}

TEST_F(Communication, FramesThatNoStackHasAreLeftOut) {
    constexpr std::uint32_t kDeep = 4000;
    RawArchive archive(m_folder.path());
    nameRegions(archive);
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        for (std::uint64_t i = 0; i < 1000; ++i)
            sample(writer, i, kDeep - 1, UINT32_MAX); // claims 4,000 new frames each time
    });
    open(archive, [](RawArchive& out) {
        for (std::uint32_t i = 0; i < kDeep; ++i)
            check(OTF2_GlobalDefWriter_WriteCallingContext(out.definitions(), i, 0,
                                                           OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                           i == 0 ? OTF2_UNDEFINED_CALLING_CONTEXT : i - 1));
    });
    ASSERT_FALSE(m_store->issues().empty());
    EXPECT_EQ(m_store->issues()[0].name, "calling_contexts_left_out");
    EXPECT_LT(m_store->sliceCount(), 65536u + 64 * 1000);
    EXPECT_GT(m_store->sliceCount(), 65536u - kDeep);
    EXPECT_EQ(m_store->eventCount(), 1000u);
}

// --- markers, and what is only counted ---

TEST_F(Communication, MarkersOfTheArchive) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    for (std::uint64_t id : {10, 20})
        archive.thread(id, [](OTF2_EvtWriter* writer) {
            enter(writer, 100, 0);
            leave(writer, 900, 0);
        });
    OTF2_MarkerWriter* markers = OTF2_Archive_GetMarkerWriter(archive.archive());
    check(OTF2_MarkerWriter_WriteDefMarker(markers, 3, "checks", "slow", OTF2_SEVERITY_HIGH));
    check(OTF2_MarkerWriter_WriteMarker(markers, 500, 50, 3, OTF2_MARKER_SCOPE_LOCATION, 20, "here\n"));
    check(OTF2_MarkerWriter_WriteMarker(markers, 200, 0, 3, OTF2_MARKER_SCOPE_GLOBAL, 0, ""));
    check(OTF2_MarkerWriter_WriteMarker(markers, 300, UINT64_MAX, 9, OTF2_MARKER_SCOPE_COMM, 1, "undefined"));
    check(OTF2_Archive_CloseMarkerWriter(archive.archive(), markers));
    open(archive);
    EXPECT_THAT(issues(), ElementsAre("undefined_marker(2)"));
    const auto found = m_store->records().markers();
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(m_store->clock(found[0].rankIndex).toRun(found[0].ns), Nanoseconds(100))
        << "the run begins at its first event";
    EXPECT_EQ(text(found[0].scope), "");
    EXPECT_EQ(text(found[0].group), "checks");
    EXPECT_EQ(text(found[0].category), "slow");
    EXPECT_EQ(found[0].severity, 3u);
    EXPECT_EQ(text(found[1].text), "undefined");
    EXPECT_GT(found[1].lengthNs, std::int64_t{1} << 61);
    EXPECT_EQ(m_store->clock(found[2].rankIndex).toRun(found[2].ns), Nanoseconds(400));
    EXPECT_EQ(found[2].lengthNs, 50);
    EXPECT_EQ(text(found[2].text), "here\n");
    EXPECT_EQ(text(found[2].scope), "thread 20");
    EXPECT_EQ(found[2].rankIndex, 1u);
}

TEST_F(Communication, ACutMarkerFileLosesOnlyMarkers) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(10, [](OTF2_EvtWriter* writer) {
        enter(writer, 0, 0);
        leave(writer, 10, 0);
    });
    OTF2_MarkerWriter* markers = OTF2_Archive_GetMarkerWriter(archive.archive());
    check(OTF2_MarkerWriter_WriteDefMarker(markers, 0, "a", "b", OTF2_SEVERITY_LOW));
    for (std::uint64_t i = 0; i < 10; ++i)
        check(OTF2_MarkerWriter_WriteMarker(markers, i, 0, 0, OTF2_MARKER_SCOPE_GLOBAL, 0, "text"));
    check(OTF2_Archive_CloseMarkerWriter(archive.archive(), markers));
    archive.finish();
    const auto file = m_folder.path() / "traces.marker";
    for (auto size = std::filesystem::file_size(file); size > 0; --size) {
        std::filesystem::resize_file(file, size - 1);
        Progress progress;
        const auto opened = openRun({m_folder.path()}, {}, progress);
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ((*opened)->sliceCount(), 1u);
        ASSERT_EQ((*opened)->issues().size(), 1u) << size;
        EXPECT_EQ((*opened)->issues()[0].name, "damaged_marker_file");
    }
}

TEST_F(Communication, OtherRecordsAreCountedAndSaidWhereTheyMatter) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(10, [&](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_ProgramBegin(writer, nullptr, 0, archive.string("train.py"), 0, nullptr));
        enter(writer, 1, 0);
        check(OTF2_EvtWriter_ThreadFork(writer, nullptr, 2, OTF2_PARADIGM_OPENMP, 4));
        check(OTF2_EvtWriter_ThreadTeamBegin(writer, nullptr, 3, 0));
        check(OTF2_EvtWriter_ThreadAcquireLock(writer, nullptr, 4, OTF2_PARADIGM_OPENMP, 1, 2));
        check(OTF2_EvtWriter_ThreadTeamEnd(writer, nullptr, 5, 0));
        check(OTF2_EvtWriter_ThreadJoin(writer, nullptr, 6, OTF2_PARADIGM_OPENMP));
        check(OTF2_EvtWriter_BufferFlush(writer, nullptr, 7, 8));
        check(OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, 9, OTF2_MEASUREMENT_OFF));
        check(OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, 10, OTF2_MEASUREMENT_ON));
        check(OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, 11, OTF2_MEASUREMENT_OFF));
        leave(writer, 12, 0);
        check(OTF2_EvtWriter_ProgramEnd(writer, nullptr, 13, 0));
    });
    open(archive);
    EXPECT_EQ(m_store->eventCount(), 13u);
    EXPECT_THAT(issues(), ElementsAre("buffer_flush(1)", "measurement_off(2)"));
    EXPECT_EQ(m_store->issues()[1].severity, IssueSeverity::Info);
    EXPECT_THAT(slices(LocationId(0)), ElementsAre("0:main[1,12)"));
}

} // namespace
} // namespace ddp
