// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"

namespace ddp::remote::slurm {

/// Who told it. Queue and Controller ask slurmctld, which knows what is now; Accounting lags, but remembers.
enum class JobSource { Queue, Controller, Accounting };

/// What is known of one job, merged from answers that may arrive in any order. A plain value; it starts
/// Unknown.
///
/// - A failed question is no answer: do not call anything then, and nothing changes.
/// - A job that a good answer lacks is not finished, it is Unknown, until the accounts tell how it ended.
/// - An answer to an older question, or about an earlier try of a requeued job, never replaces a newer one.
/// - How a job ended is taken from the accounts where they know it.
class JobStatus {
public:
    /// `asked`: when the question was sent, in any unit that only grows; all calls use the same clock.
    void observe(JobSource source, const JobRow& row, std::int64_t asked);

    /// The answer was good and does not have the job. Of the accounts it means nothing, they lag.
    void observeMissing(JobSource source, std::int64_t asked);

    JobState state() const { return m_state; }
    bool finished() const { return isFinal(m_state); }
    /// The last state that was known, to show beside Unknown.
    JobState lastKnown() const { return m_lastKnown; }
    /// slurmctld does not know it any more: ask the accounts, and the job's own end marker.
    bool gone() const { return m_gone; }
    /// A step or the job ended for want of memory, whatever the job's own state says.
    bool outOfMemory() const;
    /// How often it was seen or said to be started again.
    int restarts() const { return m_restarts; }
    /// All that was told of its present try. Its state may be older than state().
    const JobRow& facts() const { return m_facts; }

    bool operator==(const JobStatus&) const = default;

private:
    enum class Try { Older, Same, Newer };
    Try compareTry(const JobRow& row) const;
    void beginTry(const JobRow& row);
    void fill(const JobRow& row);
    void enter(JobState state);
    void observeLive(const JobRow& row, std::int64_t asked);
    void observeAccounts(const JobRow& row, std::int64_t asked);

    JobState m_state = JobState::Unknown;
    JobState m_lastKnown = JobState::Unknown;
    bool m_gone = false;
    bool m_endFromAccounts = false;
    std::int64_t m_endAsked = 0; ///< of that answer of the accounts
    int m_restarts = 0;
    std::int64_t m_liveAsked = INT64_MIN; ///< of the newest answer of slurmctld
    JobRow m_facts;
};

} // namespace ddp::remote::slurm
