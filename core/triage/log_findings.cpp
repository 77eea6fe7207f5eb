// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/log_findings.h"

#include "core/triage/log_text.h"

#include <algorithm>
#include <tuple>

namespace ddp::triage {

std::optional<DdpMismatch> parsedMismatch(std::string_view message) {
    const auto rank = numberAfter(message, "but Rank ");
    const auto own = numberAfter(message, " has ");
    const auto other = numberAfter(message, "while rank ");
    const auto value = numberAfter(message, "has inconsistent ");
    constexpr std::int64_t kMostRanks = 10'000'000;
    if (!rank || !own || !other || !value || *rank > kMostRanks || *other > kMostRanks)
        return {};
    return DdpMismatch{static_cast<int>(*rank), *own, static_cast<int>(*other), *value, {}};
}

void LogFindings::add(const RuleSet::Match& match, std::optional<int> rank, Evidence evidence,
                      std::uint64_t order) {
    if (match.rule->hidden)
        return;
    // The same id may come from rules of different class (NCCL's error trace), which are told apart by the
    // rule.
    const std::string key = match.id + '/' + std::to_string(static_cast<int>(match.rule->indicatorClass)) +
                            (match.rule->secondary ? "s" : "");
    const auto [row, added] = m_rows.try_emplace({key, rank.value_or(-1)}, findings.size());
    if (added)
        findings.push_back({match.rule, match.id, rank, 0, std::move(evidence), order});
    ++findings[row->second].count;
}

const Finding* LogFindings::deciding() const {
    const auto weight = [](const Finding& f) {
        const bool scheduler = f.rule->indicatorClass == IndicatorClass::Scheduler;
        return std::tuple(scheduler, f.rule->generic, f.order);
    };
    const Finding* best = nullptr;
    for (const Finding& f : findings) {
        if (f.primary() && (!best || weight(f) < weight(*best)))
            best = &f;
    }
    return best;
}

const Finding* LogFindings::firstSecondary() const {
    for (const Finding& f : findings) {
        if (!f.harmless() && f.rule->secondary)
            return &f;
    }
    return nullptr;
}

const Finding* LogFindings::find(std::string_view id) const {
    const auto at =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
    return at == findings.end() ? nullptr : &*at;
}

} // namespace ddp::triage
