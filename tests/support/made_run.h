// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/run_activity.h"
#include "core/store/trace_builder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ddp::test {

/// A run that a test puts together call by call; a region is named by its name, its paradigm is that of its
/// first use.
class MadeRun {
public:
    LocationId location(std::size_t rank, LocationKind kind, const std::string& name = "",
                        std::optional<int> device = std::nullopt) {
        addRanks(rank + 1);
        LocationInfo info;
        info.rankIndex = rank;
        info.kind = kind;
        info.name = name;
        info.device = device;
        return m_builder.addLocation(info);
    }
    LocationId thread(std::size_t rank) { return location(rank, LocationKind::Thread); }
    LocationId stream(std::size_t rank, const std::string& name = "CUDA[0:7]", int device = 0) {
        return location(rank, LocationKind::Stream, name, device);
    }
    void addRanks(std::size_t count) {
        while (m_builder.rankCount() < count) {
            RankInfo info;
            info.rank = static_cast<int>(m_builder.rankCount());
            m_builder.addRank(info);
        }
    }
    void region(const std::string& name, const std::string& paradigm) {
        m_ids[name] = m_builder.addRegion({name, "", "", paradigm, RegionRole::Other, 0});
    }
    void enter(LocationId at, std::int64_t ns, const std::string& name) {
        m_builder.location(at).enter(ns, id(name));
    }
    void leave(LocationId at, std::int64_t ns, const std::string& name) {
        m_builder.location(at).leave(ns, id(name));
    }
    void slice(LocationId at, std::int64_t begin, std::int64_t end, const std::string& name) {
        enter(at, begin, name);
        leave(at, end, name);
    }
    /// Of the slice that was entered last and is open; a text or a number.
    void attribute(LocationId at, const std::string& name, const std::string& text) {
        LocationRecords& records = m_builder.location(at).records();
        add(at, name, ValueType::Text, Value::of(records.text(text)));
    }
    void attribute(LocationId at, const std::string& name, std::uint64_t number) {
        add(at, name, ValueType::Uint64, Value::of(number));
    }
    std::shared_ptr<const TraceStore> freeze() {
        return m_builder.freeze(std::vector<std::int64_t>(m_builder.rankCount()));
    }

private:
    void add(LocationId at, const std::string& name, ValueType type, Value value) {
        LocationBuilder& location = m_builder.location(at);
        const SliceTag slice = location.innermost();
        LocationRecords& records = location.records();
        records.addAttribute(slice, records.key(records.text(name), type), value);
    }
    RegionId id(const std::string& name) {
        if (!m_ids.contains(name))
            region(name, "user");
        return m_ids.at(name);
    }
    TraceBuilder m_builder{"otf2"};
    std::map<std::string, RegionId> m_ids;
};

inline std::shared_ptr<const RunActivity> activityOf(const std::shared_ptr<const TraceStore>& store) {
    return RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
}

inline TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

} // namespace ddp::test
