// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/device_slices.h"

#include <filesystem>

namespace ddp::test {

/// The kernels, copies and fills of an SQLite export of Nsight Systems; each process is a rank, in the order
/// of the process ids. Throws std::exception when the file is not as expected.
std::shared_ptr<const TraceStore> readNsys(const std::filesystem::path& file);

} // namespace ddp::test
