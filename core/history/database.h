// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace ddp::history {

/// The one database of the program, in a file. Several programs may have it open at a time: readers never
/// wait, writers wait for each other, up to ten seconds. One object is for one thread at a time. Only for
/// those who keep tables in it; SQLite's exceptions end here.
class Database {
public:
    /// Makes the file and its folder where they are missing and brings its tables to the present form. A file
    /// of a newer program is refused and stays as it is.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return m_file; }

    /// Runs `work(SQLite::Database&)` in one transaction of its own: all of it is in the file when this
    /// returns, or nothing. No other program writes meanwhile.
    template <class Work>
    Result<std::invoke_result_t<Work, SQLite::Database&>> change(Work work) {
        return guarded([&] {
            SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
            auto value = work(*m_database);
            transaction.commit();
            return value;
        });
    }

    /// Runs `work(SQLite::Database&)`, which only reads.
    template <class Work>
    Result<std::invoke_result_t<Work, SQLite::Database&>> read(Work work) {
        return guarded([&] { return work(*m_database); });
    }

private:
    explicit Database(std::filesystem::path file) : m_file(std::move(file)) {}
    Error errorOf(const SQLite::Exception& exception) const;
    Result<void> connect();

    template <class Call>
    Result<std::invoke_result_t<Call>> guarded(Call call) {
        try {
            return call();
        } catch (const SQLite::Exception& exception) {
            return tl::unexpected<Error>(errorOf(exception));
        }
    }

    std::filesystem::path m_file;
    std::optional<SQLite::Database> m_database;
};

} // namespace ddp::history
