// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::triage {

/// Finds what one line alone does not say: the ECC and remapping blocks of `nvidia-smi -q`, its csv query,
/// and the table of sacct. Feed it every line in order, then finish().
class TableReader {
public:
    /// The id of the rule that fits, the line and its text.
    using Report = std::function<void(std::string_view id, int line, std::string_view text)>;

    explicit TableReader(Report report) : m_report(std::move(report)) {}

    void feed(std::string_view line, int number);
    void finish();
    void beginCsv(std::string_view header);   ///< the line was the header of a csv query
    void beginSacct(std::string_view header); ///< the line was the header of sacct

private:
    enum class Block { None, Volatile, Aggregate, Remapped, Retired };
    struct Place {
        int line = 0;
        std::string text;
    };
    struct Counters {
        std::optional<Place> bad;
        std::optional<Place> zero;
        std::optional<Place> notMeasurable;
        void count(std::string_view value, int line, std::string_view text);
    };

    void feedBlock(std::string_view line, int number);
    void endBlock();
    void reportCounters(const Counters& counters);
    bool feedCsvRow(std::string_view line, int number);
    bool feedSacctRow(std::string_view line, int number);
    std::vector<std::string_view> sacctCells(std::string_view line) const;
    void sacctState(std::string_view job, std::string_view state, int number, std::string_view line);

    Report m_report;
    Block m_block = Block::None;
    std::size_t m_indent = 0; ///< of the block's title; a line that is indented no deeper ends it
    bool m_singleBit = false;
    Counters m_ecc;
    bool m_inCsv = false;
    std::vector<std::string> m_csvColumns;
    Counters m_csvEcc;
    bool m_inSacct = false;
    bool m_sacctBars = false; ///< columns are separated by '|', else by blanks
    std::vector<std::pair<std::string, std::size_t>> m_sacctColumns; ///< name, begin
    std::map<std::string, std::string, std::less<>> m_jobStates;
};

} // namespace ddp::triage
