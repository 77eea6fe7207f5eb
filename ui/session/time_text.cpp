// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/time_text.h"

#include <QLocale>
#include <QStringBuilder>

#include <cmath>
#include <cstdlib>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QChar kNarrowSpace(0x202f);

/// Three digits in all, without the exponent that 'g' would use.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

QString grouped(QString digits) {
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, kNarrowSpace);
    return digits;
}

} // namespace

QString durationText(Nanoseconds duration) {
    const double ns = static_cast<double>(duration.count);
    const double size = std::abs(ns);
    if (size < 1000)
        return QString::number(duration.count) % u" ns"_s;
    if (size < 999.5e3)
        return threeDigits(ns / 1e3) % u" µs"_s;
    if (size < 999.5e6)
        return threeDigits(ns / 1e6) % u" ms"_s;
    if (size < 600e9)
        return threeDigits(ns / 1e9) % u" s"_s;
    const qint64 seconds = std::llround(ns / 1e9);
    return QString::number(seconds / 60) % u" min "_s % QString::number(std::abs(seconds % 60)) % u" s"_s;
}

QString exactText(Nanoseconds value) {
    const QString sign = value.count < 0 ? u"−"_s : QString();
    return sign % grouped(QString::number(std::abs(value.count))) % u" ns"_s;
}

QString pointText(Nanoseconds point) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const QString sign = point.count < 0 ? u"−"_s : QString();
    const std::int64_t size = std::abs(point.count);
    QString fraction = QString::number(size % kSecond).rightJustified(9, u'0');
    fraction.insert(6, kNarrowSpace);
    fraction.insert(3, kNarrowSpace);
    return sign % QString::number(size / kSecond) % u'.' % fraction % u" s"_s;
}

QString countText(quint64 count, const QString& one, const QString& many) {
    return QLocale().toString(static_cast<qulonglong>(count)) % u' ' % (count == 1 ? one : many);
}

} // namespace ddp::ui
