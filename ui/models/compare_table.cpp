// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare_table.h"

#include "core/report/compare_report.h"
#include "core/report/run_differences.h"
#include "ui/models/activity_parts.h"
#include "ui/session/time_text.h"

#include <QCoreApplication>

#include <array>
#include <limits>
#include <string>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(CompareTable)
};

using Row = ComparedRow;

QString whatText(const Row& row) {
    switch (row.what) {
    case ComparedWhat::StepDuration:
        return Texts::tr("step duration");
    case ComparedWhat::Compute:
        return Texts::tr("compute");
    case ComparedWhat::Communication:
        return Texts::tr("communication");
    case ComparedWhat::Hidden:
        return Texts::tr("hidden communication");
    case ComparedWhat::Exposed:
        return Texts::tr("exposed communication");
    case ComparedWhat::Idle:
        return Texts::tr("idle");
    case ComparedWhat::Forward:
        return Texts::tr("compute of forward");
    case ComparedWhat::Backward:
        return Texts::tr("compute of backward");
    case ComparedWhat::Optimizer:
        return Texts::tr("compute of the optimizer");
    case ComparedWhat::Region:
        break;
    }
    return Texts::tr("region %1").arg(QString::fromStdString(row.region));
}

/// A difference that is none, or may be none, does not stand there like one.
QString perhaps(const Row& row, const QString& text) {
    return row.beyondNoise.value_or(false) ? text : u'(' % text % u')';
}

QString withSign(double value, const QString& size) {
    return (value > 0 ? u"+"_s : value < 0 ? u"−"_s : QString()) + size;
}

QString changeText(const Row& row) {
    const auto change = report::changeOf(row);
    if (!change)
        return u"–"_s;
    return perhaps(row, withSign(static_cast<double>(change->count),
                                 durationText(Nanoseconds(std::abs(change->count)))));
}

QString percentChangeText(const Row& row) {
    const auto percent = report::changePercent(row);
    return percent ? perhaps(row, withSign(*percent, percentText(std::abs(*percent)))) : u"–"_s;
}

QString verdictText(const Row& row) {
    const auto change = report::changeOf(row);
    if (!change)
        return Texts::tr("only in one run");
    if (!row.beyondNoise)
        return Texts::tr("not known");
    if (!*row.beyondNoise)
        return Texts::tr("within the noise");
    return change->count > 0 ? Texts::tr("longer") : Texts::tr("shorter");
}

QString verdictTip(const Row& row) {
    if (!report::changeOf(row))
        return Texts::tr("One of the runs does not have it, or its trace does not tell it.");
    if (!row.beyondNoise)
        return Texts::tr("There are too few steps to tell a change from noise.");
    if (!*row.beyondNoise)
        return Texts::tr("The steps of each run differ among themselves as much as this: it is no change.");
    return Texts::tr("A rank test over the steps says that this is more than noise.");
}

QVariant keyOf(const std::optional<Nanoseconds>& value) {
    return static_cast<qlonglong>(value ? value->count : std::numeric_limits<std::int64_t>::min());
}

} // namespace

std::vector<Column<Row>> compareColumns() {
    return {
        {.title = Texts::tr("A"),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.a); },
         .key = [](const Row& row) { return keyOf(row.a); },
         .fields = {{"a_ns", [](const Row& row) { return nanosecondsOrNull(row.a); }}}},
        {.title = Texts::tr("B"),
         .number = true,
         .text = [](const Row& row) { return timeCell(row.b); },
         .key = [](const Row& row) { return keyOf(row.b); },
         .fields = {{"b_ns", [](const Row& row) { return nanosecondsOrNull(row.b); }}}},
        {.title = Texts::tr("Change"),
         .tip = Texts::tr("B less A; in brackets where it is within the noise, or nothing tells the noise."),
         .number = true,
         .text = changeText,
         .key = [](const Row& row) { return keyOf(report::changeOf(row)); },
         .fields = {{"change_ns", [](const Row& row) { return nanosecondsOrNull(report::changeOf(row)); }}}},
        {.title = Texts::tr("Change %"),
         .tip = Texts::tr("In percent of A."),
         .number = true,
         .text = percentChangeText,
         .key = [](const Row& row) { return QVariant(report::changePercent(row).value_or(-1e9)); },
         .fields = {{"change_pct", [](const Row& row) { return valueOrNull(report::changePercent(row)); }}}},
        {.title = Texts::tr("Verdict"),
         .tip = Texts::tr("Whether the change is larger than the noise of the steps."),
         .text = verdictText,
         .cellTip = verdictTip,
         .fields = {{"beyond_noise", [](const Row& row) { return valueOrNull(row.beyondNoise); }}}},
        {.title = Texts::tr("Per step and rank"),
         .text = whatText,
         .fields = {{"what",
                     [](const Row& row) {
                         return QVariant(QString::fromStdString(report::comparedId(row)));
                     }}}},
    };
}

QString comparisonBasis(const Comparison& comparison) {
    if (!comparison.bySteps)
        return Texts::tr(
            "Medians over the ranks of whole runs: one of the two has no steps besides a warm-up, "
            "and nothing tells the noise.");
    return Texts::tr("Medians over the steps of all ranks without the warm-up: %1 in A, %2 in B.")
        .arg(comparison.stepsA)
        .arg(comparison.stepsB);
}

QStringList comparisonDoubts(const Comparison& comparison, bool deciding) {
    static const std::array<std::string, 2> kNames{"A", "B"};
    QStringList sentences;
    for (const RunDifference& difference : comparison.differences)
        if (difference.decides == deciding)
            sentences += QString::fromStdString(report::differenceSentence(difference, kNames));
    return sentences;
}

} // namespace ddp::ui
