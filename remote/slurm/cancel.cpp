// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/cancel.h"

#include "remote/slurm/queue.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

namespace ddp::remote::slurm {

namespace {

using Clock = std::chrono::steady_clock;

/// Waits, but not after the stop was requested.
void pause(std::stop_token stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
}

class Cancellation {
public:
    Cancellation(Transport& transport, const Site& site, JobId id, std::chrono::milliseconds poll,
                 std::stop_token stop)
        : m_transport(transport), m_site(site), m_id(std::move(id)), m_poll(poll), m_stop(std::move(stop)) {}

    Result<JobRow> look() {
        auto row = askController(m_transport, m_site, m_id, {});
        if (!row)
            return forward(row);
        if (!*row)
            return fail(
                ErrorCode::Failed,
                fmt::format("The Slurm of {} does not know job {} any more; there is nothing to cancel.",
                            m_transport.host(), m_id.number));
        return **row;
    }

    /// Until it is over, the time has passed or the stop is requested. One answer that fails does not end it.
    Result<JobRow> watch(std::chrono::milliseconds time) {
        const auto until = Clock::now() + time;
        auto row = look();
        while ((!row || !isFinal(row->state)) && Clock::now() < until && !m_stop.stop_requested()) {
            pause(m_stop, m_poll);
            row = look();
        }
        return row;
    }

    Result<CommandResult> send(const SlurmCommand& command) { return runSlurm(m_transport, command, {}); }

private:
    Transport& m_transport;
    const Site& m_site;
    JobId m_id;
    std::chrono::milliseconds m_poll;
    std::stop_token m_stop;
};

} // namespace

SlurmCommand softCancelCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scancel", "--signal=TERM", "--full", fmt::format("{}", id.number)});
}

SlurmCommand plainCancelCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scancel", fmt::format("{}", id.number)});
}

Result<JobRow> cancelJob(Transport& transport, const Site& site, const JobId& id, const CancelTimes& times,
                         const std::function<void(CancelPhase)>& phase, std::stop_token stop) {
    Cancellation cancellation(transport, site, id, times.poll, stop);
    auto row = cancellation.look();
    if (!row || isFinal(row->state))
        return row;
    // A job that waits has no process to ask.
    if (row->state != JobState::Pending) {
        const auto asked = cancellation.send(softCancelCommand(site, id));
        if (asked && asked->exitCode == 0) {
            if (phase)
                phase(CancelPhase::Asked);
            row = cancellation.watch(times.grace);
            if (row && isFinal(row->state))
                return row;
        }
    }
    const SlurmCommand plain = plainCancelCommand(site, id);
    auto sent = cancellation.send(plain);
    if (!sent)
        return forward(sent);
    if (sent->exitCode != 0) {
        // It may have ended meanwhile.
        row = cancellation.look();
        if (row && isFinal(row->state))
            return row;
        return tl::unexpected<Error>(slurmError(transport.host(), plain, *sent));
    }
    if (phase)
        phase(CancelPhase::Cancelled);
    return cancellation.watch(times.patience);
}

} // namespace ddp::remote::slurm
