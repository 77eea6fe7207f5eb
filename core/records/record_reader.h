// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/records/worker_records.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ddp::records {

/// A record with the place it came from: its line in the file (from 1) and its time on the rank's clock (ns).
template <class T>
struct Recorded {
    T value;
    int line = 0;
    std::int64_t timeNs = 0;
};

/// Everything one rank wrote, in the order of the file. What the rank did not get to write is empty.
struct RankRecords {
    std::filesystem::path file;
    std::optional<int> rank; ///< empty when the file holds no readable record
    std::optional<Recorded<Start>> start;
    std::optional<Recorded<Device>> device;
    std::vector<Recorded<Stage>> stages;
    std::optional<Recorded<Facts>> facts;
    std::optional<Recorded<StoreView>> store; ///< the last one: the freshest view
    std::optional<Recorded<Canary>> canary;
    std::optional<Recorded<DdpCheck>> ddpCheck;
    std::vector<Recorded<Step>> steps;
    std::vector<Recorded<ErrorRecord>> errors;
    std::optional<Recorded<End>> end;
    int unreadableLines = 0;    ///< lines that are no JSON object of ours; skipped
    bool truncatedTail = false; ///< the last line has no line end: the writer was stopped in the middle
};

/// Reads one records.jsonl. Damaged lines are counted and skipped. Fails with one sentence that names the
/// file when it can not be opened, is empty, or was written by a newer schema than this program knows.
Result<RankRecords> readRecords(const std::filesystem::path& file);

} // namespace ddp::records
