// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/store/store_cache.h"
#include "core/store/trace_store.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp {

struct OpenOptions {
    bool cache = true;                                ///< keep what was read, and look there first
    std::optional<std::filesystem::path> cacheFolder; ///< else StoreCache::defaultFolder()
    std::uint64_t cacheLimitBytes = StoreCache::kDefaultLimit;
};

/// Opens every trace below the paths as one run: an OTF2 anchor file, an archive folder, or a folder that
/// holds archives at any depth. A run that was read before comes from the cache. May take seconds; any
/// thread. Fails with one sentence that names the path when it does not exist, may not be read, or holds no
/// trace; whatever is damaged inside a trace is an ImportIssue instead. Stopped, it leaves nothing behind.
Result<std::shared_ptr<const TraceStore>> openRun(const std::vector<std::filesystem::path>& paths,
                                                  const OpenOptions& options, std::stop_token stop,
                                                  Progress& progress);
/// With the options as they are by default.
Result<std::shared_ptr<const TraceStore>> openRun(const std::vector<std::filesystem::path>& paths,
                                                  std::stop_token stop, Progress& progress);

} // namespace ddp
