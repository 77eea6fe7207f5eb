// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace ddp {

/// What Score-P puts into the name of a stream: `CUDA[0:7]`, `HIP[1:0]`; `CUDA[?:7]` has no device.
struct StreamName {
    std::optional<int> device;
    int stream = 0;
};

/// Nothing when the name has another form.
std::optional<StreamName> parseStreamName(std::string_view name);

/// The number behind the last "rank" of a name, whatever its case: "MPI Rank 3", "scorep-rank-0", "rank_12",
/// "rank7".
std::optional<int> parseRank(std::string_view name);

/// A name made of digits only, not negative and within int.
std::optional<int> parseNumber(std::string_view text);

} // namespace ddp
