// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/device_slices.h"

#include <filesystem>
#include <vector>

namespace ddp::test {

/// The kernels, copies and fills of Kineto files (.json or .json.gz), one rank each; host events are left
/// out. What NCCL kernels tell about their collective and the correlation id are attributes of the slices.
/// Throws std::exception when a file is not as expected.
std::shared_ptr<const TraceStore> readKineto(const std::vector<std::filesystem::path>& files,
                                             RankClocks clocks = RankClocks::Shared);

} // namespace ddp::test
