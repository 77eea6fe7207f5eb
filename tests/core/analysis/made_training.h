// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/collectives.h"
#include "core/store/trace_store.h"
#include "tests/support/device_slices.h"
#include "tests/support/small_random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp::test {

/// The clock that a rank reads: what it shows at a true time, and what the importer says about it.
struct MadeClock {
    std::int64_t offset = 0;
    double ppm = 0;
    std::size_t domain = 0; ///< ranks of one have offset and ppm in common
    ClockQuality quality = ClockQuality::SameHost;

    std::int64_t shows(std::int64_t trueNs) const {
        return offset + trueNs + std::llround(static_cast<double>(trueNs) * ppm * 1e-6);
    }
};

/// What really happened on the accelerators of several ranks, in true time.
struct MadeTraining {
    using Attributes = decltype(DeviceSlice::attributes);
    struct Times {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    struct Operation {
        std::string name;
        int stream = 20;
        std::vector<std::optional<Times>> ranks; ///< nothing: the rank has no part
        Attributes attributes;
    };

    explicit MadeTraining(std::vector<MadeClock> ofRanks)
        : clocks(std::move(ofRanks)), kernels(clocks.size()) {}

    /// Ranks arrive within `spread` of each other and end `transfer` after the last one came, but for
    /// `jitter`.
    Operation& add(std::int64_t at, const std::string& name, SmallRandom& random, std::int64_t spread,
                   std::int64_t transfer, std::int64_t jitter = 0) {
        Operation operation{name, 20, {}, {}};
        std::int64_t last = 0;
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            const std::int64_t begin = at + random.below(spread);
            last = std::max(last, begin);
            operation.ranks.push_back(Times{begin, 0});
        }
        for (auto& times : operation.ranks)
            times->end = last + transfer + random.below(jitter);
        operations.push_back(std::move(operation));
        return operations.back();
    }

    std::int64_t firstShown(std::size_t rank) const {
        std::int64_t first = INT64_MAX;
        for (const Operation& operation : operations)
            if (operation.ranks[rank])
                first = std::min(first, clocks[rank].shows(operation.ranks[rank]->begin));
        for (const DeviceSlice& kernel : kernels[rank])
            first = std::min(first, clocks[rank].shows(kernel.begin));
        return first;
    }

    std::shared_ptr<const TraceStore> store() const {
        std::vector<DeviceRank> ranks;
        std::map<std::size_t, std::int64_t> zeros; // of domains
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            DeviceRank rank;
            const auto put = [&](DeviceSlice slice) {
                slice.begin = clocks[i].shows(slice.begin);
                slice.end = clocks[i].shows(slice.end);
                rank.slices.push_back(std::move(slice));
            };
            for (const Operation& operation : operations)
                if (const auto& times = operation.ranks[i])
                    put({0, operation.stream + (i < streamShift.size() ? streamShift[i] : 0), times->begin,
                         times->end, operation.name, RegionRole::Kernel, operation.attributes});
            for (const DeviceSlice& kernel : kernels[i])
                put(kernel);
            const auto zero = zeros.emplace(clocks[i].domain, firstShown(i)).first;
            zero->second = std::min(zero->second, firstShown(i));
            ranks.push_back(std::move(rank));
        }
        const auto store = storeOf("kineto", std::move(ranks), RankClocks::Separate);
        std::vector<ClockInfo> infos;
        for (std::size_t i = 0; i < clocks.size(); ++i) {
            ClockInfo info;
            info.quality = clocks[i].quality;
            info.domain = clocks[i].domain;
            info.offsetNs = firstShown(i) - zeros.at(clocks[i].domain);
            infos.push_back(info);
        }
        return store->withClocks(infos);
    }

    std::vector<MadeClock> clocks;
    std::vector<std::vector<DeviceSlice>> kernels; ///< by rank, in true time
    std::vector<Operation> operations;
    std::vector<int> streamShift; ///< by rank: what is added to the number of a stream
};

inline RunCollectives collectivesOf(const std::shared_ptr<const TraceStore>& store) {
    const auto activity = RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
    return findCollectives(*store, *activity, RunSteps(), {});
}

} // namespace ddp::test
