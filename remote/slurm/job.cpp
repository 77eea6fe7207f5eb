// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/job.h"

#include "remote/slurm/slurm_text.h"

#include <algorithm>

namespace ddp::remote::slurm {

namespace {

struct StateWord {
    std::string_view word;
    JobState state;
};

// The first word of a state is the one that is written.
constexpr StateWord kStates[] = {
    {"UNKNOWN", JobState::Unknown},           {"PENDING", JobState::Pending},
    {"CONFIGURING", JobState::Configuring},   {"RUNNING", JobState::Running},
    {"SUSPENDED", JobState::Suspended},       {"COMPLETING", JobState::Completing},
    {"COMPLETED", JobState::Completed},       {"FAILED", JobState::Failed},
    {"CANCELLED", JobState::Cancelled},       {"TIMEOUT", JobState::TimedOut},
    {"OUT_OF_MEMORY", JobState::OutOfMemory}, {"NODE_FAIL", JobState::NodeFailed},
    {"PREEMPTED", JobState::Preempted},       {"BOOT_FAIL", JobState::BootFailed},
    {"DEADLINE", JobState::Deadline},         {"REQUEUED", JobState::Pending},
    {"REQUEUE_HOLD", JobState::Pending},      {"REQUEUE_FED", JobState::Pending},
    {"SPECIAL_EXIT", JobState::Pending},      {"RESV_DEL_HOLD", JobState::Pending},
    {"RESIZING", JobState::Running},          {"SIGNALING", JobState::Running},
    {"STOPPED", JobState::Suspended},         {"STAGE_OUT", JobState::Completing},
    {"REVOKED", JobState::Cancelled},
};

/// Flags that decide what the job does now, whatever its base state says.
bool overrides(JobState state) {
    return state == JobState::Completing || state == JobState::Configuring || state == JobState::Pending;
}

} // namespace

JobState parseJobState(std::string_view words) {
    // From 23.11 on JSON lists a base state and flags; here they come joined by '+'. sacct marks a cut word
    // by '+'.
    JobState state = JobState::Unknown;
    for (std::string_view word : split(trimmed(words), '+')) {
        word = word.substr(0, word.find(' '));
        const auto* known = std::find_if(std::begin(kStates), std::end(kStates),
                                         [&](const StateWord& s) { return s.word == word; });
        if (known != std::end(kStates) && (state == JobState::Unknown || overrides(known->state)))
            state = known->state;
    }
    return state;
}

bool isFinal(JobState state) {
    return state >= JobState::Completed;
}

std::string_view jobStateWord(JobState state) {
    for (const StateWord& word : kStates)
        if (word.state == state)
            return word.word;
    return kStates[0].word;
}

std::optional<ExitCode> parseExitCode(std::string_view text) {
    const auto colon = text.find(':');
    const auto code = integer(text.substr(0, colon));
    if (!code)
        return std::nullopt;
    const auto signal =
        colon == std::string_view::npos ? std::optional<std::int64_t>(0) : integer(text.substr(colon + 1));
    if (!signal)
        return std::nullopt;
    return ExitCode{static_cast<int>(*code), static_cast<int>(*signal)};
}

} // namespace ddp::remote::slurm
