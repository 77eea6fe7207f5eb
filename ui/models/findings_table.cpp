// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/findings_table.h"

#include "core/report/findings_report.h"
#include "ui/delegates/verdict_symbol.h"
#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(FindingsTable)
};

QString severityText(const FindingRow& row) {
    switch (row.severity) {
    case FindingSeverity::Error:
        return Texts::tr("error");
    case FindingSeverity::Warning:
        return Texts::tr("warning");
    case FindingSeverity::Info:
        break;
    }
    return Texts::tr("note");
}

/// As ddpscope-cli says it.
QVariant severityField(const FindingRow& row) {
    switch (row.severity) {
    case FindingSeverity::Error:
        return u"error"_s;
    case FindingSeverity::Warning:
        return u"warning"_s;
    case FindingSeverity::Info:
        break;
    }
    return u"info"_s;
}

QVariant severitySymbol(const FindingRow& row) {
    switch (row.severity) {
    case FindingSeverity::Error:
        return static_cast<int>(Symbol::Fail);
    case FindingSeverity::Warning:
        return static_cast<int>(Symbol::Warning);
    case FindingSeverity::Info:
        break;
    }
    return static_cast<int>(Symbol::Info);
}

QString evidenceText(const FindingRow& row) {
    if (!row.window)
        return u"–"_s;
    return Texts::tr("%1 at %2").arg(durationText(row.window->length()), durationText(row.window->begin));
}

} // namespace

std::vector<FindingRow> findingRows(const TraceStore& store, std::span<const Finding> findings) {
    const FindingRules& rules = FindingRules::builtin();
    std::vector<FindingRow> rows;
    for (const Finding& finding : findings) {
        FindingRow row;
        row.severity = finding.severity;
        row.where = finding.rankIndex
                        ? Texts::tr("rank %1").arg(rankCell(store.ranks()[*finding.rankIndex].rank))
                        : Texts::tr("run");
        row.sentence = QString::fromStdString(report::findingSentence(store, rules, finding));
        if (const std::string advice = report::findingAdvice(store, rules, finding); !advice.empty())
            row.sentence += u'\n' + Texts::tr("Try: %1").arg(QString::fromStdString(advice));
        row.window = finding.window;
        row.rankIndex = finding.rankIndex;
        if (finding.rankIndex)
            row.rank = store.ranks()[*finding.rankIndex].rank;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Column<FindingRow>> findingColumns() {
    using Row = FindingRow;
    return {
        {.title = Texts::tr("Severity"),
         .text = severityText,
         .key = [](const Row& row) -> QVariant { return static_cast<int>(row.severity); },
         .symbol = severitySymbol,
         .fields = {{"severity", severityField}}},
        {.title = Texts::tr("Where"),
         .text = [](const Row& row) { return row.where; },
         .fields = {{"rank", [](const Row& row) { return valueOrNull(row.rank); }}}},
        {.title = Texts::tr("Evidence"),
         .tip =
             Texts::tr("The part of the trace to look at; a click shows it in the timeline, and the rank."),
         .number = true,
         .text = evidenceText,
         .key = [](const Row& row) -> QVariant {
             return row.window ? static_cast<qlonglong>(row.window->begin.count) : -1;
         },
         .fields = {{"begin_ns",
                     [](const Row& row) {
                         return row.window ? QVariant(qlonglong(row.window->begin.count)) : QVariant();
                     }},
                    {"end_ns",
                     [](const Row& row) {
                         return row.window ? QVariant(qlonglong(row.window->end.count)) : QVariant();
                     }}}},
        {.title = Texts::tr("Finding"),
         .text = [](const Row& row) { return row.sentence; },
         .fields = {{"sentence", [](const Row& row) -> QVariant { return row.sentence; }}}},
    };
}

} // namespace ddp::ui
