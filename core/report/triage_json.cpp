// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/triage_json.h"

#include "core/report/envelope.h"
#include "core/report/json_value.h"

namespace ddp::report {

namespace {

Json evidenceJson(const triage::Evidence& evidence) {
    return {{"file", evidence.file}, {"line", evidence.line}, {"text", evidence.text}};
}

Json evidenceJson(const std::vector<triage::Evidence>& list) {
    auto rows = Json::array();
    for (const auto& evidence : list)
        rows.push_back(evidenceJson(evidence));
    return rows;
}

} // namespace

const char* verdictName(triage::Verdict verdict) {
    switch (verdict) {
    case triage::Verdict::Pass:
        return "PASS";
    case triage::Verdict::Fail:
        return "FAIL";
    case triage::Verdict::Inconclusive:
        return "INCONCLUSIVE";
    }
    return "INCONCLUSIVE";
}

const char* faultClassName(triage::FaultClass faultClass) {
    switch (faultClass) {
    case triage::FaultClass::None:
        return "none";
    case triage::FaultClass::NodeFault:
        return "node_fault";
    case triage::FaultClass::UserCodeFault:
        return "user_code_fault";
    case triage::FaultClass::Scheduler:
        return "scheduler";
    case triage::FaultClass::Environment:
        return "environment";
    }
    return "none";
}

const char* indicatorClassName(triage::IndicatorClass indicatorClass) {
    switch (indicatorClass) {
    case triage::IndicatorClass::NodeFault:
        return "node_fault";
    case triage::IndicatorClass::UserCodeFault:
        return "user_code_fault";
    case triage::IndicatorClass::Scheduler:
        return "scheduler";
    case triage::IndicatorClass::Harmless:
        return "harmless";
    }
    return "harmless";
}

const char* answerName(triage::Answer answer) {
    switch (answer) {
    case triage::Answer::Yes:
        return "yes";
    case triage::Answer::No:
        return "no";
    case triage::Answer::Unknown:
        return "unknown";
    }
    return "unknown";
}

Json triageJson(const triage::Report& report) {
    Json out = envelope("triage");
    out["verdict"] = verdictName(report.verdict);
    out["node"] = orNull(report.node);
    out["ranks_expected"] = orNull(report.ranksExpected);
    out["simulated"] = report.simulated;
    const auto& d = report.diagnosis;
    out["diagnosis"] = {{"class", faultClassName(d.faultClass)},
                        {"cause", d.cause.empty() ? Json(nullptr) : Json(d.cause)},
                        {"sentence", d.sentence},
                        {"next", d.next},
                        {"evidence", evidenceJson(d.evidence)}};
    out["acceptance"] = Json::array();
    for (const auto& line : report.acceptance)
        out["acceptance"].push_back({{"id", line.id},
                                     {"state", answerName(line.state)},
                                     {"sentence", line.sentence},
                                     {"evidence", evidenceJson(line.evidence)}});
    out["indicators"] = Json::array();
    for (const auto& indicator : report.indicators)
        out["indicators"].push_back({{"id", indicator.id},
                                     {"class", indicatorClassName(indicator.indicatorClass)},
                                     {"secondary", indicator.secondary},
                                     {"count", indicator.count},
                                     {"first", evidenceJson(indicator.first)}});
    return out;
}

} // namespace ddp::report
