// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/legend_line.h"

#include "ui/panels/activity_legend.h"
#include "ui/panels/flow_layout.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSwatch = 11;
constexpr int kGap = 5;
constexpr int kBetween = 12;
constexpr int kWidest = 220;

class Entry final : public QWidget {
public:
    Entry(const LegendEntry& entry, const Palette& palette) : m_entry(entry), m_palette(palette) {
        setAccessibleName(entry.name);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        m_text = fontMetrics().elidedText(entry.name, Qt::ElideRight, kWidest);
        if (m_text != entry.name)
            setToolTip(u"<p>%1</p>"_s.arg(entry.name.toHtmlEscaped()));
    }
    QSize sizeHint() const override {
        return {kSwatch + kGap + fontMetrics().horizontalAdvance(m_text), fontMetrics().height() + 2};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect swatch(0, (height() - kSwatch) / 2, kSwatch, kSwatch);
        painter.fillRect(swatch, m_entry.color);
        painter.setPen(m_palette.colors().muted);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(m_palette.colors().text);
        painter.drawText(rect().adjusted(kSwatch + kGap, 0, 0, 0), Qt::AlignVCenter | Qt::TextDontClip,
                         m_text);
    }

private:
    LegendEntry m_entry;
    const Palette& m_palette;
    QString m_text;
};

} // namespace

LegendLine::LegendLine(const Palette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette), m_flow(new FlowLayout(kBetween)),
      m_activity(new ActivityLegend(palette)), m_title(new QLabel) {
    setObjectName(u"legendLine"_s);
    m_title->setObjectName(u"sliceLegend"_s);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_title->setFixedHeight(fontMetrics().height() + 2); // as high as what follows it
    m_flow->addWidget(m_title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 8, 4);
    column->setSpacing(2);
    column->addWidget(m_activity);
    column->addLayout(m_flow);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendLine::setSlices(ColorBy by, const std::vector<LegendEntry>& entries) {
    qDeleteAll(m_entries);
    m_entries.clear();
    m_title->setText(by == ColorBy::Region  ? tr("Slices: a colour for each name")
                     : by == ColorBy::Group ? tr("Slices by group:")
                                            : tr("Slices:"));
    QStringList names;
    for (const LegendEntry& entry : entries) {
        names += entry.name;
        m_entries.push_back(new Entry(entry, m_palette));
        m_flow->addWidget(m_entries.back());
        m_entries.back()->show();
    }
    setAccessibleName(tr("Colours of slices: %1").arg(names.join(u", "_s)));
    updateGeometry();
}

} // namespace ddp::ui
