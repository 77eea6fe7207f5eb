// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_sets.h"

#include "core/import/open_run.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <stdexcept>

namespace ddp::bench {

namespace {

const std::filesystem::path& root() {
    static const test::TempFolder folder;
    return folder.path();
}

std::uint64_t wanted(const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : 10'000'000;
}

BenchSet make(const char* name, std::uint64_t events, bool kernelParameters, int ranks = 4) {
    const std::filesystem::path folder = root() / name;
    test::GeneratorOptions options;
    options.ranks = ranks;
    options.events = events;
    options.kernelParameters = kernelParameters;
    options.keepSlices = false;
    BenchSet set{folder, {}, test::generateOtf2(folder, options)};
    for (const auto& archive : set.totals.archives)
        set.anchors.push_back(folder / archive.folder / "traces.otf2");
    return set;
}

} // namespace

std::uint64_t benchEvents() {
    return wanted("DDP_BENCH_EVENTS");
}

std::uint64_t benchSlices() {
    return wanted("DDP_BENCH_SLICES");
}

const BenchSet& scorepSet() {
    static const BenchSet set = make("scorep", benchEvents(), true);
    return set;
}

const BenchSet& plainSet() {
    static const BenchSet set = make("plain", benchEvents(), false);
    return set;
}

const BenchSet& slicesSet() {
    static const BenchSet set = make("slices", benchSlices() * 21 / 10, false); // 0.49 slices an event
    return set;
}

const BenchSet& eightRanksSet() {
    static const BenchSet set = make("eight", benchEvents(), true, 8);
    return set;
}

std::shared_ptr<const TraceStore> openSet(const std::filesystem::path& folder,
                                          const std::filesystem::path& cache) {
    Progress progress;
    auto store = openRun({folder}, {.cacheFolder = cache}, {}, progress);
    if (!store)
        throw std::runtime_error(store.error().message);
    return *store;
}

} // namespace ddp::bench
