// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/acceptance_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ddp::triage {

namespace {

constexpr std::size_t kMostEvidence = 8;

void add(std::vector<Evidence>& list, Evidence evidence) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const Evidence& e) {
        return e.file == evidence.file && e.line == evidence.line;
    });
    if (!known && list.size() < kMostEvidence)
        list.push_back(std::move(evidence));
}

} // namespace

void Line::yes(Evidence evidence) {
    add(m_proofs, std::move(evidence));
}

void Line::unknown(const std::string& why) {
    if (m_doubts.find(why) == std::string::npos)
        m_doubts += (m_doubts.empty() ? "" : " ") + why;
}

void Line::unknown(const std::string& why, Evidence evidence) {
    unknown(why);
    add(m_doubted, std::move(evidence));
}

void Line::no(const std::string& why, Evidence evidence) {
    if (m_line.state != Answer::No)
        m_line.sentence = why; // the first reason is told, the evidence of all is kept
    m_line.state = Answer::No;
    add(m_line.evidence, std::move(evidence));
}

void Line::noInLog(const std::string& why, Evidence evidence) {
    auto& list = m_line.evidence;
    const std::size_t before = list.size();
    no(why, std::move(evidence));
    if (list.size() > before)
        std::rotate(list.begin() + static_cast<std::ptrdiff_t>(m_logLines), list.end() - 1, list.end());
    m_logLines += list.size() - before;
}

AcceptanceLine Line::settle(const std::string& whenYes, const std::string& whenNothing) {
    if (m_line.state == Answer::No)
        return m_line;
    if (!m_doubts.empty() || m_proofs.empty()) {
        m_line.sentence = m_doubts.empty() ? whenNothing : m_doubts;
        m_line.evidence = m_doubted.empty() ? m_proofs : m_doubted;
        return m_line;
    }
    m_line.state = Answer::Yes;
    m_line.sentence = whenYes;
    m_line.evidence = m_proofs;
    return m_line;
}

void doubtMissing(const Context& c, Line& line) {
    if (!c.run.hasRecords())
        line.unknown("There are no records of ddpscope-worker, and logs alone can not prove it.");
    else if (!c.run.expected)
        line.unknown("It is unknown how many ranks were started.");
    if (c.run.hasRecords() && !c.missing.empty())
        line.unknown(fmt::format("R{} left no records.", listOf(c.missing).substr(1)));
}

bool deniedBy(const Finding& finding, const char* line) {
    return finding.primary() && finding.rule->indicatorClass != IndicatorClass::Scheduler &&
           (finding.rule->acceptance.empty() ? "no_fatal_error" : finding.rule->acceptance) == line;
}

void denyByFindings(const Context& c, const char* id, Line& line) {
    for (const Finding& finding : c.run.logs.findings) {
        if (deniedBy(finding, id))
            line.noInLog(finding.rule->says.empty() ? "A log says: " + finding.first.text
                                                    : finding.rule->says,
                         finding.first);
    }
}

std::string capitalised(std::string text) {
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

} // namespace ddp::triage
