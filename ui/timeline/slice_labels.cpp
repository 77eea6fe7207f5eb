// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/slice_labels.h"

#include <QFontMetricsF>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLongestLabel = 200; // more letters never fit
constexpr qsizetype kAll = kLongestLabel + 1;
constexpr qsizetype kMostTexts = 8192; // far more than a frame has

QStaticText laidOut(const QString& text, const QFont& font) {
    QStaticText label(text);
    label.setTextFormat(Qt::PlainText);
    label.prepare({}, font);
    return label;
}

} // namespace

void SliceLabels::use(const std::shared_ptr<const TraceStore>& store, const QFont& font) {
    if (store == m_store && font == m_font)
        return;
    m_store = store;
    m_font = font;
    m_names.clear();
    m_texts.clear();
    m_ellipsis = QFontMetricsF(font).horizontalAdvance(u'…');
}

const SliceLabels::Name& SliceLabels::nameOf(RegionId region) {
    const auto found = m_names.find(region.value);
    if (found != m_names.end())
        return found->second;
    const std::string_view text = m_store->regionName(region);
    Name name{QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).left(kLongestLabel)};
    const QFontMetricsF metrics(m_font);
    double width = 0;
    name.widths.push_back(0);
    for (const QChar letter : name.text)
        name.widths.push_back(width += metrics.horizontalAdvance(letter));
    const qsizetype colon = name.text.indexOf(u':');
    if (colon > 0 && colon + 1 < name.text.size() && name.text[colon + 1] != u':')
        name.shared = colon + 1;
    return m_names.emplace(region.value, std::move(name)).first->second;
}

/// kAll for the whole name; else how many letters behind the shared ones.
qsizetype SliceLabels::lettersThatFit(const Name& name, double width) const {
    if (name.widths.back() <= width)
        return kAll;
    const double before = name.widths[static_cast<std::size_t>(name.shared)];
    const qsizetype rest = name.text.size() - name.shared;
    if (name.widths.back() - before <= width)
        return rest;
    const auto from = name.widths.begin() + name.shared;
    const auto beyond = std::upper_bound(from, name.widths.end(), before + width - m_ellipsis);
    qsizetype letters = std::clamp<qsizetype>(beyond - from - 1, 1, rest);
    if (letters < rest && name.text[name.shared + letters - 1].isHighSurrogate())
        ++letters;
    return letters;
}

const QStaticText& SliceLabels::cut(RegionId region, const Name& name, qsizetype letters) {
    if (m_texts.size() >= kMostTexts)
        m_texts.clear();
    QString text = name.text;
    if (letters != kAll) {
        text = name.text.mid(name.shared, letters);
        if (name.shared + letters < name.text.size())
            text += u'…';
    }
    return *m_texts.insert((quint64(region.value) << 16) + static_cast<quint64>(letters),
                           laidOut(text, m_font));
}

const QStaticText& SliceLabels::text(RegionId region, int width) {
    const Name& name = nameOf(region);
    const qsizetype letters = lettersThatFit(name, width);
    const auto found = m_texts.constFind((quint64(region.value) << 16) + static_cast<quint64>(letters));
    return found != m_texts.constEnd() ? *found : cut(region, name, letters);
}

} // namespace ddp::ui
