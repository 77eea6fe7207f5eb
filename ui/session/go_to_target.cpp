// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/go_to_target.h"

#include "ui/session/time_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

__extension__ typedef __int128 Wide; // digits times a unit do not fit into 64 bits

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(GoTo)
};

tl::unexpected<Error> refuse(const QString& sentence) {
    return fail(ErrorCode::Usage, sentence.toStdString());
}

std::int64_t unitLength(const QString& unit) {
    if (unit == u"min")
        return 60'000'000'000;
    if (unit == u"s")
        return 1'000'000'000;
    if (unit == u"ms")
        return 1'000'000;
    return unit == u"ns" ? 1 : 1'000;
}

/// At most 18 digits on each side of the point; what is longer than a trace can be is cut to that.
Nanoseconds exactTime(const QString& whole, QString fraction, std::int64_t unit) {
    constexpr Wide kMost = INT64_MAX;
    Wide value = static_cast<Wide>(whole.toLongLong()) * unit;
    std::int64_t part = 1;
    for (qsizetype i = 0; i < fraction.size(); ++i)
        part *= 10;
    value += static_cast<Wide>(fraction.toLongLong()) * unit / part;
    return Nanoseconds(static_cast<std::int64_t>(std::min(value, kMost)));
}

} // namespace

Result<GoToTarget> parseGoTo(const QString& text, TimeRange extent) {
    QString compact = text.toLower();
    compact.removeIf([](QChar letter) { return letter.isSpace(); });
    static const QRegularExpression kStep(u"^(?:goto)?step#?(\\d{1,9})$"_s);
    static const QRegularExpression kTime(
        u"^(\\d{1,18})(?:\\.(\\d{1,18}))?(ns|us|\u00b5s|\u03bcs|ms|s|min)$"_s);
    static const QRegularExpression kNumber(u"^[\\d.]+$"_s);
    if (const auto step = kStep.match(compact); step.hasMatch())
        return GoToTarget{{}, step.captured(1).toUInt()};
    const auto time = kTime.match(compact);
    if (!time.hasMatch()) {
        if (kNumber.match(compact).hasMatch())
            return refuse(Texts::tr("%1 has no unit: add ns, µs, ms, s or min.").arg(text.trimmed()));
        return refuse(Texts::tr("Type a time with its unit, such as 1.25 s, 350 ms or 12345 ns, or a step, "
                                "such as step 12."));
    }
    const Nanoseconds at = exactTime(time.captured(1), time.captured(2), unitLength(time.captured(3)));
    if (at < extent.begin || at > extent.end)
        return refuse(Texts::tr("%1 is outside the run, which goes from %2 to %3.")
                          .arg(text.trimmed(), pointText(extent.begin), pointText(extent.end)));
    return GoToTarget{at, {}};
}

} // namespace ddp::ui
