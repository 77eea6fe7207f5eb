// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_ruler.h"

#include <QStringBuilder>

#include <algorithm>
#include <array>
#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

struct Unit {
    std::int64_t length;
    QStringView name;
};

constexpr std::array<Unit, 4> kUnits{{{1, u"ns"}, {1'000, u"µs"}, {1'000'000, u"ms"}, {1'000'000'000, u"s"}}};

/// 1, 2 or 5 times a power of ten, not shorter than `least`; also how many parts it is divided into.
std::pair<std::int64_t, int> roundStep(std::int64_t least) {
    std::int64_t power = 1;
    while (power < least / 10)
        power *= 10;
    for (;; power *= 10) {
        for (const auto& [factor, parts] : {std::pair{1, 5}, std::pair{2, 4}, std::pair{5, 5}}) {
            if (power * factor >= least)
                return {power * factor, parts};
        }
    }
}

/// The largest unit that the step is a multiple of, or a tenth where the window is longer than the unit:
/// labels have one decimal at most.
const Unit& unitFor(std::int64_t step, std::int64_t window) {
    const Unit* best = &kUnits[0];
    for (const Unit& unit : kUnits) {
        if (step >= unit.length || (step * 10 >= unit.length && window >= unit.length))
            best = &unit;
    }
    return *best;
}

QString labelText(std::int64_t value, std::int64_t step, const Unit& unit) {
    const std::int64_t whole = value / unit.length;
    if (step >= unit.length)
        return QString::number(whole) % u' ' % unit.name;
    return QString::number(whole) % u'.' % QString::number((value % unit.length) * 10 / unit.length) % u' ' %
           unit.name;
}

} // namespace

Ruler makeRuler(TimeRange visible, int width, int minSpacing) {
    Ruler ruler;
    const std::int64_t length = visible.length().count;
    if (length <= 0 || width <= 0)
        return ruler;
    const auto spacing =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(length) / width * minSpacing));
    const auto [step, parts] = roundStep(std::max<std::int64_t>(1, spacing));
    ruler.step = Nanoseconds(step);
    ruler.subdivisions = step == 1 ? 1 : parts;
    const Unit& unit = unitFor(step, length);

    // More than five digits before the unit say little: the part that all labels share is said once.
    constexpr std::int64_t kLongestNumber = 100'000;
    if (visible.end.count / unit.length >= kLongestNumber) {
        const std::int64_t baseStep = roundStep(length).first;
        ruler.base = Nanoseconds(visible.begin.count / baseStep * baseStep);
    }
    for (std::int64_t t = (visible.begin.count + step - 1) / step * step; t <= visible.end.count; t += step) {
        const QString text = labelText(t - ruler.base.count, step, unit);
        ruler.ticks.push_back({Nanoseconds(t), ruler.base.count != 0 ? u'+' % text : text});
    }
    return ruler;
}

} // namespace ddp::ui
