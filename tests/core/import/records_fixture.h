// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/open_run.h"
#include "tests/support/otf2_raw_archive.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ddp::test {

inline void check(OTF2_ErrorCode code) {
    RawArchive::check(code);
}

/// Writes an archive, opens it, and puts what was read into words.
class Records : public testing::Test {
protected:
    void open(RawArchive& archive, const RawArchive::Fill& definitions = {}) {
        archive.finish(definitions);
        Progress progress;
        ASSERT_TRUE(openRun({m_folder.path()}, {}, progress));
        auto opened = openRun({m_folder.path()}, {}, progress); // once more: as the store file has it
        ASSERT_TRUE(opened) << opened.error().message;
        m_store = *opened;
    }

    std::string text(StringId id) const { return std::string(m_store->text(id)); }

    // "name=value …" of a slice, texts in quotes.
    std::string attributes(LocationId location, SliceRef slice) const {
        std::string all;
        for (const Attribute& attribute : m_store->records().attributes(location, slice)) {
            all += (all.empty() ? "" : " ") + text(attribute.name) + "=";
            switch (attribute.type) {
            case ValueType::Int64:
                all += std::to_string(attribute.value.signedNumber());
                break;
            case ValueType::Uint64:
                all += std::to_string(attribute.value.unsignedNumber()) + "u";
                break;
            case ValueType::Double:
                all += std::to_string(attribute.value.real());
                break;
            case ValueType::Text:
                all += "\"" + text(attribute.value.text()) + "\"";
                break;
            }
        }
        return all;
    }

    // "name(count)" of every issue.
    std::vector<std::string> issues() const {
        std::vector<std::string> all;
        for (const ImportIssue& issue : m_store->issues())
            all.push_back(issue.name + "(" + std::to_string(issue.count) + ")");
        return all;
    }

    // "region[begin,end)" of every slice of a location, lane by lane.
    std::vector<std::string> slices(LocationId location) const {
        std::vector<std::string> all;
        for (std::size_t l = 0; l < m_store->lanes(location).size(); ++l) {
            const SliceLane& lane = m_store->lanes(location)[l];
            for (std::size_t i = 0; i < lane.size(); ++i)
                all.push_back(std::to_string(l) + ":" + std::string(m_store->regionName(lane.region(i))) +
                              "[" + std::to_string(lane.begin(i).count) + "," +
                              std::to_string(lane.end(i).count) + ")");
        }
        return all;
    }

    // "t:value" of a counter, as numbers in its unit.
    std::vector<std::pair<std::int64_t, double>> series(const Counter& counter) const {
        std::vector<std::pair<std::int64_t, double>> all;
        for (const CounterSample& sample : m_store->records().samples(counter))
            all.emplace_back(m_store->time(counter.location, sample.ns).count,
                             sample.value.asDouble(counter.type) * std::pow(counter.base, counter.exponent));
        return all;
    }

    TempFolder m_folder;
    std::shared_ptr<const TraceStore> m_store;
};

inline void enter(OTF2_EvtWriter* writer, std::uint64_t tick, std::uint32_t region,
                  OTF2_AttributeList* list = nullptr) {
    check(OTF2_EvtWriter_Enter(writer, list, tick, region));
}

inline void leave(OTF2_EvtWriter* writer, std::uint64_t tick, std::uint32_t region,
                  OTF2_AttributeList* list = nullptr) {
    check(OTF2_EvtWriter_Leave(writer, list, tick, region));
}

} // namespace ddp::test
