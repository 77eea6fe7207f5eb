// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/options.h"

#include <gtest/gtest.h>

#include <vector>

using namespace ddp::worker;

namespace {

ParsedOptions parse(std::vector<const char*> arguments, const char* simulateBug = nullptr) {
    arguments.insert(arguments.begin(), {"ddpscope-worker", "poc"});
    return parseOptions(static_cast<int>(arguments.size()), arguments.data(), simulateBug);
}

void expectUsageError(const std::vector<const char*>& arguments, const char* simulateBug = nullptr) {
    const auto parsed = parse(arguments, simulateBug);
    EXPECT_FALSE(parsed.options);
    EXPECT_EQ(parsed.exitCode, 2);
    EXPECT_FALSE(parsed.message.empty());
    EXPECT_EQ(parsed.message.find('\n'), std::string::npos) << parsed.message;
}

} // namespace

TEST(PocOptions, HardwareIsTheDefault) {
    const auto parsed = parse({});
    ASSERT_TRUE(parsed.options) << parsed.message;
    EXPECT_EQ(parsed.options->mode, Mode::Hardware);
    EXPECT_EQ(parsed.options->backend, Backend::Nccl);
    EXPECT_FALSE(parsed.options->backendGiven);
    EXPECT_EQ(parsed.options->simulation, Simulation::None);
    EXPECT_EQ(parsed.options->steps, 5);
    EXPECT_EQ(parsed.options->stageDeadlineSeconds, 45);
}

TEST(PocOptions, GlooAndSimulationsMeanHealthy) {
    EXPECT_EQ(parse({"--backend", "gloo"}).options->mode, Mode::Healthy);
    EXPECT_EQ(parse({"--mode", "healthy"}).options->backend, Backend::Gloo);
    EXPECT_EQ(parse({"--simulate", "hang"}).options->mode, Mode::Healthy);
    EXPECT_EQ(parse({"--simulate", "hang"}).options->simulation, Simulation::Hang);
    EXPECT_EQ(parse({"--simulate", "none"}).options->mode, Mode::Hardware);
}

TEST(PocOptions, SimulateBugInTheEnvironment) {
    EXPECT_EQ(parse({}, "1").options->simulation, Simulation::MissingModel);
    EXPECT_EQ(parse({"--backend", "gloo"}, "1").options->simulation, Simulation::MissingModel);
    EXPECT_EQ(parse({}, "0").options->simulation, Simulation::None);
    EXPECT_EQ(parse({"--simulate", "hang"}, "1").options->simulation, Simulation::Hang);
    EXPECT_EQ(parse({"--simulate", "none"}, "1").options->simulation, Simulation::None);
    expectUsageError({"--mode", "hardware"}, "1");
}

TEST(PocOptions, UsageErrorsAreOneLine) {
    expectUsageError({"--mode", "fast"});
    expectUsageError({"--backend", "mpi"});
    expectUsageError({"--simulate", "fire"});
    expectUsageError({"--spawn", "1"});
    expectUsageError({"--spawn", "many"});
    expectUsageError({"--steps", "0"});
    expectUsageError({"--stage-deadline", "-3"});
    expectUsageError({"--out", ""});
    expectUsageError({"--unknown"});
    expectUsageError({"word"});
    expectUsageError({"--mode", "hardware", "--simulate", "hang"});
    expectUsageError({"--mode", "hardware", "--backend", "gloo"});
    expectUsageError({"--mode", "healthy", "--backend", "nccl"});
    expectUsageError({"--simulate", "hang", "--backend", "nccl"});
}

TEST(PocOptions, HelpTellsEveryOption) {
    const auto parsed = parse({"--help"});
    EXPECT_EQ(parsed.exitCode, 0);
    for (const char* word :
         {"--mode", "--backend", "--simulate", "--spawn", "--out", "--steps", "--stage-deadline",
          "lost-collective", "SIMULATE_BUG", "torchrun", "srun", "records.jsonl", "40 hang"})
        EXPECT_NE(parsed.message.find(word), std::string::npos) << word;
}
