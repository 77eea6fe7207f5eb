// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/duration_input.h"

#include <QRegularExpression>

#include <cmath>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

std::optional<Nanoseconds> durationFrom(const QString& text) {
    // Both letters that look like a micro sign, the minus sign that we write, and the spaces in our numbers.
    static const QRegularExpression form(u"^([+−-]?)([0-9   ]*\\.?[0-9   ]*?)\\s*(ns|us|µs|μs|ms|s|)$"_s);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    bool ok = false;
    QString digits = match.captured(2);
    digits.remove(QRegularExpression(u"\\s"_s));
    const double value = digits.toDouble(&ok);
    const QString unit = match.captured(3);
    if (!ok || (unit.isEmpty() && value != 0))
        return std::nullopt;
    const double scale = unit == u"s" ? 1e9 : unit == u"ms" ? 1e6 : unit.endsWith(u"ns") ? 1 : 1e3;
    const double ns = value * scale * (match.captured(1).isEmpty() || match.captured(1) == u"+" ? 1 : -1);
    constexpr double kMost = 4e18;
    return std::abs(ns) < kMost ? std::optional(Nanoseconds(std::llround(ns))) : std::nullopt;
}

} // namespace ddp::ui
