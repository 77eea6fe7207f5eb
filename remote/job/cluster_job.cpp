// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/cluster_job.h"

#include <algorithm>
#include <array>

namespace ddp::remote {

namespace {

constexpr std::array<std::string_view, 3> kKinds{"poc", "scale", "command"};
constexpr std::array<std::string_view, 3> kLoadingModes{"default", "lazy", "eager"};
constexpr std::array<std::string_view, 10> kStates{"recorded", "preparing", "submitting", "queued",
                                                   "running",  "ended",     "pulled",     "judged",
                                                   "failed",   "cancelled"};

template <class Value, std::size_t size>
std::optional<Value> find(const std::array<std::string_view, size>& words, std::string_view word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() ? std::nullopt : std::optional(static_cast<Value>(found - words.begin()));
}

} // namespace

bool isFinal(JobState state) {
    return state >= JobState::Judged;
}

bool isInQueue(JobState state) {
    return state >= JobState::Preparing && state <= JobState::Running;
}

std::string_view jobKindWord(JobKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view jobStateWord(JobState state) {
    return kStates[static_cast<std::size_t>(state)];
}

std::string_view loadingModeWord(LoadingMode mode) {
    return kLoadingModes[static_cast<std::size_t>(mode)];
}

std::optional<JobKind> parseJobKind(std::string_view word) {
    return find<JobKind>(kKinds, word);
}

std::optional<JobState> parseJobState(std::string_view word) {
    return find<JobState>(kStates, word);
}

std::optional<LoadingMode> parseLoadingMode(std::string_view word) {
    return find<LoadingMode>(kLoadingModes, word);
}

} // namespace ddp::remote
