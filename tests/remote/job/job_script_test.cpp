// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_script.h"

#include <gtest/gtest.h>

using namespace ddp;
using namespace ddp::remote;

namespace {

JobSpec spec() {
    JobSpec s;
    s.id = "run-1";
    s.node = "here";
    s.workerPath = "/opt/it's here/ddpscope-worker";
    s.stageDeadline = std::chrono::seconds(7);
    return s;
}

} // namespace

TEST(JobScript, QuotesWhatItPutsIn) {
    JobSpec s = spec();
    s.simulation = Simulation::LostCollective;
    const auto script = localJobScript(s, "/work/a b");
    ASSERT_TRUE(script);
    EXPECT_NE(script->find("cd '/work/a b' ||"), std::string::npos);
    EXPECT_NE(
        script->find("'/opt/it'\\''s here/ddpscope-worker' poc --backend gloo --simulate lost-collective "
                     "--spawn 2 --stage-deadline 7 --out '/work/a b' &"),
        std::string::npos);
    EXPECT_EQ(script->find('@'), std::string::npos) << "an unfilled place in the template";
    EXPECT_EQ(script->find('\r'), std::string::npos);
}

TEST(JobScript, HardwareAsksForNoBackend) {
    JobSpec s = spec();
    s.hardware = true;
    const auto script = localJobScript(s, "/w");
    ASSERT_TRUE(script);
    EXPECT_NE(script->find("poc --mode hardware --spawn 2"), std::string::npos);
    EXPECT_EQ(script->find("gloo"), std::string::npos);
}

TEST(JobScript, RefusesWhatMakesNoSense) {
    for (const char* id : {"", "a/b", "..", "-rf", "a b", "a;b"}) {
        JobSpec s = spec();
        s.id = id;
        EXPECT_FALSE(localJobScript(s, "/w")) << id;
    }
    JobSpec one = spec();
    one.ranks = 1;
    EXPECT_FALSE(localJobScript(one, "/w"));
    JobSpec both = spec();
    both.hardware = true;
    both.simulation = Simulation::Hang;
    EXPECT_FALSE(localJobScript(both, "/w"));
}
