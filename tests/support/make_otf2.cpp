// SPDX-License-Identifier: GPL-3.0-or-later
// make_otf2 OUT --ranks 4 --events 10000000 --seed 1: a set of OTF2 archives for tests by hand.
#include "tests/support/otf2_generator.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
    ddp::test::GeneratorOptions options;
    options.keepSlices = false;
    std::string out;
    bool plainKernels = false;
    CLI::App app{"Writes a set of OTF2 archives as Score-P's CUDA adapter leaves them."};
    app.add_option("OUT", out, "folder; one scorep-rank-N below it for each rank")->required();
    app.add_option("--ranks", options.ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--hosts", options.hosts)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--events", options.events, "of the whole set, about")->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_flag("--one-archive", options.oneArchive, "all ranks in OUT itself, as an MPI run leaves them");
    app.add_flag("--wall-clock", options.wallClock, "SCOREP_TIMER=gettimeofday");
    app.add_flag("--plain-kernels", plainKernels, "no parameters behind the ENTER of kernels");
    app.add_option("--devices", options.devices, "of each rank")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--late", options.lateNs, "per rank: nanoseconds by which it is late, up to 150000");
    app.add_option("--drift", options.driftPpm, "per host: ppm by which its timer runs too fast");
    app.add_flag("--kernels-under-collectives", options.kernelsUnderCollectives);
    app.add_flag("--overlapping-kernels", options.overlappingKernels);
    app.add_flag("--communication-on-compute-stream", options.communicationOnComputeStream);
    CLI11_PARSE(app, argc, argv);
    options.kernelParameters = !plainKernels;
    try {
        const ddp::test::Truth truth = ddp::test::generateOtf2(out, options);
        std::printf("%s: %zu locations, %llu events, %llu slices\n", out.c_str(), truth.locations.size(),
                    static_cast<unsigned long long>(truth.events()),
                    static_cast<unsigned long long>(truth.sliceCount()));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_otf2: %s can not be written: %s\n", out.c_str(), error.what());
        return 1;
    }
    return 0;
}
