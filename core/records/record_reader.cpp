// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/record_reader.h"

#include "core/records/line_reader.h"
#include "core/records/utf8.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

namespace ddp::records {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kLongestLine = std::size_t{8} << 20;
// A worker writes a few dozen of each; a file that holds more is not allowed to eat the memory of the reader.
constexpr std::size_t kMostEntries = 100'000;

template <class T>
void append(std::vector<Recorded<T>>& list, Recorded<T> record) {
    if (list.size() < kMostEntries)
        list.push_back(std::move(record));
    else
        list.back() = std::move(record);
}

// A step that went well makes room for later ones, so that a bad one late in the run is not lost.
void appendStep(std::vector<Recorded<Step>>& steps, Recorded<Step> record) {
    const auto good = [](const Step& s) {
        return s.lossFinite && s.gradientsEqual.value_or(false) && s.parametersEqual.value_or(false);
    };
    if (steps.size() >= kMostEntries && !good(steps.back().value))
        return;
    append(steps, std::move(record));
}

std::optional<std::string> text(const object& from, const char* key) {
    std::string_view value;
    if (from[key].get(value) != simdjson::SUCCESS)
        return {};
    return std::string(value);
}

std::optional<std::int64_t> integer(const object& from, const char* key) {
    std::int64_t value = 0;
    if (from[key].get(value) == simdjson::SUCCESS)
        return value;
    // Other writers (Python, jq) may turn a whole number into 34.0.
    double real = 0;
    if (from[key].get(real) == simdjson::SUCCESS && std::nearbyint(real) == real && std::abs(real) < 9e15)
        return static_cast<std::int64_t>(real);
    return {};
}

std::optional<double> number(const object& from, const char* key) {
    double value = 0;
    if (from[key].get(value) != simdjson::SUCCESS)
        return {};
    return value;
}

std::optional<bool> boolean(const object& from, const char* key) {
    bool value = false;
    if (from[key].get(value) != simdjson::SUCCESS)
        return {};
    return value;
}

std::optional<int> smallInteger(const object& from, const char* key) {
    const auto value = integer(from, key);
    if (!value || *value < 0 || *value > 10'000'000)
        return {};
    return static_cast<int>(*value);
}

Start readStart(const object& from) {
    Start r;
    r.worldSize = smallInteger(from, "world_size").value_or(0);
    r.localRank = smallInteger(from, "local_rank").value_or(0);
    r.host = text(from, "host").value_or("");
    r.pid = integer(from, "pid").value_or(0);
    r.mode = text(from, "mode").value_or("");
    r.simulate = text(from, "simulate").value_or("");
    r.backend = text(from, "backend").value_or("");
    r.device = text(from, "device").value_or("");
    r.moduleLoading = text(from, "module_loading").value_or("");
    r.workerVersion = text(from, "worker_version").value_or("");
    r.torchVersion = text(from, "torch_version").value_or("");
    r.wallTimeNs = integer(from, "wall_time_ns").value_or(0);
    r.stageDeadlineSeconds = number(from, "stage_deadline_s").value_or(0);
    return r;
}

Device readDevice(const object& from) {
    return {text(from, "name"),
            text(from, "uuid"),
            text(from, "driver_version"),
            text(from, "cuda_version"),
            integer(from, "ecc_volatile_uncorrected"),
            boolean(from, "row_remap_pending"),
            boolean(from, "row_remap_failed"),
            text(from, "note").value_or("")};
}

StoreView readStore(const object& from) {
    StoreView view;
    array peers;
    if (from["peers"].get(peers) != simdjson::SUCCESS)
        return view;
    for (const element entry : peers) {
        object peer;
        if (entry.get(peer) != simdjson::SUCCESS)
            continue;
        if (const auto rank = smallInteger(peer, "rank"))
            view.peers.push_back({*rank, integer(peer, "tensors"), text(peer, "stage")});
    }
    return view;
}

Canary readCanary(const object& from) {
    Canary canary;
    canary.run = boolean(from, "run").value_or(false);
    canary.completed = boolean(from, "completed").value_or(false);
    array slots;
    if (from["slots"].get(slots) != simdjson::SUCCESS)
        return canary;
    for (const element entry : slots) {
        object slot;
        if (entry.get(slot) != simdjson::SUCCESS)
            continue;
        if (const auto rank = smallInteger(slot, "rank"))
            canary.gathered.push_back({*rank, integer(slot, "expected"), integer(slot, "received"),
                                       boolean(slot, "intact").value_or(false)});
    }
    return canary;
}

Step readStep(const object& from) {
    Step step;
    step.step = integer(from, "step").value_or(0);
    step.loss = number(from, "loss").value_or(std::nan(""));
    step.lossFinite = boolean(from, "loss_finite").value_or(false);
    step.gradientsEqual = boolean(from, "gradients_equal");
    step.parametersEqual = boolean(from, "parameters_equal");
    return step;
}

// Puts one record where it belongs; a kind that this program does not know is a newer addition and is
// skipped.
void place(RankRecords& records, std::string_view kind, const object& from, int line, std::int64_t timeNs) {
    if (kind == "start") {
        if (!records.start)
            records.start = {readStart(from), line, timeNs};
    } else if (kind == "device") {
        records.device = {readDevice(from), line, timeNs};
    } else if (kind == "stage") {
        append(records.stages, {Stage{text(from, "stage").value_or(""), text(from, "state").value_or(""),
                                      text(from, "message").value_or("")},
                                line, timeNs});
    } else if (kind == "facts") {
        // Without its count the record says nothing; 0 would be an accusation.
        if (const auto tensors = integer(from, "tensors"))
            records.facts = {Facts{*tensors, integer(from, "elements").value_or(*tensors)}, line, timeNs};
        else
            ++records.unreadableLines;
    } else if (kind == "store") {
        records.store = {readStore(from), line, timeNs};
    } else if (kind == "canary") {
        records.canary = {readCanary(from), line, timeNs};
    } else if (kind == "ddp_check") {
        records.ddpCheck = {DdpCheck{text(from, "state").value_or(""), text(from, "message").value_or("")},
                            line, timeNs};
    } else if (kind == "step") {
        appendStep(records.steps, {readStep(from), line, timeNs});
    } else if (kind == "error") {
        append(records.errors, {ErrorRecord{text(from, "stage").value_or(""), text(from, "what").value_or(""),
                                            text(from, "fault_of").value_or("")},
                                line, timeNs});
    } else if (kind == "end") {
        // A marker without its exit code proves no clean end.
        const auto code = integer(from, "exit_code");
        if (code && std::abs(*code) < 100'000)
            records.end = {End{static_cast<int>(*code), integer(from, "steps").value_or(0),
                               text(from, "reason").value_or("")},
                           line, timeNs};
        else
            ++records.unreadableLines;
    }
}

enum class LineState { Read, Damaged, Newer };

LineState readLine(RankRecords& records, simdjson::dom::parser& parser, std::string_view line, int lineNumber,
                   std::int64_t& schema) {
    const std::string repaired = repairedUtf8(line);
    object from;
    if (parser.parse(repaired).get(from) != simdjson::SUCCESS)
        return LineState::Damaged;
    const auto version = integer(from, "schema");
    const auto kind = text(from, "kind");
    if (!version || *version < 1 || !kind)
        return LineState::Damaged;
    schema = *version;
    if (schema > kSchemaVersion)
        return LineState::Newer;
    const auto rank = smallInteger(from, "rank");
    if (!rank || (records.rank && *records.rank != *rank)) // one file belongs to one rank
        return LineState::Damaged;
    records.rank = rank;
    place(records, *kind, from, lineNumber, integer(from, "time_ns").value_or(0));
    return LineState::Read;
}

bool isBlank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

} // namespace

Result<RankRecords> readRecords(const std::filesystem::path& file) {
    auto reader = LineReader::open(file, kLongestLine);
    if (!reader)
        return forward(reader);

    RankRecords records;
    records.file = file;
    simdjson::dom::parser parser;
    LinePiece piece;
    bool any = false;
    while (reader->next(piece)) {
        any = true;
        records.truncatedTail = !piece.ended;
        if (!piece.first) // the rest of a line that is far too long to be a record; it was counted with its
                          // begin
            continue;
        if (isBlank(piece.text))
            continue;
        std::int64_t schema = 0;
        switch (readLine(records, parser, piece.text, piece.line, schema)) {
        case LineState::Read:
            break;
        case LineState::Damaged:
            // A line that was cut off at the end is told by truncatedTail; it is no damage.
            if (piece.ended || piece.text.size() >= kLongestLine)
                ++records.unreadableLines;
            break;
        case LineState::Newer:
            return fail(
                ErrorCode::Unreadable,
                fmt::format("{} was written by a newer ddpscope-worker (record schema {}, this program knows "
                            "up to {}): read it with a newer ddpscope.",
                            file.string(), schema, kSchemaVersion));
        }
    }
    if (reader->failed())
        return fail(
            ErrorCode::Unreadable,
            fmt::format("{} can not be read to its end (input/output error): check the file system it is on.",
                        file.string()));
    if (!any)
        return fail(
            ErrorCode::Unreadable,
            fmt::format("{} is empty: the rank stopped before it wrote its first record.", file.string()));
    return records;
}

} // namespace ddp::records
