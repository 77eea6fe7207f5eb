// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings.h"

#include "core/analysis/finding_checks.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ddp {

namespace finding {

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
    });
    return result;
}

Nanoseconds saturatedSum(Nanoseconds a, Nanoseconds b) {
    std::int64_t sum = 0;
    return Nanoseconds(__builtin_add_overflow(a.count, b.count, &sum) ? INT64_MAX : sum);
}

Nanoseconds rounded(double ns) {
    constexpr double kMost = 9.2e18;
    return Nanoseconds(std::llround(std::clamp(ns, -kMost, kMost)));
}

std::optional<Nanoseconds> median(const std::vector<Nanoseconds>& values) {
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const Nanoseconds value : values)
        numbers.push_back(static_cast<double>(value.count));
    const auto spread = spreadOf(std::move(numbers));
    return spread ? std::optional(rounded(spread->median)) : std::nullopt;
}

void add(WindowActivity& to, const WindowActivity& more) {
    for (const auto part : {&WindowActivity::communication, &WindowActivity::compute, &WindowActivity::memory,
                            &WindowActivity::hidden, &WindowActivity::exposed, &WindowActivity::exposedMemory,
                            &WindowActivity::idle})
        to.*part = saturatedSum(to.*part, more.*part);
}

std::optional<TimeRange> RankAccount::hull() const {
    if (windows.empty())
        return std::nullopt;
    return TimeRange{windows.front().begin, windows.back().end};
}

namespace {

void findWindows(const FindingInput& in, std::size_t rank, RankAccount& account) {
    if (rank < in.steps.ranks.size())
        for (const Step& step : in.steps.ranks[rank])
            if (!step.warmUp && !step.range.empty()) {
                account.steps.push_back(step);
                account.windows.push_back(step.range);
            }
    if (!account.windows.empty())
        return;
    std::optional<TimeRange> hull;
    for (const std::size_t device : account.devices)
        if (const auto busy = in.activity.busy(device))
            hull =
                hull ? TimeRange{std::min(hull->begin, busy->begin), std::max(hull->end, busy->end)} : *busy;
    if (hull && !hull->empty())
        account.windows.push_back(*hull);
}

std::vector<RankAccount> accountsOf(const FindingInput& in) {
    std::vector<RankAccount> accounts(in.store.ranks().size());
    const auto devices = in.activity.devices();
    for (std::size_t i = 0; i < devices.size(); ++i)
        accounts[devices[i].rankIndex].devices.push_back(i);
    for (std::size_t rank = 0; rank < accounts.size(); ++rank) {
        RankAccount& account = accounts[rank];
        findWindows(in, rank, account);
        for (const TimeRange window : account.windows)
            for (const std::size_t device : account.devices) {
                add(account.activity, in.activity.over(device, window));
                account.span = saturatedSum(account.span, window.length());
            }
    }
    return accounts;
}

} // namespace

Checker::Checker(const FindingInput& input, const FindingRules& rules, std::stop_token stop)
    : m_in(input), m_rules(rules), m_stop(std::move(stop)), m_ranks(accountsOf(input)) {}

Finding& Checker::add(std::string_view id, std::optional<std::size_t> rank, std::optional<TimeRange> window) {
    Finding& finding = m_found.emplace_back();
    finding.id = id;
    finding.severity = rule(id)->severity;
    finding.rankIndex = rank;
    if (window)
        window = window->clippedTo(m_in.store.extent());
    if (window && !window->empty())
        finding.window = window;
    return finding;
}

std::vector<Finding> Checker::take() {
    const auto order = [](const Finding& finding) {
        const std::int64_t begin = finding.window ? finding.window->begin.count : INT64_MIN;
        return std::tuple(-static_cast<int>(finding.severity), begin,
                          finding.rankIndex ? *finding.rankIndex + 1 : 0, std::string_view(finding.id));
    };
    std::ranges::stable_sort(m_found, {}, order);
    return std::move(m_found);
}

} // namespace finding

std::vector<Finding> findingsOf(const FindingInput& input, const FindingRules& rules, std::stop_token stop) {
    finding::Checker check(input, rules, std::move(stop));
    for (const auto look :
         {finding::dataLoss, finding::noCommunication, finding::communicationAsLongAsBackward,
          finding::communicationHidden, finding::communicationOnComputeStream, finding::exposedTail,
          finding::lateRank, finding::idleHostBound, finding::firstStepWarmUp, finding::stepNoise,
          finding::measurement, finding::uncalibratedClocks, finding::lowConfidenceCollectives,
          finding::cpuRun})
        if (!check.stopped())
            look(check);
    return check.take();
}

std::vector<Finding> findingsOf(const RunAnalysis& run, const FindingRules& rules, std::stop_token stop) {
    return findingsOf({*run.store(), run.activity(), run.steps(), run.phases(), run.collectives()}, rules,
                      std::move(stop));
}

} // namespace ddp
