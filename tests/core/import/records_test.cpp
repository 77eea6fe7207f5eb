// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of record, written by libotf2 and read back; the expected values are those that were written.
#include "tests/core/import/records_fixture.h"

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

OTF2_MetricValue unsignedValue(std::uint64_t number) {
    OTF2_MetricValue value;
    value.unsigned_int = number;
    return value;
}

TEST_F(Records, MetricsOfAClassAreCountersOfTheLocationThatRecordedThem) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(3, [](OTF2_EvtWriter* writer) {
        enter(writer, 0, 0);
        const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64};
        OTF2_MetricValue values[3];
        for (std::uint64_t i = 1; i <= 3; ++i) {
            values[0].unsigned_int = i == 3 ? UINT64_MAX : i * 1000;
            values[1].floating_point = 0.5 * static_cast<double>(i);
            values[2].signed_int = i == 2 ? INT64_MIN : -static_cast<std::int64_t>(i);
            check(OTF2_EvtWriter_Metric(writer, nullptr, 100 * i, 7, 3, types, values));
        }
        leave(writer, 900, 0);
    });
    open(archive, [](RawArchive& out) {
        const OTF2_MetricMemberRef members[] = {4, 2, 9};
        check(OTF2_GlobalDefWriter_WriteMetricMember(out.definitions(), 4, out.string("GPU memory"),
                                                     out.string("of the allocator"), OTF2_METRIC_TYPE_OTHER,
                                                     OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_UINT64,
                                                     OTF2_BASE_BINARY, 10, out.string("bytes")));
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            out.definitions(), 2, out.string("power"), out.string(""), OTF2_METRIC_TYPE_OTHER,
            OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, -3, out.string("W")));
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            out.definitions(), 9, out.string("drift"), out.string(""), OTF2_METRIC_TYPE_USER,
            OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, out.string("")));
        check(OTF2_GlobalDefWriter_WriteMetricClass(out.definitions(), 7, 3, members, OTF2_METRIC_SYNCHRONOUS,
                                                    OTF2_RECORDER_KIND_CPU));
    });
    EXPECT_THAT(issues(), IsEmpty());
    EXPECT_EQ(m_store->eventCount(), 5u);
    const auto counters = m_store->records().counters();
    ASSERT_EQ(counters.size(), 3u);
    const Counter& memory = counters[0];
    EXPECT_EQ(text(memory.name), "GPU memory");
    EXPECT_EQ(text(memory.description), "of the allocator");
    EXPECT_EQ(text(memory.unit), "bytes");
    EXPECT_EQ(text(memory.scope), "");
    EXPECT_EQ(memory.location, LocationId(0));
    EXPECT_EQ(memory.rankIndex, 0u);
    EXPECT_EQ(memory.mode, CounterMode::Absolute);
    EXPECT_EQ(memory.timing, CounterTiming::UntilNext);
    EXPECT_EQ(memory.type, ValueType::Uint64);
    EXPECT_THAT(series(memory), ElementsAre(std::pair(100, 1024'000.0), std::pair(200, 2048'000.0),
                                            std::pair(300, 18446744073709551615.0 * 1024)));
    EXPECT_EQ(m_store->records().samples(memory)[2].value.unsignedNumber(), UINT64_MAX);
    EXPECT_EQ(counters[1].timing, CounterTiming::Point);
    EXPECT_THAT(series(counters[1]), ElementsAre(std::pair(100, 0.5 * 1e-3), std::pair(200, 1.0 * 1e-3),
                                                 std::pair(300, 1.5 * 1e-3)));
    EXPECT_EQ(counters[2].mode, CounterMode::Relative);
    EXPECT_EQ(counters[2].timing, CounterTiming::SinceLast);
    EXPECT_EQ(m_store->records().samples(counters[2])[1].value.signedNumber(), INT64_MIN);
    EXPECT_EQ(m_store->records().samples(counters[2])[2].value.signedNumber(), -3);
}

TEST_F(Records, AMetricInstanceBelongsToTheProcessOfItsScope) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    for (std::uint64_t rank : {0, 1})
        archive.thread(rank, [](OTF2_EvtWriter* writer) {
            enter(writer, 0, 0);
            leave(writer, 900, 0);
        });
    archive.accelerator(5, "CUDA Context 1", 1); // of MPI Rank 1
    archive.location(10, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 5, [](OTF2_EvtWriter*) {});
    archive.location(11, "", OTF2_LOCATION_TYPE_METRIC, 0, [](OTF2_EvtWriter* writer) {
        const OTF2_Type type = OTF2_TYPE_UINT64;
        for (OTF2_MetricRef metric : {20, 21, 22, 23}) {
            const OTF2_MetricValue value = unsignedValue(metric);
            check(OTF2_EvtWriter_Metric(writer, nullptr, 10 * metric, metric, 1, &type, &value));
        }
    });
    open(archive, [](RawArchive& out) {
        const OTF2_MetricMemberRef member = 0;
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            out.definitions(), 0, out.string("power"), out.string(""), OTF2_METRIC_TYPE_OTHER,
            OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, out.string("#")));
        check(OTF2_GlobalDefWriter_WriteMetricClass(out.definitions(), 1, 1, &member,
                                                    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT));
        const auto instance = [&](OTF2_MetricRef id, OTF2_MetricScope scope, std::uint64_t about) {
            check(OTF2_GlobalDefWriter_WriteMetricInstance(out.definitions(), id, 1, 11, scope, about));
        };
        instance(20, OTF2_SCOPE_LOCATION, 10);
        instance(21, OTF2_SCOPE_LOCATION_GROUP, 5);
        instance(22, OTF2_SCOPE_SYSTEM_TREE_NODE, 0);
        instance(23, OTF2_SCOPE_LOCATION_GROUP, 77); // not defined
    });
    EXPECT_THAT(issues(), ElementsAre("undefined_value(1)"));
    const auto counters = m_store->records().counters();
    ASSERT_EQ(counters.size(), 4u);
    std::vector<std::string> found;
    for (const Counter& counter : counters) {
        found.push_back(text(counter.scope) + "/" + std::to_string(counter.rankIndex));
        EXPECT_EQ(text(counter.name), "power");
        EXPECT_EQ(m_store->location(counter.location).kind, LocationKind::Metric);
        EXPECT_EQ(counter.mode, CounterMode::Accumulated);
        EXPECT_EQ(counter.timing, CounterTiming::SinceStart);
        EXPECT_EQ(counter.count, 1u);
    }
    EXPECT_THAT(found, ElementsAre("CUDA[0:7]/1", "CUDA Context 1/1", "node01/0", "(undefined 77)/0"));
    EXPECT_THAT(series(counters[1]), ElementsAre(std::pair(210, 21.0)));
}

TEST_F(Records, MetricsThatDoNotFitTheirDefinitionAreCounted) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(0, [](OTF2_EvtWriter* writer) {
        enter(writer, 0, 0);
        const OTF2_Type types[] = {OTF2_TYPE_INT64, OTF2_TYPE_UINT64};
        OTF2_MetricValue values[2];
        values[0].signed_int = -5;
        values[1].unsigned_int = 6;
        check(OTF2_EvtWriter_Metric(writer, nullptr, 10, 0, 1, types, values));  // another type
        check(OTF2_EvtWriter_Metric(writer, nullptr, 20, 0, 2, types, values));  // and one value too many
        check(OTF2_EvtWriter_Metric(writer, nullptr, 30, 99, 2, types, values)); // not defined
        check(OTF2_EvtWriter_Metric(writer, nullptr, 40, 0, 0, types, values));  // none at all
        leave(writer, 50, 0);
    });
    open(archive, [](RawArchive& out) {
        const OTF2_MetricMemberRef member = 3;
        check(OTF2_GlobalDefWriter_WriteMetricMember(
            out.definitions(), 3, out.string("load"), out.string(""), OTF2_METRIC_TYPE_OTHER,
            OTF2_METRIC_ABSOLUTE_LAST, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, out.string("%")));
        check(OTF2_GlobalDefWriter_WriteMetricClass(out.definitions(), 0, 1, &member,
                                                    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
        check(OTF2_GlobalDefWriter_WriteMetricClass(out.definitions(), 0, 1, &member,
                                                    OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
    });
    EXPECT_THAT(issues(),
                UnorderedElementsAre("duplicate_definition(1)", "metric_mismatch(3)", "undefined_metric(2)"));
    const auto counters = m_store->records().counters();
    ASSERT_EQ(counters.size(), 3u);
    EXPECT_THAT(series(counters[0]), ElementsAre(std::pair(10, -5.0), std::pair(20, -5.0)));
    EXPECT_EQ(text(counters[1].name), "(undefined metric 99, value 0)");
    EXPECT_THAT(series(counters[1]), ElementsAre(std::pair(30, -5.0)));
    EXPECT_THAT(series(counters[2]), ElementsAre(std::pair(30, 6.0)));
}

TEST_F(Records, ParametersAndAttributesBelongToTheirSlice) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.region(1, "launch");
    archive.thread(0, [&](OTF2_EvtWriter* writer) {
        OTF2_AttributeList* list = OTF2_AttributeList_New();
        enter(writer, 0, 0);
        check(OTF2_AttributeList_AddLocationRef(list, 0, 10));
        check(OTF2_AttributeList_AddInt8(list, 1, -7));
        check(OTF2_AttributeList_AddDouble(list, 2, 0.25));
        check(OTF2_AttributeList_AddStringRef(list, 3, archive.string("")));
        check(OTF2_AttributeList_AddRegionRef(list, 4, 0));
        enter(writer, 10, 1, list);
        check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, 10, 0, UINT64_MAX));
        check(OTF2_EvtWriter_ParameterInt(writer, nullptr, 10, 1, INT64_MIN));
        check(OTF2_EvtWriter_ParameterString(writer, nullptr, 10, 2, archive.string("red\n")));
        check(OTF2_AttributeList_AddUint16(list, 5, 99));
        leave(writer, 20, 1, list);
        enter(writer, 30, 1);
        leave(writer, 40, 1);
        check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, 45, 0, 5)); // of main
        leave(writer, 50, 0);
        check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, 60, 0, 1)); // of nothing
        OTF2_AttributeList_Delete(list);
    });
    archive.location(10, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, [](OTF2_EvtWriter*) {});
    open(archive, [](RawArchive& out) {
        const auto attribute = [&](OTF2_AttributeRef id, const char* name, OTF2_Type type) {
            check(OTF2_GlobalDefWriter_WriteAttribute(out.definitions(), id, out.string(name), out.string(""),
                                                      type));
        };
        attribute(0, "CUDA_STREAM_REF", OTF2_TYPE_LOCATION);
        attribute(1, "small", OTF2_TYPE_INT8);
        attribute(2, "share", OTF2_TYPE_DOUBLE);
        attribute(3, "empty", OTF2_TYPE_STRING);
        attribute(4, "caller", OTF2_TYPE_REGION);
        attribute(5, "result", OTF2_TYPE_UINT16);
        check(OTF2_GlobalDefWriter_WriteParameter(out.definitions(), 0, out.string("blocks per grid"),
                                                  OTF2_PARAMETER_TYPE_UINT64));
        check(OTF2_GlobalDefWriter_WriteParameter(out.definitions(), 1, out.string("offset"),
                                                  OTF2_PARAMETER_TYPE_INT64));
        check(OTF2_GlobalDefWriter_WriteParameter(out.definitions(), 2, out.string("colour"),
                                                  OTF2_PARAMETER_TYPE_STRING));
    });
    EXPECT_THAT(issues(), ElementsAre("attribute_outside_region(1)"));
    EXPECT_EQ(m_store->eventCount(), 11u);
    EXPECT_EQ(
        attributes(LocationId(0), {1, 0}),
        "CUDA_STREAM_REF=\"CUDA[0:7]\" small=-7 share=0.250000 empty=\"\" caller=\"main\" "
        "blocks per grid=18446744073709551615u offset=-9223372036854775808 colour=\"red\n\" result=99u");
    EXPECT_EQ(attributes(LocationId(0), {1, 1}), "");
    EXPECT_EQ(attributes(LocationId(0), {0, 0}), "blocks per grid=5u");
    EXPECT_EQ(attributes(LocationId(0), {5, 5}), "");
    EXPECT_EQ(m_store->records().slicesWithAttributes(), 2u);
}

TEST_F(Records, AttributesFollowTheirSliceWhenLanesAreLaidOutAnew) {
    RawArchive archive(m_folder.path());
    archive.region(0, "COMPUTE IDLE");
    archive.region(1, "gemm");
    archive.location(0, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, [](OTF2_EvtWriter* writer) {
        for (std::uint64_t i = 0; i < 100; ++i) {
            const std::uint64_t t = 1000 * i;
            enter(writer, t, 0);
            enter(writer, t + 100, 1); // begins in the idle region and ends after it
            check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, t + 100, 0, 10 * i));
            enter(writer, t + 120, 1);
            check(OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, t + 120, 0, 10 * i + 1));
            leave(writer, t + 150, 0);
            leave(writer, t + 600, 1);
            leave(writer, t + 700, 1);
        }
    });
    open(archive, [](RawArchive& out) {
        check(OTF2_GlobalDefWriter_WriteParameter(out.definitions(), 0, out.string("n"),
                                                  OTF2_PARAMETER_TYPE_UINT64));
    });
    EXPECT_THAT(issues(), IsEmpty());
    std::size_t kernels = 0;
    for (std::uint32_t l = 0; l < m_store->lanes(LocationId(0)).size(); ++l) {
        const SliceLane& lane = m_store->lanes(LocationId(0))[l];
        for (std::uint32_t i = 0; i < lane.size(); ++i) {
            const std::int64_t begin = lane.begin(i).count;
            const bool idle = m_store->regionName(lane.region(i)) == "COMPUTE IDLE";
            kernels += idle ? 0 : 1;
            const std::string expected =
                idle ? "" : "n=" + std::to_string(begin / 1000 * 10 + (begin % 1000 == 120 ? 1 : 0)) + "u";
            ASSERT_EQ(attributes(LocationId(0), {l, i}), expected) << begin;
        }
    }
    EXPECT_EQ(kernels, 200u);
    std::vector<SliceRef> inOnePass;
    m_store->records().forEachAttribute(LocationId(0), [&](SliceRef slice, std::uint32_t key, Value value) {
        inOnePass.push_back(slice);
        EXPECT_EQ(attributes(LocationId(0), slice), text(m_store->records().attributeKeys()[key].name) + "=" +
                                                        std::to_string(value.bits) + "u");
    });
    EXPECT_EQ(inOnePass.size(), kernels);
    EXPECT_TRUE(std::is_sorted(inOnePass.begin(), inOnePass.end()));
    m_store->records().forEachAttribute(LocationId(1), [](SliceRef, std::uint32_t, Value) { FAIL(); });
}

TEST_F(Records, UndefinedParametersAndAttributesKeepTheirValues) {
    RawArchive archive(m_folder.path());
    archive.region(0, "main");
    archive.thread(0, [&](OTF2_EvtWriter* writer) {
        OTF2_AttributeList* list = OTF2_AttributeList_New();
        check(OTF2_AttributeList_AddUint64(list, 40, 1ull << 63));
        check(OTF2_AttributeList_AddCommRef(list, 41, 9));
        enter(writer, 0, 0, list);
        check(OTF2_EvtWriter_ParameterString(writer, nullptr, 0, 50, 12345));
        leave(writer, 10, 0);
        OTF2_AttributeList_Delete(list);
    });
    open(archive);
    EXPECT_THAT(issues(), UnorderedElementsAre("undefined_attribute(2)", "undefined_parameter(1)",
                                               "undefined_value(2)"));
    EXPECT_EQ(attributes(LocationId(0), {0, 0}),
              "(undefined attribute 40)=9223372036854775808u (undefined attribute 41)=\"(undefined 9)\" "
              "(undefined parameter 50)=\"(undefined 12345)\"");
}

// --- memory transfers ---

void defineWindow(RawArchive& out, std::vector<std::uint64_t> locations) {
    out.communicator(3, "", std::move(locations));
    check(OTF2_GlobalDefWriter_WriteRmaWin(out.definitions(), 8, out.string("CUDA_WINDOW"), 3,
                                           OTF2_RMA_WIN_FLAG_NONE));
}

TEST_F(Records, CopiesOfAStreamAreSlicesWithBytes) {
    RawArchive archive(m_folder.path());
    archive.region(0, "gemm");
    archive.location(0, "host", OTF2_LOCATION_TYPE_CPU_THREAD, 0, [](OTF2_EvtWriter*) {});
    archive.location(1, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_RmaGet(writer, nullptr, 0, 8, 0, 4096, 42));
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 50, 8, 42));
        enter(writer, 60, 0);
        leave(writer, 70, 0);
        check(OTF2_EvtWriter_RmaPut(writer, nullptr, 80, 8, 0, 1ull << 63, 42));
        enter(writer, 85, 0); // begins before the copy ends and ends after it: not nested
        check(OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, nullptr, 90, 8, 42));
        leave(writer, 100, 0);
    });
    open(archive, [](RawArchive& out) { defineWindow(out, {0, 1}); });
    EXPECT_THAT(issues(), IsEmpty());
    const LocationId stream(1);
    EXPECT_EQ(m_store->location(stream).events, 8u);
    EXPECT_EQ(m_store->location(stream).slices, 4u);
    EXPECT_THAT(slices(stream), ElementsAre("0:Memcpy HtoD[0,50)", "0:gemm[60,70)", "0:Memcpy DtoH[80,90)",
                                            "1:gemm[85,100)"));
    EXPECT_EQ(attributes(stream, {0, 0}), "window=\"CUDA_WINDOW\" remote=\"host\" bytes=4096u");
    EXPECT_EQ(attributes(stream, {0, 2}),
              "window=\"CUDA_WINDOW\" remote=\"host\" bytes=9223372036854775808u");
    EXPECT_EQ(attributes(stream, {0, 1}), "");
    const RegionInfo& region = m_store->region(m_store->lanes(stream)[0].region(0));
    EXPECT_EQ(region.role, RegionRole::Transfer);
    EXPECT_EQ(m_store->text(region.paradigm), "mpi") << "of the window's group";
}

TEST_F(Records, OneSidedCommunicationOfAThreadOutlivesItsRegion) {
    RawArchive archive(m_folder.path());
    archive.region(0, "MPI_Put");
    archive.region(1, "MPI_Win_unlock");
    archive.thread(0, [](OTF2_EvtWriter* writer) {
        enter(writer, 0, 0);
        check(OTF2_EvtWriter_RmaPut(writer, nullptr, 5, 8, 1, 100, 1));
        leave(writer, 10, 0);
        enter(writer, 20, 0);
        check(OTF2_EvtWriter_RmaGet(writer, nullptr, 25, 8, 1, 200, 2));
        leave(writer, 30, 0);
        enter(writer, 40, 1);
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 44, 8, 2));
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 45, 8, 1));
        check(OTF2_EvtWriter_RmaOpCompleteRemote(writer, nullptr, 46, 8, 1));
        leave(writer, 50, 1);
    });
    archive.thread(1, [](OTF2_EvtWriter*) {});
    open(archive, [](RawArchive& out) { defineWindow(out, {0, 1}); });
    EXPECT_THAT(issues(), IsEmpty());
    EXPECT_THAT(slices(LocationId(0)),
                UnorderedElementsAre("0:MPI_Put[0,10)", "1:RMA put[5,45)", "0:MPI_Win_unlock[40,50)",
                                     "2:MPI_Put[20,30)", "3:RMA get[25,44)"))
        << "what lies in the time of a transfer is drawn below it";
    EXPECT_EQ(attributes(LocationId(0), {1, 0}), "window=\"CUDA_WINDOW\" remote=\"thread 1\" bytes=100u");
    EXPECT_EQ(attributes(LocationId(0), {3, 0}), "window=\"CUDA_WINDOW\" remote=\"thread 1\" bytes=200u");
}

TEST_F(Records, TransfersThatMissAnEndAreCounted) {
    RawArchive archive(m_folder.path());
    archive.region(0, "gemm");
    archive.location(0, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, [](OTF2_EvtWriter* writer) {
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 0, 8, 42)); // of nothing
        check(OTF2_EvtWriter_RmaGet(writer, nullptr, 10, 8, 0, 1, 42));
        check(OTF2_EvtWriter_RmaGet(writer, nullptr, 20, 8, 0, 2, 42)); // the older one ends first
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 30, 8, 42));
        check(OTF2_EvtWriter_RmaGet(writer, nullptr, 40, 9, 0, 3, 42)); // a window without definition
        check(OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, 45, 9, 42));
        check(OTF2_EvtWriter_RmaAtomic(writer, nullptr, 50, 8, 7, OTF2_RMA_ATOMIC_TYPE_SWAP, 4, 5, 43));
        enter(writer, 60, 0);
        leave(writer, 70, 0);
    });
    open(archive, [](RawArchive& out) { defineWindow(out, {0}); });
    EXPECT_THAT(issues(), UnorderedElementsAre("unmatched_transfer_end(1)", "unfinished_transfer(2)",
                                               "undefined_window(1)"));
    EXPECT_EQ(m_store->location(LocationId(0)).events, 9u);
    EXPECT_THAT(slices(LocationId(0)),
                UnorderedElementsAre("0:Memcpy HtoD[10,30)", "1:Memcpy HtoD[20,70)", "2:Memcpy HtoD[40,45)",
                                     "2:RMA atomic[50,70)", "3:gemm[60,70)"));
    EXPECT_EQ(attributes(LocationId(0), {2, 0}), "bytes=3u");
    EXPECT_EQ(attributes(LocationId(0), {2, 1}), "window=\"CUDA_WINDOW\" bytes=9u")
        << "no rank 7 in the window";
}

} // namespace
} // namespace ddp
