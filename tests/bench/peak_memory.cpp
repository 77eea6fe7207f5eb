// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/peak_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace ddp::bench {

std::uint64_t statusBytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string name;
    for (std::uint64_t kilobytes = 0; status >> name;) {
        if (name == field + ":" && status >> kilobytes)
            return kilobytes * 1024;
        std::getline(status, name);
    }
    return 0;
}

std::pair<std::uint64_t, std::uint64_t> askChild(const std::string& arguments) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    struct Close {
        void operator()(FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<FILE, Close> pipe(popen(("'" + self + "' " + arguments).c_str(), "r"));
    unsigned long long first = 0;
    unsigned long long second = 0;
    if (!pipe || std::fscanf(pipe.get(), "%llu %llu", &first, &second) != 2)
        throw std::runtime_error("the child did not report its memory");
    return {first, second};
}

namespace {

std::uint64_t anonymous() {
    return statusBytes("RssAnon") + statusBytes("RssShmem");
}

} // namespace

PeakMemory importInChild(const std::filesystem::path& folder) {
    const auto [anonymousBytes, highWaterBytes] =
        askChild(std::string(kImportInChild) + " '" + folder.string() + "'");
    return {anonymousBytes, highWaterBytes};
}

std::uint64_t reopenInChild(const std::filesystem::path& folder, const std::filesystem::path& cache) {
    return askChild(std::string(kReopenInChild) + " '" + folder.string() + "' '" + cache.string() + "'")
        .first;
}

int reportResident(const std::function<std::shared_ptr<const void>()>& open) {
    const std::shared_ptr<const void> opened = open();
    std::printf("%llu %llu\n", static_cast<unsigned long long>(statusBytes("VmRSS")),
                static_cast<unsigned long long>(statusBytes("VmHWM")));
    return opened ? 0 : 1;
}

int reportImport(const std::function<void()>& import) {
    const std::uint64_t anonymousBefore = anonymous();
    const std::uint64_t residentBefore = statusBytes("VmRSS");
    std::uint64_t most = anonymousBefore;
    {
        std::jthread sampler([&](std::stop_token stop) {
            while (!stop.stop_requested()) {
                most = std::max(most, anonymous());
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
        import();
    }
    most = std::max(most, anonymous());
    std::printf("%llu %llu\n", static_cast<unsigned long long>(most - anonymousBefore),
                static_cast<unsigned long long>(statusBytes("VmHWM") - residentBefore));
    return 0;
}

} // namespace ddp::bench
