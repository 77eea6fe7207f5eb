// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/run_counters.h"

#include "core/analysis/run_activity.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kFanOut = 16;

ValueRange together(const ValueRange& a, const ValueRange& b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

} // namespace

CounterSeries::CounterSeries(std::span<const CounterSample> samples, const Counter& counter)
    : m_samples(samples), m_type(counter.type), m_scale(std::pow(counter.base, counter.exponent)),
      m_backwards(counter.timing == CounterTiming::SinceLast) {
    std::vector<ValueRange> level;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const ValueRange one{value(i), value(i)};
        m_all = i == 0 ? one : together(m_all, one);
        if (i % kFanOut == 0)
            level.push_back(one);
        else
            level.back() = together(level.back(), one);
    }
    while (level.size() > 1) {
        m_levels.push_back(std::move(level));
        level.clear();
        const std::vector<ValueRange>& below = m_levels.back();
        for (std::size_t i = 0; i < below.size(); ++i)
            if (i % kFanOut == 0)
                level.push_back(below[i]);
            else
                level.back() = together(level.back(), below[i]);
    }
}

double CounterSeries::value(std::size_t i) const {
    const double value = m_samples[i].value.asDouble(m_type) * m_scale;
    return std::isfinite(value) ? value : 0;
}

ValueRange CounterSeries::over(std::size_t first, std::size_t last) const {
    ValueRange all{value(first), value(first)};
    std::size_t length = 1; // samples in an entry of the level at hand
    const auto take = [&](std::size_t level, std::size_t entry) {
        all = together(all, level == 0 ? ValueRange{value(entry), value(entry)} : m_levels[level - 1][entry]);
    };
    for (std::size_t level = 0; first < last; ++level, length *= kFanOut) {
        const bool top = level == m_levels.size();
        // Both ends are whole entries here, and whole ones of the next level afterwards.
        for (; first < last && (top || first / length % kFanOut != 0); first += length)
            take(level, first / length);
        for (; first < last && last / length % kFanOut != 0; last -= length)
            take(level, last / length - 1);
    }
    return all;
}

/// The first sample from `from` on that is not before `t`, or size(); it is near, so the search begins there.
std::size_t CounterSeries::firstFrom(Nanoseconds t, std::size_t from, const ClockMap& clock) const {
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step <= size() && time(low + step - 1, clock) < t) {
        low += step;
        step *= 2;
    }
    std::size_t high = std::min(low + step, size());
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (time(middle, clock) < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::optional<std::size_t> CounterSeries::at(Nanoseconds t, const ClockMap& clock) const {
    const std::size_t next = firstFrom(t, 0, clock);
    if (next < size() && time(next, clock) == t)
        return next;
    if (next == 0 || next == size())
        return std::nullopt;
    return m_backwards ? next : next - 1;
}

void CounterSeries::columns(TimeRange window, std::size_t count, const ClockMap& clock,
                            std::vector<std::optional<ValueRange>>& out) const {
    out.assign(count, std::nullopt);
    if (window.empty() || size() == 0)
        return;
    std::size_t first = firstFrom(window.begin, 0, clock);
    for (std::size_t column = 0; column < count; ++column) {
        const TimeRange range = columnOf(window, count, column);
        const std::size_t last = firstFrom(range.end, first, clock);
        // Beside the samples in the column, what one before or after it says of its edge.
        const bool begun = first > 0 && first < size() && time(first, clock) > range.begin;
        const bool goesOn = last > 0 && last < size();
        const std::size_t from = !m_backwards && begun ? first - 1 : first;
        const std::size_t until = m_backwards && goesOn ? last + 1 : last;
        if (from < until)
            out[column] = over(from, until);
        first = last;
    }
}

std::shared_ptr<const RunCounters> countersOf(std::shared_ptr<const TraceStore> store,
                                              const std::stop_token& stop) {
    auto counters = std::make_shared<RunCounters>();
    const TraceRecords& records = store->records();
    counters->series.reserve(records.counters().size());
    for (const Counter& counter : records.counters()) {
        const bool wanted = !stop.stop_requested();
        counters->series.emplace_back(wanted ? records.samples(counter) : std::span<const CounterSample>(),
                                      counter);
    }
    counters->store = std::move(store);
    return counters;
}

QString valueText(double value, std::string_view unit) {
    const bool bytes = unit == "B" || unit == "bytes" || unit == "Bytes" || unit == "byte";
    static constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    const double step = bytes ? 1024 : 1000;
    double shown = value;
    std::size_t prefix = 0;
    while (std::abs(shown) >= step * 0.9995 && prefix + 1 < kPrefixes.size()) {
        shown /= step;
        ++prefix;
    }
    const double size = std::abs(shown);
    const bool whole = prefix == 0 && shown == std::floor(shown);
    QString text = whole || size >= 99.95 ? QString::number(shown, 'f', 0)
                   : size >= 9.995        ? QString::number(shown, 'f', 1)
                   : size >= 0.1          ? QString::number(shown, 'f', 2)
                                          : QString::number(shown, 'g', 3);
    const QString letter = QString::fromLatin1(kPrefixes[prefix]);
    const QString name = bytes ? (prefix == 0 ? u"B"_s : letter.toUpper() + u"iB"_s)
                               : letter + QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
    return name.isEmpty() ? text : text + u' ' + name;
}

} // namespace ddp::ui
