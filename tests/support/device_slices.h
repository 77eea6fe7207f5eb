// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// What ran on accelerators, as the small readers of the tests find it in files of other tools, made a run.
namespace ddp::test {

struct DeviceSlice {
    int device = 0;
    int stream = 0;
    std::int64_t begin = 0; ///< ns, of the file's clock
    std::int64_t end = 0;
    std::string name;
    RegionRole role = RegionRole::Kernel; ///< or Transfer: a copy or a fill
    std::vector<std::pair<std::string, std::variant<std::int64_t, std::string>>> attributes;
};

struct DeviceRank {
    std::optional<int> rank; ///< nothing: its place in the order of the files
    std::string archive;
    std::vector<DeviceSlice> slices;
};

enum class RankClocks {
    Shared,  ///< one clock domain: the times of the files can be compared
    Separate ///< one for each rank, uncalibrated: each begins at 0
};

/// One location "CUDA[device:stream]" for each stream. Slices may come in any order and overlap.
std::shared_ptr<const TraceStore> storeOf(std::string_view format, std::vector<DeviceRank> ranks,
                                          RankClocks clocks);

} // namespace ddp::test
