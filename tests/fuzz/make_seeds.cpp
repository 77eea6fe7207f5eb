// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the first inputs of a fuzz target: small whole runs of several kinds.
#include "tests/fuzz/file_container.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <cstdio>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace ddp;

void store(const fs::path& run, const fs::path& seed) {
    const auto bytes = fuzz::pack(fuzz::collect(run));
    std::ofstream(seed, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3 || std::string(argv[1]) != "importer") {
        std::fprintf(stderr, "usage: fuzz_make_seeds importer FOLDER\n");
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
        store(folder.path(), out / ("run-" + std::to_string(seed)));
    }
    return 0;
}
