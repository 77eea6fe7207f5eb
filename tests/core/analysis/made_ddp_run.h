// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/store/trace_builder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp::test {

/// One step of a made run: what is busy from where to where, in nanoseconds from the step's begin.
struct MadeStep {
    std::int64_t length = 1'000;
    std::int64_t computeTo = 400; ///< from 100 on
    std::int64_t communicationFrom = 300;
    std::int64_t communicationTo = 600; ///< equal: none
};

struct MadeDdp {
    std::map<std::string, std::string> properties;
    /// Steps of every rank. The first one is the warm-up.
    std::vector<std::vector<MadeStep>> ranks;
    bool onHost = false;    ///< a CPU run: regions forward (to 200 ns) and backward are its compute work
    bool marksSteps = true; ///< by user:step
    int devices = 1;        ///< per rank; only the first one works
    std::string dataLoss;   ///< an import issue, if not empty
};

namespace detail {

class DdpMaker {
public:
    explicit DdpMaker(const MadeDdp& what) : m_what(what) {
        for (std::size_t rank = 0; rank < what.ranks.size(); ++rank)
            addRank(rank);
        if (!what.dataLoss.empty())
            m_builder.addIssue({what.dataLoss, IssueSeverity::DataLoss, 3, 0, std::nullopt, "Lost."});
    }
    std::shared_ptr<const TraceStore> store() {
        return m_builder.freeze(std::vector<std::int64_t>(m_what.ranks.size()));
    }

private:
    void addRank(std::size_t rank) {
        RankInfo info;
        info.rank = static_cast<int>(rank);
        info.clock.quality = ClockQuality::SameHost;
        info.properties = m_what.properties;
        m_builder.addRank(info);
        const LocationId host = location(rank, LocationKind::Thread);
        const LocationId work = m_what.onHost ? host : location(rank, LocationKind::Stream, 0);
        const LocationId communication =
            location(rank, m_what.onHost ? LocationKind::Thread : LocationKind::Stream, 0);
        for (int device = 1; device < m_what.devices; ++device)
            location(rank, LocationKind::Stream, device);
        slice(host, 0, 1, "start");
        std::int64_t begin = 100;
        for (const MadeStep& step : m_what.ranks[rank]) {
            addStep(step, begin, host, work, communication);
            begin += step.length + 50;
        }
    }
    void addStep(const MadeStep& step, std::int64_t begin, LocationId host, LocationId work,
                 LocationId communication) {
        if (m_what.marksSteps)
            m_builder.location(host).enter(begin, region("user:step"));
        if (m_what.onHost) {
            slice(work, begin + 100, begin + 200, "forward");
            slice(work, begin + 200, begin + step.computeTo, "backward");
        } else {
            slice(work, begin + 100, begin + step.computeTo, "gemm");
            slice(host, begin + 10, begin + 30, "launch");
        }
        if (step.communicationFrom < step.communicationTo)
            slice(communication, begin + step.communicationFrom, begin + step.communicationTo,
                  m_what.onHost ? "gloo:all_reduce" : "ncclDevKernel_AllReduce");
        if (m_what.marksSteps)
            m_builder.location(host).leave(begin + step.length, region("user:step"));
    }
    LocationId location(std::size_t rank, LocationKind kind, int device = -1) {
        LocationInfo info;
        info.rankIndex = rank;
        info.kind = kind;
        if (kind == LocationKind::Stream)
            info.device = device;
        return m_builder.addLocation(info);
    }
    RegionId region(const std::string& name) {
        const bool kernel = name == "gemm" || name.starts_with("nccl");
        return m_builder.addRegion({name, "", kernel ? "CUDA_KERNEL" : "", kernel ? "cuda" : "user",
                                    kernel ? RegionRole::Kernel : RegionRole::Function, 0});
    }
    void slice(LocationId at, std::int64_t begin, std::int64_t end, const std::string& name) {
        m_builder.location(at).enter(begin, region(name));
        m_builder.location(at).leave(end, region(name));
    }

    const MadeDdp& m_what;
    TraceBuilder m_builder{"otf2"};
};

} // namespace detail

inline std::shared_ptr<const RunAnalysis> analysed(const MadeDdp& what) {
    return RunAnalysis::of(detail::DdpMaker(what).store(), ClassRules::builtin(), {});
}

/// All ranks do the same.
inline MadeDdp madeDdp(std::size_t ranks, const std::vector<MadeStep>& steps) {
    MadeDdp made;
    made.ranks.assign(ranks, steps);
    return made;
}

} // namespace ddp::test
