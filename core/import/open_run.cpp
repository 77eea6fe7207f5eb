// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_run.h"

#include "core/import/find_archives.h"
#include "core/import/otf2/otf2_reader.h"
#include "core/import/run_importer.h"

#include <exception>
#include <fmt/format.h>
#include <new>

namespace ddp {

Result<std::shared_ptr<const TraceStore>> openRun(const std::vector<std::filesystem::path>& paths,
                                                  std::stop_token stop, Progress& progress) {
    try {
        auto found = findArchives(paths);
        if (!found)
            return forward(found);
        RunImporter importer("otf2", std::move(stop), progress);
        for (FoundArchive& archive : found->archives) {
            auto reader = std::make_unique<otf2::Otf2Reader>(archive.anchor);
            importer.add(std::move(archive), std::move(reader));
        }
        for (ImportIssue& issue : found->issues)
            importer.addIssue(std::move(issue));
        return importer.run();
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
