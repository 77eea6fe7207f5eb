// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace ddp::otf2 {

/// Whether the file can be given to libotf2 as an anchor: it is there, may be read, is one, ends where it has
/// to, and the sizes it declares are possible. libotf2 itself trusts the anchor: a damaged count there makes
/// it loop for hours or ask for any amount of memory, and of an anchor that it refuses it leaves the file
/// open.
Result<void> checkAnchor(const std::filesystem::path& anchor);

} // namespace ddp::otf2
