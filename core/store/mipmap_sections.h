// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/lane_mipmap.h"
#include "core/store/store_file.h"
#include "core/store/store_writer.h"
#include "core/store/trace_store.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace ddp {

/// Makes the mipmap of every lane, on all cores, and puts it into the file that holds the lanes. `store` has
/// to be in the times of the file.
void putMipmaps(const TraceStore& store, StoreWriter& file, const std::stop_token& stop);

/// The mipmaps of all lanes, by the place of the lane in the file; empty ones for lanes that have none, or
/// none that can be right.
std::vector<LaneMipmapView> viewMipmaps(const StoreFile& file, std::size_t lanes);

} // namespace ddp
