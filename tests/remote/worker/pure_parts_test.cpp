// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/failure.h"
#include "remote/worker/spawn.h"
#include "remote/worker/trace/recorder.h"

#include <gtest/gtest.h>

#include <thread>

using namespace ddp::worker;
using trace::RegionKind;

TEST(CombinedExitCode, MostTellingRankWins) {
    EXPECT_EQ(combinedExitCode({{0, false, false}, {0, false, false}}), 0);
    EXPECT_EQ(combinedExitCode({{20, false, false}, {30, false, false}}), 30);
    EXPECT_EQ(combinedExitCode({{40, false, false}, {30, false, false}}), 40);
    EXPECT_EQ(combinedExitCode({{0, false, false}, {2, false, false}}), 2);
    EXPECT_EQ(combinedExitCode({{139, true, false}, {2, false, false}}), 139);
}

TEST(CombinedExitCode, PeerOfAFailedRankDoesNotWin) {
    EXPECT_EQ(combinedExitCode({{20, false, false}, {30, false, true}}), 20);
    EXPECT_EQ(combinedExitCode({{137, true, false}, {40, false, true}}), 137);
    EXPECT_EQ(combinedExitCode({{0, false, false}, {30, false, true}}), 30);
}

TEST(Failure, BacktraceOfLibtorchIsCut) {
    EXPECT_EQ(
        withoutBacktrace("DDP expects same model.\nException raised from verify at x.cpp:1 (most recent call "
                         "first):\nframe #0: ..."),
        "DDP expects same model.");
    EXPECT_EQ(withoutBacktrace("two\nlines"), "two\nlines");
}

TEST(Failure, WhoIsAtFault) {
    const auto peer =
        failureOf("training", "[../gloo/pair.cc:598] Connection closed by peer [127.0.0.1]:4242");
    EXPECT_STREQ(peer.faultOf, "peer");
    const auto late = failureOf("process_group", "Wait timeout");
    EXPECT_STREQ(late.faultOf, "peer");
    EXPECT_EQ(late.exitCode, 40);
    const auto port =
        failureOf("rendezvous", "The server socket has failed to listen on any local network address.");
    EXPECT_STREQ(port.faultOf, "environment");
    EXPECT_EQ(port.exitCode, 2);
    const auto other = failureOf("training", "CUDA error: an illegal memory access was encountered");
    EXPECT_STREQ(other.faultOf, "node");
    EXPECT_EQ(other.exitCode, 30);
    for (const auto& failure : {peer, late, port, other})
        EXPECT_EQ(failure.title.find("BUG REPRODUCED"), std::string::npos);
}

TEST(Recorder, EveryThreadHasItsLaneInOrder) {
    trace::Recorder recorder;
    {
        const trace::Scope outer(recorder, "user:step");
        std::thread([&] {
            recorder.enter("gloo:all_reduce", RegionKind::Collective);
            recorder.leave("gloo:all_reduce", RegionKind::Collective);
        }).join();
    }
    const auto snapshot = recorder.snapshot();
    ASSERT_EQ(snapshot.lanes.size(), 2U);
    EXPECT_EQ(snapshot.lanes[0].name, "Master thread");
    EXPECT_EQ(snapshot.lanes[1].name, "Gloo thread 0");
    ASSERT_EQ(snapshot.lanes[0].events.size(), 2U);
    ASSERT_EQ(snapshot.lanes[1].events.size(), 2U);
    EXPECT_LE(snapshot.lanes[0].events[0].timeNs, snapshot.lanes[1].events[0].timeNs);
    EXPECT_GE(snapshot.lanes[0].events[1].timeNs, snapshot.lanes[1].events[1].timeNs);
}

TEST(Recorder, LeaveWithoutEnterIsDroppedAndOpenRegionsCanBeClosed) {
    trace::Recorder recorder;
    recorder.leave("user:step", RegionKind::User);
    recorder.enter("a", RegionKind::User);
    recorder.enter("b", RegionKind::User);
    recorder.leave("a", RegionKind::User); // not the innermost
    EXPECT_EQ(recorder.snapshot().lanes[0].events.size(), 2U);
    recorder.closeMainLane();
    const auto lane = recorder.snapshot().lanes[0];
    ASSERT_EQ(lane.events.size(), 4U);
    EXPECT_EQ(lane.events[2].region, lane.events[1].region);
    EXPECT_FALSE(lane.events[3].enter);
}
