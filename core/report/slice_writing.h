// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::report {

/// Counts the slices that a converter wrote and asks now and then whether to go on.
class WritingPace {
public:
    WritingPace(const TraceStore& store, std::stop_token stop, Progress& progress)
        : m_stop(std::move(stop)), m_progress(progress) {
        progress.done = 0;
        progress.total = store.sliceCount();
    }

    /// Called per slice; false when it shall stop.
    bool goOn() {
        constexpr std::uint64_t kStep = 4096;
        if (++m_count % kStep != 0)
            return true;
        m_progress.done += kStep;
        return !m_stop.stop_requested();
    }
    /// To be asked at the end.
    Result<void> ended() const {
        if (m_stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Converting was stopped; nothing was written.");
        return {};
    }

private:
    std::stop_token m_stop;
    Progress& m_progress;
    std::uint64_t m_count = 0;
};

/// A text per region that is made when it is first needed.
class RegionTexts {
public:
    RegionTexts(std::size_t regions, std::function<std::string(RegionId)> make)
        : m_texts(regions), m_make(std::move(make)) {}

    /// Not empty, so that the text must not be.
    const std::string& operator[](RegionId id) {
        std::string& text = m_texts[id.index()];
        if (text.empty())
            text = m_make(id);
        return text;
    }

private:
    std::vector<std::string> m_texts;
    std::function<std::string(RegionId)> m_make;
};

} // namespace ddp::report
