// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/log_scanner.h"

#include "core/records/line_reader.h"
#include "core/records/utf8.h"
#include "core/triage/log_text.h"
#include "core/triage/table_reader.h"

#include <fmt/format.h>

namespace ddp::triage {

namespace {

constexpr std::size_t kLongestPiece = std::size_t{64} << 10;
constexpr std::size_t kEvidenceBytes = 400;
constexpr std::size_t kMostRanks = 100'000; // a log can claim any number of ranks
constexpr std::size_t kMostMismatches = 1'000;

// The value of "key=value" in a line of blank-separated fields.
std::optional<std::string> field(std::string_view line, std::string_view key) {
    for (auto at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
        if (at > 0 && line[at - 1] != ' ')
            continue;
        const auto begin = at + key.size();
        return std::string(line.substr(begin, line.find(' ', begin) - begin));
    }
    return {};
}

class Scanner {
public:
    Scanner(const LogFile& file, std::uint32_t order, const RuleSet& rules, LogFindings& findings)
        : m_file(file), m_order(std::uint64_t{order} << 32), m_rules(rules), m_findings(findings),
          m_tables(
              [this](std::string_view id, int line, std::string_view text) { addById(id, line, text); }) {}

    void piece(std::string_view text, int number) {
        // A progress bar overwrites its line: each of its states is a line of its own.
        while (!text.empty()) {
            const auto end = text.find('\r');
            if (end != 0)
                line(text.substr(0, end), number);
            if (end == std::string_view::npos)
                break;
            text.remove_prefix(end + 1);
        }
    }
    void emptyLine(int number) { m_tables.feed({}, number); }
    void finish() { m_tables.finish(); }

private:
    void line(std::string_view raw, int number) {
        const std::string_view clean = withoutControls(raw, m_clean);
        const PlainLine plain = withoutPrefixes(clean);
        const auto rank = plain.rank ? plain.rank : m_file.rank;

        bool wrapped = false;
        auto match = m_rules.match(plain.text, &wrapped);
        if (!m_broken.empty())
            match = joined(plain.text, rank, match);
        if (wrapped && (!match || !match->rule->wraps))
            startBroken(plain.text, clean, number);
        m_tables.feed(plain.text, number); // before a header begins a new table with the next line
        if (match)
            found(*match, plain.text, clean, rank, number);
    }

    // A terminal broke the line: the parts make sense together.
    std::optional<RuleSet::Match> joined(std::string_view text, std::optional<int> rank,
                                         std::optional<RuleSet::Match> alone) {
        m_broken += text;
        auto match = m_rules.match(m_broken);
        if (match && match->rule->wraps) {
            const std::string whole = std::move(m_broken);
            m_broken.clear();
            found(*match, whole, m_brokenShown + std::string(text), rank, m_brokenLine);
            return {};
        }
        if (++m_brokenParts >= 3 || m_broken.size() > 2000)
            m_broken.clear();
        return alone;
    }

    void startBroken(std::string_view text, std::string_view shown, int number) {
        if (!m_broken.empty() || text.size() > 1000)
            return;
        m_broken = text;
        m_brokenShown = shown;
        m_brokenLine = number;
        m_brokenParts = 0;
    }

    void found(const RuleSet::Match& match, std::string_view text, std::string_view shown,
               std::optional<int> rank, int number) {
        if (match.id == "nvsmi_csv_header")
            m_tables.beginCsv(text);
        else if (match.id == "sacct_header")
            m_tables.beginSacct(text);
        Evidence evidence = evidenceOf(shown, number);
        if (!m_findings.ncclOutput && (match.id.starts_with("nccl_info") || match.id == "nccl_version"))
            m_findings.ncclOutput = evidence;
        if (match.id == "worker_rank_died")
            if (const auto died = numberAfter(text, "rank "))
                rank = static_cast<int>(*died);
        if (match.id.starts_with("ddp_param_mismatch"))
            mismatch(text, evidence);
        else if (match.id.starts_with("poc_"))
            workerLine(match.id, text, rank, evidence);
        m_findings.add(match, rank, std::move(evidence), m_order + static_cast<std::uint64_t>(number));
    }

    void addById(std::string_view id, int number, std::string_view text) {
        if (const Rule* rule = m_rules.find(id))
            m_findings.add({rule, rule->id}, m_file.rank, evidenceOf(text, number),
                           m_order + static_cast<std::uint64_t>(number));
    }

    Evidence evidenceOf(std::string_view text, int number) const {
        const std::string_view head = trimmed(text.substr(0, 4 * kEvidenceBytes));
        return {m_file.shown, number, records::shortened(records::repairedUtf8(head), kEvidenceBytes)};
    }

    void mismatch(std::string_view text, const Evidence& evidence) {
        auto found = parsedMismatch(text);
        if (!found || m_findings.mismatches.size() >= kMostMismatches)
            return;
        found->evidence = evidence;
        m_findings.mismatches.push_back(std::move(*found));
    }

    void workerLine(std::string_view id, std::string_view text, std::optional<int> rank,
                    const Evidence& evidence) {
        if (!rank || (!m_findings.ranks.contains(*rank) && m_findings.ranks.size() >= kMostRanks))
            return;
        LogRank& seen = m_findings.ranks[*rank];
        if (id == "poc_start") {
            seen.host = field(text, "host=");
            seen.device = field(text, "device=");
            seen.moduleLoading = field(text, "CUDA_MODULE_LOADING=");
            seen.simulated = field(text, "simulate_bug=").value_or("False") == "True";
            seen.start = evidence;
            const auto slash = text.find('/');
            if (const auto size = numberAfter(text.substr(slash), "/");
                size && *size > 0 && *size < 10'000'000)
                m_findings.worldSize = static_cast<int>(*size);
        } else if (id == "poc_param_count") {
            seen.parameters = numberAfter(text, "before DDP: ");
            seen.count = evidence;
        } else if (id == "poc_step_ok") {
            if (++seen.goodSteps == 1)
                seen.step = evidence;
        } else if (id == "poc_stage") {
            seen.stage = std::string(text.substr(text.rfind(' ') + 1));
            seen.stageLine = evidence;
        } else if (id == "poc_done") {
            seen.done = true;
            seen.end = evidence;
        }
    }

    const LogFile& m_file;
    std::uint64_t m_order;
    const RuleSet& m_rules;
    LogFindings& m_findings;
    TableReader m_tables;
    std::string m_clean;
    std::string m_broken; // the parts so far of a line that a terminal broke
    std::string m_brokenShown;
    int m_brokenLine = 0;
    int m_brokenParts = 0;
};

} // namespace

Result<void> scanLog(const LogFile& file, std::uint32_t order, const RuleSet& rules, LogFindings& findings,
                     std::stop_token stop) {
    auto reader = records::LineReader::open(file.path, kLongestPiece);
    if (!reader)
        return forward(reader);
    Scanner scanner(file, order, rules, findings);
    records::LinePiece piece;
    bool any = false;
    while (reader->next(piece)) {
        any = true;
        if (piece.text.empty() || piece.text == "\r")
            scanner.emptyLine(piece.line);
        else
            scanner.piece(piece.text, piece.line);
        if ((piece.line & 0xfff) == 0 && stop.stop_requested())
            return fail(ErrorCode::Cancelled, fmt::format("Reading {} was stopped.", file.shown));
    }
    scanner.finish();
    if (any)
        ++findings.files;
    if (any && !piece.ended)
        ++findings.unfinishedFiles;
    if (reader->failed())
        findings.problems.push_back(
            fmt::format("{} could not be read to its end (input/output error).", file.shown));
    return {};
}

} // namespace ddp::triage
