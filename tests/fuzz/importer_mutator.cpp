// SPDX-License-Identifier: GPL-3.0-or-later
// Changes one file of a container at a time: a byte put in anywhere would otherwise move all files behind it.
#include "tests/fuzz/file_container.h"

#include <algorithm>
#include <iterator>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
    using namespace ddp::fuzz;
    std::minstd_rand random(seed);
    FileContainer files = unpack({data, size});
    if (files.empty() || random() % 64 == 0)
        return LLVMFuzzerMutate(data, size, most);
    const auto file = std::next(files.begin(), static_cast<std::ptrdiff_t>(random() % files.size()));
    std::string& content = file->second;
    switch (random() % 32) {
    case 0:
        files.erase(file);
        break;
    case 1:
        content.resize(random() % (content.size() + 1));
        break;
    case 2: // another file's place, so that a location gets the events of another
        files[static_cast<std::uint8_t>(random())] = content;
        break;
    default: {
        const std::size_t old = content.size();
        const std::size_t room =
            std::max<std::size_t>(old, 1) + std::min<std::size_t>(most - std::min(size, most), 64);
        content.resize(room);
        content.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(content.data()), old, room));
    }
    }
    const auto packed = pack(files);
    const std::size_t taken = std::min(packed.size(), most);
    std::copy_n(packed.begin(), taken, data);
    return taken;
}
