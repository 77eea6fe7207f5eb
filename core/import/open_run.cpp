// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_run.h"

#include "core/analysis/classify.h"
#include "core/analysis/run_activity.h"
#include "core/import/find_archives.h"
#include "core/import/otf2/otf2_reader.h"
#include "core/import/run_importer.h"
#include "core/import/source_identity.h"

#include <exception>
#include <fmt/format.h>
#include <new>

namespace ddp {

namespace {

std::optional<StoreCache> cacheOf(const OpenOptions& options) {
    auto folder = options.cacheFolder;
    if (options.cache && !folder)
        folder = StoreCache::defaultFolder();
    return options.cache && folder
               ? std::optional<StoreCache>(std::in_place, *folder, options.cacheLimitBytes)
               : std::nullopt;
}

std::shared_ptr<const TraceStore> findIn(const StoreCache& cache, StoreKey key) {
    auto file = cache.find(key);
    if (!file)
        return nullptr;
    auto store = TraceStore::open(std::move(file));
    if (!store)
        cache.remove(key); // the trace is there: it is read again
    return store ? std::move(*store) : nullptr;
}

Result<std::shared_ptr<const TraceStore>> importRun(FoundArchives found, std::unique_ptr<StoreWriter> file,
                                                    const StoreCache* cache, StoreKey key,
                                                    std::stop_token stop, Progress& progress) {
    RunImporter importer("otf2", std::move(file), stop, progress);
    for (FoundArchive& archive : found.archives) {
        auto reader = std::make_unique<otf2::Otf2Reader>(archive.anchor);
        importer.add(std::move(archive), std::move(reader));
    }
    for (ImportIssue& issue : found.issues)
        importer.addIssue(std::move(issue));
    importer.deriveBy([&stop](const TraceStore& slices, StoreWriter& into) {
        RunActivity::put(slices, classify(slices, ClassRules::builtin()).classes, into, stop);
    });
    auto store = importer.run(key);
    if (store && cache)
        cache->keep(importer.file(), key);
    return store;
}

} // namespace

Result<std::shared_ptr<const TraceStore>> openRun(const std::vector<std::filesystem::path>& paths,
                                                  std::stop_token stop, Progress& progress) {
    return openRun(paths, OpenOptions(), std::move(stop), progress);
}

Result<std::shared_ptr<const TraceStore>> openRun(const std::vector<std::filesystem::path>& paths,
                                                  const OpenOptions& options, std::stop_token stop,
                                                  Progress& progress) {
    try {
        auto found = findArchives(paths);
        if (!found)
            return forward(found);
        const auto cache = cacheOf(options);
        if (!cache)
            return importRun(std::move(*found), std::make_unique<StoreWriter>(), nullptr, {}, stop, progress);
        const StoreKey key = sourceIdentity(*found, stop);
        if (options.renew)
            cache->remove(key);
        else if (!stop.stop_requested())
            if (auto store = findIn(*cache, key))
                return store;
        return importRun(std::move(*found), cache->newFile(), &*cache, key, stop, progress);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::Failed,
                    fmt::format("{} needs more memory than this machine has; open fewer ranks.",
                                paths.front().string()));
    } catch (const std::exception& error) { // of std::filesystem, on a path that it can not express
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be opened: {}.", paths.front().string(), error.what()));
    }
}

} // namespace ddp
