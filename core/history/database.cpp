// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace ddp::history {

namespace {

namespace fs = std::filesystem;

constexpr int kBusyMilliseconds = 10'000;

/// Step n brings a file of version n to version n + 1. A step that was released is never changed.
constexpr std::array kSteps = {
    R"(
CREATE TABLE jobs (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    cluster TEXT NOT NULL,
    node TEXT NOT NULL,
    state TEXT NOT NULL,
    recorded INTEGER NOT NULL,
    cancel_wanted INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    details TEXT NOT NULL
);
CREATE INDEX jobs_of_cluster ON jobs (cluster, state);
)",
};

int versionOf(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

/// The version of the file after it; a version that is not known here is left alone.
int migrate(SQLite::Database& database) {
    // Within the transaction: another program may be migrating the same file.
    const int version = versionOf(database);
    for (std::size_t step = static_cast<std::size_t>(version); step < kSteps.size(); ++step)
        database.exec(kSteps[step]);
    if (version < static_cast<int>(kSteps.size()))
        database.exec(fmt::format("PRAGMA user_version = {}", kSteps.size()));
    return versionOf(database);
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const fs::path& file) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
        return fail(ErrorCode::Unwritable,
                    fmt::format("The folder {} can not be made ({}): check its permissions.",
                                file.parent_path().string(), error.message()));
    // Nobody else's business. Never on a file that is there: closing it would take SQLite's locks away.
    if (const int fresh = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); fresh >= 0)
        ::close(fresh);
    std::unique_ptr<Database> database(new Database(file));
    if (auto connected = database->connect(); !connected)
        return forward(connected);
    return database;
}

Result<void> Database::connect() {
    auto opened = guarded([&] {
        m_database.emplace(m_file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMilliseconds);
        // A job must be in the file before it is anywhere else, also when the power fails.
        m_database->exec("PRAGMA synchronous = FULL");
        // Two programs that open a new file at once: SQLite does not wait for this one by itself, and the
        // other one does it as well. On a network file system there is no WAL, and it works without.
        m_database->tryExec("PRAGMA journal_mode = WAL");
        return true;
    });
    if (!opened)
        return forward(opened);
    auto version = change(migrate);
    if (!version)
        return forward(version);
    if (*version > static_cast<int>(kSteps.size()))
        return fail(
            ErrorCode::Unreadable,
            fmt::format("{} was written by a newer ddpscope (its version is {}, this program knows {}): "
                        "use that one.",
                        m_file.string(), *version, kSteps.size()));
    return {};
}

Error Database::errorOf(const SQLite::Exception& exception) const {
    const std::string name = m_file.string();
    switch (exception.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::Timeout, fmt::format("Another program has held {} for more than {} s: try again.",
                                                name, kBusyMilliseconds / 1000)};
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return {ErrorCode::Unreadable,
                fmt::format("{} is damaged or no database of ddpscope ({}): move it away to start a new one.",
                            name, exception.getErrorStr())};
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return {ErrorCode::Unwritable,
                fmt::format("{} can not be written ({}): check its permissions and the space on its disk.",
                            name, exception.getErrorStr())};
    default:
        return {ErrorCode::Failed, fmt::format("{} can not be used: {}.", name, exception.what())};
    }
}

} // namespace ddp::history
