// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/config.h"
#include "remote/slurm/submit.h"
#include "remote/transport/local/local_transport.h"

#include <gmock/gmock.h>

#include <cstdlib>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::remote::slurm;
using ::testing::HasSubstr;

namespace {

Error errorOf(int exitCode, const char* err) {
    return slurmError("login1", SlurmCommand{{"squeue"}}, {exitCode, "", err, false});
}

} // namespace

TEST(SlurmCommand, AWordIsNeverShell) {
    SlurmCommand command{{"printf", "%s", "$(touch /tmp/x); `id` 'q'\n"}};
    const auto result = runSlurm(*makeLocalTransport(), command, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->out, "$(touch /tmp/x); `id` 'q'\n");
}

TEST(SlurmCommand, WhatTheUserSetDoesNotChangeTheAnswer) {
    ::setenv("SQUEUE_FORMAT", "%i \n SBATCH_evil", 1);
    ::setenv("SBATCH_PARTITION", "short", 1);
    ::setenv("SLURM_TIME_FORMAT", "relative", 1);
    SlurmCommand command{{"sh", "-c", "echo $SQUEUE_FORMAT,$SBATCH_PARTITION,$SLURM_TIME_FORMAT,$TZ"}};
    const auto asked = runSlurm(*makeLocalTransport(), command, {});
    command.environmentOfJob = true;
    const auto submitted = runSlurm(*makeLocalTransport(), command, {});
    for (const char* name : {"SQUEUE_FORMAT", "SBATCH_PARTITION", "SLURM_TIME_FORMAT"})
        ::unsetenv(name);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->out, ",,standard,UTC0\n");
    ASSERT_TRUE(submitted);
    EXPECT_EQ(submitted->out, ",,,\n");
}

TEST(SlurmCommand, ASilentControllerIsToldFromARefusal) {
    for (const char* silent :
         {"slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
          "slurm_load_jobs error: Socket timed out on send/recv operation\n",
          "sacct: error: slurm_persist_conn_open_without_init: failed to open persistent connection to "
          "host:h:6819: Connection refused\n",
          "slurm_load_node error: Rate limit exceeded, please retry momentarily\n"}) {
        EXPECT_EQ(errorOf(1, silent).code, ErrorCode::Unreachable) << silent;
        EXPECT_THAT(errorOf(1, silent).message, HasSubstr("login1"));
    }
    const Error refused = errorOf(1, "warning\nsqueue: error: Invalid user: x\n");
    EXPECT_EQ(refused.code, ErrorCode::Failed);
    EXPECT_THAT(refused.message, HasSubstr("Invalid user: x"));
    EXPECT_THAT(errorOf(127, "sh: squeue: not found").message, HasSubstr("not found on login1"));
}

TEST(SlurmCommand, Versions) {
    EXPECT_EQ(parseVersion("slurm-wlm 22.05.8\n").value(), (Version{22, 5, 8}));
    EXPECT_EQ(parseVersion("hello\nslurm 24.11.0-0rc1\n").value(), (Version{24, 11, 0}));
    EXPECT_EQ(parseVersion("slurm 20.11.9\n").value(), (Version{20, 11, 9}));
    EXPECT_FALSE(parseVersion("sinfo: command not found"));
}

TEST(SlurmConfig, TimesThatMatter) {
    const auto config = parseConfig("Configuration data as of 2026-11-30T12:15:20\n"
                                    "AccountingStorageType   = accounting_storage/none\n"
                                    "ClusterName             = ddpscope\n"
                                    "KillWait                = 30 sec\n"
                                    "MinJobAge               = 300 sec\n"
                                    "SLURM_VERSION           = 22.05.8\n"
                                    "UnkillableStepTimeout   = 60 sec\n"
                                    "\nSlurmctld(primary) at vm is UP\n");
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->killWait, std::chrono::seconds(30));
    EXPECT_EQ(config->minJobAge, std::chrono::seconds(300));
    EXPECT_EQ(config->unkillableStepTimeout, std::chrono::seconds(60));
    EXPECT_FALSE(config->messageTimeout);
    EXPECT_EQ(config->version, (Version{22, 5, 8}));
    EXPECT_FALSE(config->accounting);
    EXPECT_FALSE(parseConfig(""));
}
