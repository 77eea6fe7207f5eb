// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/duration_input.h"

#include <QRegularExpression>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

__extension__ typedef __int128 Wide; // digits times a unit do not fit into 64 bits

constexpr std::int64_t kMost = 4'000'000'000'000'000'000;

std::int64_t unitLength(const QString& unit) {
    if (unit == u"min")
        return 60'000'000'000;
    if (unit == u"s")
        return 1'000'000'000;
    if (unit == u"ms")
        return 1'000'000;
    return unit == u"ns" ? 1 : 1'000;
}

} // namespace

std::optional<Nanoseconds> cutDurationFrom(const QString& text) {
    QString compact = text.toLower();
    compact.removeIf([](QChar letter) { return letter.isSpace(); }); // those in our own numbers too
    // Both letters that look like a micro sign, and the minus sign that we write.
    static const QRegularExpression kForm(
        u"^([+\u2212-]?)(?=\\.?\\d)(\\d{0,18})(?:\\.(\\d{0,18}))?(ns|us|\u00b5s|\u03bcs|ms|s|min|)$"_s);
    const auto match = kForm.match(compact);
    if (!match.hasMatch())
        return std::nullopt;
    const std::int64_t unit = unitLength(match.captured(4));
    std::int64_t part = 1;
    for (qsizetype i = 0; i < match.capturedLength(3); ++i)
        part *= 10;
    const Wide whole = static_cast<Wide>(match.captured(2).toLongLong()) * unit;
    const Wide ns =
        std::min<Wide>(whole + static_cast<Wide>(match.captured(3).toLongLong()) * unit / part, kMost);
    if (match.captured(4).isEmpty() && ns != 0)
        return std::nullopt;
    const bool negative = match.capturedLength(1) > 0 && match.captured(1) != u"+";
    return Nanoseconds(static_cast<std::int64_t>(negative ? -ns : ns));
}

std::optional<Nanoseconds> durationFrom(const QString& text) {
    const auto cut = cutDurationFrom(text);
    return cut && cut->count < kMost && cut->count > -kMost ? cut : std::nullopt;
}

} // namespace ddp::ui
