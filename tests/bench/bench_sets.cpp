// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_sets.h"

#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <cstdlib>

namespace ddp::bench {

namespace {

BenchSet make(const std::filesystem::path& folder, bool kernelParameters) {
    test::GeneratorOptions options;
    options.ranks = 4;
    options.events = benchEvents();
    options.kernelParameters = kernelParameters;
    options.keepSlices = false;
    BenchSet set{folder, {}, test::generateOtf2(folder, options)};
    for (const auto& archive : set.totals.archives)
        set.anchors.push_back(folder / archive.folder / "traces.otf2");
    return set;
}

const std::filesystem::path& root() {
    static const test::TempFolder folder;
    return folder.path();
}

} // namespace

std::uint64_t benchEvents() {
    const char* wanted = std::getenv("DDP_BENCH_EVENTS");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 10'000'000;
}

const BenchSet& scorepSet() {
    static const BenchSet set = make(root() / "scorep", true);
    return set;
}

const BenchSet& plainSet() {
    static const BenchSet set = make(root() / "plain", false);
    return set;
}

} // namespace ddp::bench
