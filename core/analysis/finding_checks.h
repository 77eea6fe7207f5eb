// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings.h"
#include "core/analysis/percent.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the parts of findingsOf() share; not for others.
namespace ddp::finding {

/// Only ASCII: names in programs and settings.
std::string lowered(std::string_view text);
/// The largest number where the sum does not fit; neither is negative.
Nanoseconds saturatedSum(Nanoseconds a, Nanoseconds b);
/// Of times and lengths, never beyond 64 bits.
Nanoseconds rounded(double ns);
/// As spreadOf() has it; nothing for no values.
std::optional<Nanoseconds> median(const std::vector<Nanoseconds>& values);

/// What a rank did in the windows that say how it works once it is warm: its steps without the warm-up, or,
/// where it has none, from its first to its last work.
struct RankAccount {
    std::vector<std::size_t> devices; ///< into RunActivity::devices()
    std::vector<Step> steps;          ///< without the warm-up
    std::vector<TimeRange> windows;   ///< of the steps, or the one of its work; disjoint, in order
    WindowActivity activity;          ///< summed over devices and windows
    Nanoseconds span;                 ///< lengths of the windows, once for each device

    std::optional<TimeRange> hull() const;
};

/// The run, what is asked for, and what was found so far.
class Checker {
public:
    Checker(const FindingInput& input, const FindingRules& rules, std::stop_token stop);

    const FindingInput& in() const { return m_in; }
    const std::vector<RankAccount>& ranks() const { return m_ranks; }
    bool stopped() const { return m_stop.stop_requested(); }
    const std::stop_token& stop() const { return m_stop; }
    const FindingRules::Rule* rule(std::string_view id) const { return m_rules.find(id); }

    /// Where a finding of a rank begins; it is kept. The reference holds until the next.
    Finding& add(std::string_view id, std::optional<std::size_t> rank, std::optional<TimeRange> window);
    std::vector<Finding> take();

private:
    const FindingInput& m_in;
    const FindingRules& m_rules;
    std::stop_token m_stop;
    std::vector<RankAccount> m_ranks;
    std::vector<Finding> m_found;
};

/// Of the ranks that show something: all of them, and what was seen on the worst.
template <class Evidence>
class WorstRank {
public:
    void offer(std::size_t rank, double score, Evidence evidence) {
        if (m_ranks.indices.empty() || m_ranks.indices.back() != rank)
            m_ranks.indices.push_back(rank);
        if (!m_worst || score > m_score) {
            m_score = score;
            m_rank = rank;
            m_worst = std::move(evidence);
        }
    }
    explicit operator bool() const { return m_worst.has_value(); }
    const Evidence* operator->() const { return &*m_worst; }
    const Evidence& operator*() const { return *m_worst; }
    std::size_t rank() const { return m_rank; }
    const RankIndices& all() const { return m_ranks; }

private:
    RankIndices m_ranks;
    std::optional<Evidence> m_worst;
    double m_score = 0;
    std::size_t m_rank = 0;
};

/// Sums of one device over a window, added up.
void add(WindowActivity& to, const WindowActivity& more);

void noCommunication(Checker& check);
void communicationAsLongAsBackward(Checker& check);
void communicationHidden(Checker& check);
void communicationOnComputeStream(Checker& check);
void exposedTail(Checker& check);
void idleHostBound(Checker& check);

void lateRank(Checker& check);
void firstStepWarmUp(Checker& check);
void stepNoise(Checker& check);
void lowConfidenceCollectives(Checker& check);

void uncalibratedClocks(Checker& check);
void dataLoss(Checker& check);
void measurement(Checker& check); ///< regions and settings of the tracer
void cpuRun(Checker& check);

} // namespace ddp::finding
