// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/device_facts.h"
#include "remote/worker/options.h"
#include "remote/worker/process_limits.h"
#include "remote/worker/rank_env.h"
#include "remote/worker/rank_output.h"
#include "remote/worker/rank_run.h"
#include "remote/worker/rank_session.h"
#include "remote/worker/spawn.h"
#include "remote/worker/watchdog.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
// lost-collective needs fresh memory to be zero, as on a GPU; M_PERTURB does not reach the sanitizer's
// allocator. The leak check is off since a rank leaves by _exit and libtorch keeps its registries for ever.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
    return "max_malloc_fill_size=1073741824:malloc_fill_byte=0:detect_leaks=0";
}
#endif

namespace {

using namespace ddp::worker;

int complain(const std::string& sentence, int exitCode) {
    std::fprintf(stderr, "ddpscope-worker: %s\n", sentence.c_str());
    return exitCode;
}

int runRank(const PocOptions& options, const RankPlace& place) {
    // Before libtorch allocates: it makes glibc hand out zeroed memory (0xff is inverted), see README.md.
    if (options.simulation == Simulation::LostCollective)
        ::mallopt(M_PERTURB, 0xff);
    blockStopSignals();
    RankOutput output;
    if (const std::string problem = output.open(options.out, place.rank); !problem.empty())
        return complain(problem, ddp::records::kExitUsage);
    RankSession session(options, place, output);
    runNodeCheck(session);
}

} // namespace

int main(int argc, char** argv) {
    limitProcess();
    const ParsedOptions parsed = parseOptions(argc, argv, std::getenv("SIMULATE_BUG"));
    if (!parsed.options && parsed.exitCode == 0) {
        std::fputs(parsed.message.c_str(), stdout);
        return 0;
    }
    if (!parsed.options)
        return complain(parsed.message, parsed.exitCode);
    const PocOptions& options = *parsed.options;
#if !defined(DDP_WORKER_NCCL)
    if (options.backend == Backend::Nccl && options.backendGiven)
        return complain(
            "--backend nccl: this worker is built without NCCL; build it with the preset cuda and a CUDA "
            "libtorch, or use --backend gloo for a check of the CPU path",
            ddp::records::kExitUsage);
#endif
    if (options.spawn > 0)
        return runParent(options, argc, argv);
    const PlaceFound found = placeFromEnvironment([](const char* name) { return std::getenv(name); });
    if (found.place)
        return runRank(options, *found.place);
    // Without a GPU the hardware check fails for that reason, however it is started.
    if (options.mode == Mode::Hardware) {
        if (const std::string problem = readDeviceFacts(0).problem; !problem.empty())
            return complain(problem +
                                "; --mode hardware needs a GPU per rank and never falls back to the CPU",
                            ddp::records::kExitNodeFault);
    }
    return complain(found.problem, ddp::records::kExitUsage);
}
