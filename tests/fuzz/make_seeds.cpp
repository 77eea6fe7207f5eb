// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the first inputs of a fuzz target: small whole runs of several kinds.
#include "core/import/open_run.h"
#include "tests/fuzz/file_container.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace ddp;

void storeFiles(const fs::path& run, const fs::path& seed) {
    const auto bytes = fuzz::pack(fuzz::collect(run));
    std::ofstream(seed, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// The store file that the cache keeps of it.
void storeFile(const fs::path& run, const fs::path& seed) {
    const test::TempFolder cache;
    Progress progress;
    if (const auto store = openRun({run}, {.cacheFolder = cache.path()}, {}, progress); !store)
        throw std::runtime_error(store.error().message);
    for (const auto& entry : fs::directory_iterator(cache.path()))
        if (entry.is_regular_file())
            fs::copy_file(entry, seed, fs::copy_options::overwrite_existing);
}

} // namespace

int main(int argc, char** argv) {
    const std::string target = argc == 3 ? argv[1] : "";
    if (target != "importer" && target != "store") {
        std::fprintf(stderr, "usage: fuzz_make_seeds importer|store FOLDER\n");
        return 64;
    }
    const fs::path out = argv[2];
    fs::create_directories(out);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const test::TempFolder folder;
        test::GeneratorOptions options;
        options.seed = seed;
        options.ranks = seed % 4 == 3 ? 2 : 1;
        options.hosts = options.ranks;
        options.events = 100 + 50 * seed;
        options.wallClock = seed % 4 == 2;
        options.kernelParameters = seed % 2 == 0;
        options.chunkBytes = 256 << 10; // the least: libotf2 clears a chunk for every file that it opens
        test::generateOtf2(folder.path(), options);
        const auto keep = target == "store" ? storeFile : storeFiles;
        keep(folder.path(), out / ("run-" + std::to_string(seed)));
    }
    return 0;
}
