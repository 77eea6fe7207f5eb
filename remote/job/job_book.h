// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/job/cluster_job.h"
#include "remote/job/job_lock.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp::history {
class Database;
}

namespace ddp::remote {

/// All jobs of this user, in the database of the program (core/history), so that they outlive it. Several
/// programs may have it open; each of its calls is one transaction. One object is for one thread at a time;
/// errors name the file.
class JobBook {
public:
    /// Makes the file and its folder where they are missing.
    static Result<JobBook> open(const std::filesystem::path& file);
    JobBook(JobBook&&) noexcept;
    JobBook& operator=(JobBook&&) noexcept;
    ~JobBook();

    /// All of them or none.
    Result<void> add(const std::vector<JobRecord>& jobs);

    // By the program that holds the lock of the job.

    /// Writes all of it but `cancelWanted`.
    Result<void> update(const JobRecord& job);
    /// Recorded -> Preparing, if fewer than `most` jobs of its cluster are in the queue; false if not.
    Result<bool> takeTurn(JobRecord& job, int most);

    /// The user wants it cancelled, whoever works on it now. False when there is no job of this id, or it is
    /// over.
    Result<bool> wantCancel(const std::string& id);

    /// In the order in which they were recorded.
    Result<std::vector<JobRecord>> all() const;
    Result<std::vector<JobRecord>> forCluster(const std::string& cluster) const;
    /// Those that are not over.
    Result<std::vector<JobRecord>> unfinished(const std::string& cluster) const;
    Result<std::optional<JobRecord>> find(const std::string& id) const;

    /// The right to change a job, for one program at a time; empty when another one has it. It is gone when
    /// the program is, however that ended. What was read of the job before is old then: read it again.
    Result<std::optional<JobLock>> lock(const std::string& id) const;

    /// Changes whenever another program or another JobBook wrote something: a cheap reason to read again.
    Result<std::int64_t> changes() const;

private:
    explicit JobBook(std::unique_ptr<history::Database> database);
    std::unique_ptr<history::Database> m_database;
};

} // namespace ddp::remote
