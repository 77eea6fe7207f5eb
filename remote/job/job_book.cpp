// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_book.h"

#include "core/history/database.h"
#include "core/report/triage_json.h"
#include "remote/job/job_details.h"

#include <fmt/format.h>

#include <array>

namespace ddp::remote {

namespace {

constexpr const char* kSelect =
    "SELECT id, cluster, node, state, recorded, cancel_wanted, verdict, details FROM jobs";

/// The states that the predicate takes, as a list for SQL.
std::string statesWhere(bool (*predicate)(JobState)) {
    std::string list;
    for (int state = 0; state <= static_cast<int>(JobState::Cancelled); ++state)
        if (predicate(static_cast<JobState>(state)))
            list +=
                fmt::format("{}'{}'", list.empty() ? "" : ", ", jobStateWord(static_cast<JobState>(state)));
    return "(" + list + ")";
}

std::optional<triage::Verdict> parseVerdict(std::string_view word) {
    for (const auto verdict : {triage::Verdict::Pass, triage::Verdict::Fail, triage::Verdict::Inconclusive})
        if (word == report::verdictName(verdict))
            return verdict;
    return std::nullopt;
}

Result<JobRecord> recordOf(SQLite::Statement& row) {
    JobRecord job;
    job.id = row.getColumn(0).getString();
    job.cluster = row.getColumn(1).getString();
    job.request.node = row.getColumn(2).getString();
    const auto state = parseJobState(row.getColumn(3).getString());
    job.recorded = row.getColumn(4).getInt64();
    job.cancelWanted = row.getColumn(5).getInt() != 0;
    if (!row.getColumn(6).isNull())
        job.verdict = parseVerdict(row.getColumn(6).getString());
    if (!state)
        return fail(ErrorCode::Unreadable, fmt::format("job {}: its state is of a newer ddpscope.", job.id));
    job.state = *state;
    if (auto read = readJobDetails(row.getColumn(7).getString(), job); !read)
        return fail(read.error().code, fmt::format("job {}: {}", job.id, read.error().message));
    return job;
}

/// All rows of a query whose '?' are `values`.
Result<std::vector<JobRecord>> select(history::Database& database, const std::string& query,
                                      const std::vector<std::string>& values) {
    auto rows = database.read([&](SQLite::Database& file) -> Result<std::vector<JobRecord>> {
        SQLite::Statement statement(file, query);
        for (std::size_t i = 0; i < values.size(); ++i)
            statement.bind(static_cast<int>(i) + 1, values[i]);
        std::vector<JobRecord> jobs;
        while (statement.executeStep()) {
            auto job = recordOf(statement);
            if (!job)
                return forward(job);
            jobs.push_back(std::move(*job));
        }
        return jobs;
    });
    if (!rows)
        return forward(rows);
    if (!*rows)
        return fail(rows->error().code,
                    fmt::format("{}, {}", database.file().string(), rows->error().message));
    return std::move(*rows);
}

void bindText(SQLite::Statement& statement, const char* name, std::string_view text) {
    statement.bind(name, std::string(text));
}

/// What add() and update() write.
void bindRecord(SQLite::Statement& statement, const JobRecord& job) {
    bindText(statement, ":id", job.id);
    bindText(statement, ":state", jobStateWord(job.state));
    bindText(statement, ":details", jobDetails(job));
    if (job.verdict)
        bindText(statement, ":verdict", report::verdictName(*job.verdict));
}

} // namespace

JobBook::JobBook(std::unique_ptr<history::Database> database) : m_database(std::move(database)) {}
JobBook::JobBook(JobBook&&) noexcept = default;
JobBook& JobBook::operator=(JobBook&&) noexcept = default;
JobBook::~JobBook() = default;

Result<JobBook> JobBook::open(const std::filesystem::path& file) {
    auto database = history::Database::open(file);
    if (!database)
        return forward(database);
    return JobBook(std::move(*database));
}

Result<void> JobBook::add(const std::vector<JobRecord>& jobs) {
    auto added = m_database->change([&](SQLite::Database& file) {
        for (const JobRecord& job : jobs) {
            SQLite::Statement insert(
                file, "INSERT INTO jobs (id, cluster, node, state, recorded, verdict, details) VALUES "
                      "(:id, :cluster, :node, :state, :recorded, :verdict, :details)");
            bindRecord(insert, job);
            bindText(insert, ":cluster", job.cluster);
            bindText(insert, ":node", job.request.node);
            insert.bind(":recorded", job.recorded);
            insert.exec();
        }
        return true;
    });
    if (!added)
        return forward(added);
    return {};
}

Result<void> JobBook::update(const JobRecord& job) {
    auto written = m_database->change([&](SQLite::Database& file) {
        SQLite::Statement update(
            file, "UPDATE jobs SET state = :state, verdict = :verdict, details = :details WHERE id = :id");
        bindRecord(update, job);
        return update.exec();
    });
    if (!written)
        return forward(written);
    if (*written != 1)
        return fail(ErrorCode::Failed, fmt::format("{} has no job {} any more: somebody took it out.",
                                                   m_database->file().string(), job.id));
    return {};
}

Result<bool> JobBook::takeTurn(JobRecord& job, int most) {
    static const std::string kTurn =
        "UPDATE jobs SET state = 'preparing' WHERE id = :id AND state = 'recorded' AND "
        "(SELECT count(*) FROM jobs WHERE cluster = :cluster AND state IN " +
        statesWhere(isInQueue) + ") < :most";
    auto changed = m_database->change([&](SQLite::Database& file) {
        SQLite::Statement update(file, kTurn);
        bindText(update, ":id", job.id);
        bindText(update, ":cluster", job.cluster);
        update.bind(":most", most);
        return update.exec();
    });
    if (!changed)
        return forward(changed);
    if (*changed == 1)
        job.state = JobState::Preparing;
    return *changed == 1;
}

Result<bool> JobBook::wantCancel(const std::string& id) {
    static const std::string kWant =
        "UPDATE jobs SET cancel_wanted = 1 WHERE id = :id AND state NOT IN " + statesWhere(isFinal);
    auto changed = m_database->change([&](SQLite::Database& file) {
        SQLite::Statement update(file, kWant);
        bindText(update, ":id", id);
        return update.exec();
    });
    if (!changed)
        return forward(changed);
    return *changed == 1;
}

Result<std::vector<JobRecord>> JobBook::all() const {
    return select(*m_database, std::string(kSelect) + " ORDER BY row", {});
}

Result<std::vector<JobRecord>> JobBook::forCluster(const std::string& cluster) const {
    return select(*m_database, std::string(kSelect) + " WHERE cluster = ? ORDER BY row", {cluster});
}

Result<std::vector<JobRecord>> JobBook::unfinished(const std::string& cluster) const {
    return select(*m_database,
                  std::string(kSelect) + " WHERE cluster = ? AND state NOT IN " + statesWhere(isFinal) +
                      " ORDER BY row",
                  {cluster});
}

Result<std::optional<JobRecord>> JobBook::find(const std::string& id) const {
    auto jobs = select(*m_database, std::string(kSelect) + " WHERE id = ?", {id});
    if (!jobs)
        return forward(jobs);
    return jobs->empty() ? std::nullopt : std::optional(std::move(jobs->front()));
}

Result<std::optional<JobLock>> JobBook::lock(const std::string& id) const {
    auto row = m_database->read([&](SQLite::Database& file) {
        SQLite::Statement statement(file, "SELECT row FROM jobs WHERE id = ?");
        statement.bind(1, id);
        return statement.executeStep() ? statement.getColumn(0).getInt64() : 0;
    });
    if (!row)
        return forward(row);
    if (*row == 0)
        return fail(ErrorCode::Usage,
                    fmt::format("There is no job {} in {}.", id, m_database->file().string()));
    return JobLock::tryLock(m_database->file().string() + ".locks", *row);
}

Result<std::int64_t> JobBook::changes() const {
    return m_database->read(
        [](SQLite::Database& file) { return file.execAndGet("PRAGMA data_version").getInt64(); });
}

} // namespace ddp::remote
