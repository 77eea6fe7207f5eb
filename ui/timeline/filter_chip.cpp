// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/filter_chip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidest = 260;

} // namespace

FilterChipView::FilterChipView(const FilterChip& chip, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette) {
    setObjectName(u"filterChip"_s);
    setAccessibleName(tr("Filter: %1").arg(chip.text));
    auto* text = new QLabel(fontMetrics().elidedText(chip.text, Qt::ElideRight, kWidest));
    text->setTextFormat(Qt::PlainText);
    text->setToolTip(u"<p>%1</p>"_s.arg(chip.text.toHtmlEscaped()));
    auto* remove = new QToolButton;
    remove->setAutoRaise(true);
    remove->setText(u"×"_s);
    remove->setFixedSize(20, 20);
    remove->setFocusPolicy(Qt::StrongFocus);
    remove->setToolTip(tr("Removes this filter."));
    remove->setAccessibleName(tr("Remove filter: %1").arg(chip.text));
    connect(remove, &QToolButton::clicked, this, [this, part = chip.part] { Q_EMIT removed(part); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(9, 1, 3, 1);
    row->setSpacing(3);
    row->addWidget(text);
    row->addWidget(remove);
}

void FilterChipView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_palette.colors().accent);
    painter.setBrush(m_palette.colors().header);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0, height() / 2.0);
}

} // namespace ddp::ui
