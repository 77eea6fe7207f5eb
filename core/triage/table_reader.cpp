// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/table_reader.h"

#include "core/triage/log_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ddp::triage {

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// "[N/A]", "N/A", "[Not Supported]": not measurable; anything that is neither that nor a number says nothing.
std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

bool notMeasurable(std::string_view text) {
    return contains(text, "N/A") || contains(text, "Not Supported") || text == "Off";
}

bool affirmed(std::string_view text) {
    return text == "Yes" || (wholeNumber(text).value_or(0) > 0);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const auto end = std::min(line.find(separator, begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return cells;
}

} // namespace

void TableReader::Counters::count(std::string_view value, int line, std::string_view text) {
    const auto number = wholeNumber(value);
    auto& place = number ? (*number > 0 ? bad : zero) : notMeasurable;
    if (!place && (number || triage::notMeasurable(value)))
        place = Place{line, std::string(text)};
}

void TableReader::feed(std::string_view line, int number) {
    if (m_inCsv && !feedCsvRow(line, number)) {
        m_inCsv = false;
        reportCounters(m_csvEcc);
        m_csvEcc = {};
    }
    if (m_inSacct)
        m_inSacct = feedSacctRow(line, number);
    feedBlock(line, number);
}

void TableReader::finish() {
    endBlock();
    if (m_inCsv)
        reportCounters(m_csvEcc);
    m_inCsv = false;
    m_inSacct = false;
    m_csvEcc = {};
}

void TableReader::reportCounters(const Counters& counters) {
    if (counters.bad)
        m_report("ecc_volatile_uncorrected", counters.bad->line, counters.bad->text);
    else if (counters.zero && !counters.notMeasurable)
        m_report("ecc_clean", counters.zero->line, counters.zero->text);
    else if (counters.notMeasurable)
        m_report("ecc_not_supported", counters.notMeasurable->line, counters.notMeasurable->text);
}

void TableReader::endBlock() {
    if (m_block == Block::Volatile)
        reportCounters(m_ecc);
    else if (m_block == Block::Aggregate && m_ecc.bad)
        m_report("ecc_aggregate_uncorrected", m_ecc.bad->line, m_ecc.bad->text);
    m_block = Block::None;
    m_ecc = {};
    m_singleBit = false;
}

void TableReader::feedBlock(std::string_view line, int number) {
    constexpr std::size_t kLongest = 160; // of a line of nvidia-smi -q
    const std::string_view text = line.size() <= kLongest ? trimmed(line) : std::string_view();
    if (text.empty()) {
        endBlock();
        return;
    }
    const std::size_t indent = line.find_first_not_of(" \t");
    if (m_block != Block::None && indent <= m_indent)
        endBlock();
    if (m_block == Block::None) {
        constexpr std::array kTitles = {
            std::pair{"Volatile", Block::Volatile}, std::pair{"Aggregate", Block::Aggregate},
            std::pair{"Remapped Rows", Block::Remapped}, std::pair{"Retired Pages", Block::Retired}};
        for (const auto& [title, block] : kTitles) {
            if (text == title) {
                m_block = block;
                m_indent = indent;
            }
        }
        return;
    }

    const auto colon = text.find(':');
    if (colon == std::string_view::npos) {
        m_singleBit = contains(text, "Single Bit"); // the old layout: corrected errors, then "Double Bit"
        return;
    }
    const std::string_view key = trimmed(text.substr(0, colon));
    const std::string_view value = trimmed(text.substr(colon + 1));
    if (m_block == Block::Remapped) {
        if (key == "Pending" && affirmed(value))
            m_report("row_remap_pending", number, line);
        else if (contains(key, "Failure") && affirmed(value))
            m_report("row_remap_failed", number, line);
    } else if (m_block == Block::Retired) {
        if (contains(key, "Pending") && affirmed(value))
            m_report("page_retirement_pending", number, line);
    } else {
        const bool corrected =
            m_singleBit || (contains(key, "Correctable") && !contains(key, "Uncorrectable"));
        const bool aCounter = !contains(key, "Threshold");
        // A corrected counter that is not measurable says the same about the uncorrected ones.
        if (aCounter && (!corrected || notMeasurable(value)))
            m_ecc.count(value, number, line);
    }
}

void TableReader::beginCsv(std::string_view header) {
    m_csvColumns.clear();
    for (const auto cell : split(header, ','))
        m_csvColumns.emplace_back(cell.substr(0, cell.find(' '))); // without the unit: "memory.used [MiB]"
    m_inCsv = true;
    m_csvEcc = {};
}

bool TableReader::feedCsvRow(std::string_view line, int number) {
    const auto cells = split(line, ',');
    if (cells.size() != m_csvColumns.size())
        return false;
    // A total makes its parts redundant, and a board may have only some of the parts.
    const bool hasTotal = std::find(m_csvColumns.begin(), m_csvColumns.end(),
                                    "ecc.errors.uncorrected.volatile.total") != m_csvColumns.end();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string_view column = m_csvColumns[i];
        if (contains(column, "ecc.errors.uncorrected.volatile")) {
            if (!hasTotal || column.ends_with(".total"))
                m_csvEcc.count(cells[i], number, line);
        } else if (contains(column, "ecc.errors.uncorrected.aggregate") && affirmed(cells[i])) {
            m_report("ecc_aggregate_uncorrected", number, line);
        } else if (column.ends_with("remapped_rows.pending") && affirmed(cells[i])) {
            m_report("row_remap_pending", number, line);
        } else if (column.ends_with("remapped_rows.failure") && affirmed(cells[i])) {
            m_report("row_remap_failed", number, line);
        }
    }
    return true;
}

void TableReader::beginSacct(std::string_view header) {
    m_sacctBars = contains(header, "|");
    m_sacctColumns.clear();
    m_jobStates.clear();
    if (m_sacctBars) {
        for (const auto cell : split(header, '|'))
            m_sacctColumns.emplace_back(cell, 0);
    } else {
        // sacct sets its columns right- or left-bound: the rule of dashes below the header says where they
        // are.
        for (std::size_t at = 0; (at = header.find_first_not_of(' ', at)) != std::string_view::npos;) {
            const auto end = std::min(header.find(' ', at), header.size());
            m_sacctColumns.emplace_back(header.substr(at, end - at), 0);
            at = end;
        }
    }
    m_inSacct = true;
}

std::vector<std::string_view> TableReader::sacctCells(std::string_view line) const {
    if (m_sacctBars)
        return split(line, '|');
    std::vector<std::string_view> cells;
    for (std::size_t i = 0; i < m_sacctColumns.size(); ++i) {
        const std::size_t begin = m_sacctColumns[i].second;
        const std::size_t end = i + 1 < m_sacctColumns.size() ? m_sacctColumns[i + 1].second : line.size();
        cells.push_back(begin < line.size() ? trimmed(line.substr(begin, end - begin)) : std::string_view());
    }
    return cells;
}

bool TableReader::feedSacctRow(std::string_view line, int number) {
    if (!m_sacctBars && line.find_first_not_of("- ") == std::string_view::npos && !trimmed(line).empty()) {
        std::size_t at = 0;
        for (auto& column : m_sacctColumns) {
            at = line.find('-', at);
            if (at == std::string_view::npos)
                return false;
            column.second = at;
            at = std::min(line.find(' ', at), line.size());
        }
        return true;
    }
    const auto cells = sacctCells(line);
    if (cells.size() < m_sacctColumns.size() || cells.empty() || cells[0].empty() || cells[0][0] < '0' ||
        cells[0][0] > '9')
        return false;
    for (std::size_t i = 0; i < m_sacctColumns.size(); ++i) {
        if (m_sacctColumns[i].first == "State")
            sacctState(cells[0], cells[i].substr(0, cells[i].find_first_of(" +")), number, line);
    }
    return true;
}

void TableReader::sacctState(std::string_view job, std::string_view state, int number,
                             std::string_view line) {
    constexpr std::array kBad = {"FAILED",    "CANCELLED", "TIMEOUT",   "OUT_OF_MEMORY", "NODE_FAIL",
                                 "BOOT_FAIL", "DEADLINE",  "PREEMPTED", "OUT_OF_ME"};
    const bool bad = std::find(kBad.begin(), kBad.end(), state) != kBad.end();
    const auto dot = job.find('.');
    if (dot == std::string_view::npos) {
        m_jobStates.insert_or_assign(std::string(job), std::string(state));
        if (state == "CANCELLED")
            m_report("slurm_cancelled", number, line);
        else if (bad)
            m_report("sacct_terminal_states", number, line);
        return;
    }
    const auto owner = m_jobStates.find(job.substr(0, dot));
    const bool jobLooksFine = owner != m_jobStates.end() && owner->second == "COMPLETED";
    if (bad && jobLooksFine)
        m_report("sacct_step_failed", number, line);
}

} // namespace ddp::triage
