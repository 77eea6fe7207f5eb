// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/job_status.h"

#include <algorithm>

namespace ddp::remote::slurm {

namespace {

template <class T>
void fillOne(T& known, const T& told) {
    if (known == T())
        known = told;
}

} // namespace

/// Slurm gives a job that is requeued a new time of submission.
JobStatus::Try JobStatus::compareTry(const JobRow& row) const {
    if (m_facts.restarts && row.restarts && *m_facts.restarts != *row.restarts)
        return *row.restarts < *m_facts.restarts ? Try::Older : Try::Newer;
    if (m_facts.submitted && row.submitted && *m_facts.submitted != *row.submitted)
        return *row.submitted < *m_facts.submitted ? Try::Older : Try::Newer;
    return Try::Same;
}

void JobStatus::beginTry(const JobRow& row) {
    m_restarts = std::max(m_restarts + 1, row.restarts.value_or(0));
    JobRow fresh;
    fresh.id = m_facts.id;
    m_facts = fresh;
    m_endFromAccounts = false;
    m_gone = false;
    if (isFinal(m_state))
        m_state = JobState::Unknown; // that was the end of the try before
}

/// Only what is not known yet; what changes while a job lives is set by those that know it.
void JobStatus::fill(const JobRow& row) {
    fillOne(m_facts.id, row.id);
    fillOne(m_facts.name, row.name);
    fillOne(m_facts.user, row.user);
    fillOne(m_facts.partition, row.partition);
    fillOne(m_facts.nodes, row.nodes);
    fillOne(m_facts.submitted, row.submitted);
    fillOne(m_facts.started, row.started);
    fillOne(m_facts.ended, row.ended);
    fillOne(m_facts.timeLimit, row.timeLimit);
    fillOne(m_facts.exit, row.exit);
    fillOne(m_facts.restarts, row.restarts);
    fillOne(m_facts.cancelledBy, row.cancelledBy);
    if (row.restarts)
        m_restarts = std::max(m_restarts, *row.restarts);
    // The accounts list more and more steps while the job runs.
    if (row.steps.size() >= m_facts.steps.size())
        m_facts.steps = row.steps;
}

void JobStatus::enter(JobState state) {
    m_state = state;
    if (state != JobState::Unknown)
        m_lastKnown = state;
}

void JobStatus::observe(JobSource source, const JobRow& row, std::int64_t asked) {
    const Try which = compareTry(row);
    if (which == Try::Older)
        return;
    if (which == Try::Newer)
        beginTry(row);
    if (source == JobSource::Accounting)
        observeAccounts(row, asked);
    else
        observeLive(row, asked);
    fill(row);
}

void JobStatus::observeLive(const JobRow& row, std::int64_t asked) {
    // The accounts, asked later, have its end.
    if (asked < m_liveAsked || (!isFinal(row.state) && m_endFromAccounts && asked < m_endAsked))
        return;
    m_liveAsked = asked;
    m_gone = false;
    m_facts.reason = row.reason;
    if (isFinal(row.state) && m_endFromAccounts)
        return;
    // It waits again, and the time of submission did not tell: two tries within one second.
    if (isFinal(m_state) && row.state == JobState::Pending && !m_facts.restarts)
        beginTry(row);
    if (!isFinal(row.state)) {
        m_endFromAccounts = false;
        m_facts.ended.reset();
        m_facts.exit.reset();
        m_facts.cancelledBy.clear();
    }
    m_facts.state = row.state;
    enter(row.state);
}

void JobStatus::observeAccounts(const JobRow& row, std::int64_t asked) {
    if (!isFinal(row.state)) {
        // The accounts may not have heard of an end yet, so this only helps where nobody else has told
        // anything.
        if (m_state == JobState::Unknown && !m_gone) {
            m_facts.state = row.state;
            enter(row.state);
        }
        return;
    }
    // slurmctld, asked later, says that it lives.
    if (asked < m_liveAsked && !m_gone && m_state != JobState::Unknown && !isFinal(m_state))
        return;
    if (row.exit)
        m_facts.exit = row.exit;
    if (row.ended)
        m_facts.ended = row.ended;
    m_facts.state = row.state;
    m_endFromAccounts = true;
    m_endAsked = asked;
    enter(row.state);
}

void JobStatus::observeMissing(JobSource source, std::int64_t asked) {
    if (source == JobSource::Accounting || asked < m_liveAsked)
        return;
    m_liveAsked = asked;
    m_gone = true;
    if (!isFinal(m_state))
        enter(JobState::Unknown);
}

bool JobStatus::outOfMemory() const {
    return m_state == JobState::OutOfMemory ||
           std::any_of(m_facts.steps.begin(), m_facts.steps.end(),
                       [](const JobStep& step) { return step.state == JobState::OutOfMemory; });
}

} // namespace ddp::remote::slurm
