// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/findings.h"
#include "core/report/findings_report.h"
#include "core/store/trace_builder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A run put together by a test, with steps, phases and collectives as the test wants them.
namespace ddp::test {

inline TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

class FindingRun {
public:
    /// Steps, phases and collectives are given by whoever needs them; what the store holds is settled by the
    /// first question.
    RunSteps steps;
    RunPhases phases;
    RunCollectives collectives;

    RankInfo& rank(int number) {
        while (m_builder.rankCount() <= static_cast<std::size_t>(number)) {
            RankInfo info;
            info.rank = static_cast<int>(m_builder.rankCount());
            info.clock.quality = ClockQuality::SameHost;
            m_builder.addRank(info);
        }
        return m_builder.rank(static_cast<std::size_t>(number));
    }
    LocationId stream(int rank, int device = 0, int stream = 7) {
        LocationInfo info;
        info.kind = LocationKind::Stream;
        info.device = device;
        info.stream = stream;
        info.name = "CUDA[" + std::to_string(device) + ":" + std::to_string(stream) + "]";
        return location(rank, info);
    }
    LocationId thread(int rank) {
        LocationInfo info;
        info.kind = LocationKind::Thread;
        info.name = "Master thread";
        return location(rank, info);
    }
    /// One after the other on a location. Every region is a kernel for the class rules, unless its name says
    /// more.
    void slice(LocationId at, std::int64_t begin, std::int64_t end, const std::string& name) {
        enter(at, begin, name);
        leave(at, end, name);
    }
    void enter(LocationId at, std::int64_t ns, const std::string& name) {
        m_builder.location(at).enter(ns, region(name));
    }
    void leave(LocationId at, std::int64_t ns, const std::string& name) {
        m_builder.location(at).leave(ns, region(name));
    }
    void issue(const ImportIssue& issue) { m_builder.addIssue(issue); }

    /// The first one is the warm-up.
    void step(std::size_t rank, std::int64_t begin, std::int64_t end) {
        steps.rule = StepRule::Region;
        steps.ranks.resize(std::max(steps.ranks.size(), rank + 1));
        auto& own = steps.ranks[rank];
        own.push_back({static_cast<std::uint32_t>(own.size()), range(begin, end), own.empty()});
    }
    /// Backward work of a device; of the rank `device` where each rank has one.
    void backward(std::size_t device, std::int64_t begin, std::int64_t end) {
        const std::size_t size = std::max(phases.devices.size(), device + 1);
        phases.rule.resize(size, PhaseRule::ByOrder);
        phases.why.resize(size);
        phases.marked.resize(size);
        phases.devices.resize(size);
        constexpr auto kBackward = static_cast<std::size_t>(Phase::Backward);
        phases.marked[device][kBackward] = true;
        auto& ranges = phases.devices[device].byPhase[kBackward];
        auto& before = phases.devices[device].before[kBackward];
        before.push_back(ranges.empty() ? 0 : before.back() + ranges.back().length().count);
        ranges.push_back(range(begin, end));
    }

    const TraceStore& store() {
        if (!m_store) {
            m_store = m_builder.freeze(std::vector<std::int64_t>(m_builder.rankCount()));
            m_activity = RunActivity::of(m_store, classify(*m_store, ClassRules::builtin()).classes);
        }
        return *m_store;
    }
    const RunActivity& activity() { return store(), *m_activity; }

    std::vector<Finding> all(const FindingRules& rules = FindingRules::builtin()) {
        const FindingInput input{store(), activity(), steps, phases, collectives};
        auto findings = findingsOf(input, rules, {});
        for (const Finding& finding : findings)
            expectWellFormed(finding, rules);
        return findings;
    }
    std::vector<Finding> of(std::string_view id, const FindingRules& rules = FindingRules::builtin()) {
        auto findings = all(rules);
        std::erase_if(findings, [&](const Finding& finding) { return finding.id != id; });
        return findings;
    }
    /// The only one of its id; an empty one, and a failure, when there is none.
    Finding only(std::string_view id, const FindingRules& rules = FindingRules::builtin()) {
        const auto findings = of(id, rules);
        EXPECT_EQ(findings.size(), 1u) << id;
        return findings.empty() ? Finding() : findings.front();
    }
    std::string sentence(const Finding& finding) {
        return report::findingSentence(store(), FindingRules::builtin(), finding);
    }

private:
    LocationId location(int rank, LocationInfo info) {
        this->rank(rank);
        info.rankIndex = static_cast<std::size_t>(rank);
        return m_builder.addLocation(info);
    }
    RegionId region(const std::string& name) {
        const auto [entry, isNew] = m_regions.try_emplace(name);
        if (isNew)
            entry->second =
                m_builder.addRegion({name, "", name.starts_with("memcpy") ? "" : "CUDA_KERNEL", "", {}, 0});
        return entry->second;
    }
    // Values that the rules may name, numbers that can be shown, a window inside the run.
    void expectWellFormed(const Finding& finding, const FindingRules& rules) {
        const auto known = FindingRules::valuesOf(finding.id);
        for (const auto& [key, value] : finding.values) {
            EXPECT_NE(std::ranges::find(known, key), known.end()) << finding.id << " has " << key;
            const auto* number = std::get_if<double>(&value);
            EXPECT_TRUE(!number || std::isfinite(*number)) << finding.id << " " << key;
        }
        if (finding.window) {
            EXPECT_FALSE(finding.window->empty());
            EXPECT_EQ(*finding.window, finding.window->clippedTo(store().extent()));
        }
        EXPECT_EQ(report::findingSentence(store(), rules, finding).find_first_of("{}"), std::string::npos);
    }

    TraceBuilder m_builder{"otf2"};
    std::map<std::string, RegionId> m_regions;
    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const RunActivity> m_activity;
};

inline std::int64_t count(const Finding& finding, const std::string& key) {
    return std::get<std::int64_t>(finding.values.at(key));
}
inline std::int64_t time(const Finding& finding, const std::string& key) {
    return std::get<Nanoseconds>(finding.values.at(key)).count;
}
inline double number(const Finding& finding, const std::string& key) {
    return std::get<double>(finding.values.at(key));
}
inline std::string text(const Finding& finding, const std::string& key) {
    return std::get<std::string>(finding.values.at(key));
}
inline std::vector<std::size_t> ranks(const Finding& finding) {
    return std::get<RankIndices>(finding.values.at("ranks")).indices;
}

} // namespace ddp::test
