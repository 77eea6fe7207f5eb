// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/panels/activity_legend.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/legend_line.h"
#include "ui/session/time_text.h"
#include "ui/timeline/filter_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_picture.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

TimelineView::TimelineView(const TraceSession& session, ViewState& view, const Palette& palette,
                           QWidget* parent)
    : QWidget(parent), m_session(session), m_view(view), m_canvas(new TimelineCanvas(session, view, palette)),
      m_scrollBar(new QScrollBar(Qt::Vertical)), m_pages(new QStackedWidget),
      m_title(new ElidedLabel(Qt::ElideRight)), m_visible(new QLabel), m_legend(new LegendLine(palette)),
      m_filterBar(new FilterBar(*m_canvas, view, palette)), m_empty(new QLabel) {
    m_legend->activity().setObjectName(u"overlapLegend"_s);
    m_legend->activity().hide();
    setObjectName(u"timeline"_s);
    m_empty->setObjectName(u"timelineEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(40);
    m_title->setObjectName(u"timelineTitle"_s);
    m_visible->setObjectName(u"timelineVisible"_s);
    m_pages->addWidget(buildFilled());
    m_pages->addWidget(m_empty);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    setFocusProxy(m_canvas);

    connect(&m_session, &TraceSession::changed, this, &TimelineView::takeStore);
    connect(&m_view, &ViewState::visibleChanged, this, &TimelineView::takeVisible);
    connect(m_canvas, &TimelineCanvas::scrollChanged, this, &TimelineView::takeScroll);
    connect(m_canvas, &TimelineCanvas::rulerBaseChanged, this, [this](const QString& text) {
        m_rulerBase = text;
        takeVisible();
    });
    connect(m_scrollBar, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
    connect(m_canvas, &TimelineCanvas::legendChanged, this, &TimelineView::showLegend);
    showLegend();
    takeStore();
}

QWidget* TimelineView::buildFilled() {
    auto* filter = new QToolButton;
    filter->setObjectName(u"filterToggle"_s);
    filter->setText(tr("Filter"));
    filter->setCheckable(true);
    filter->setAutoRaise(true);
    filter->setToolTip(tr("Shows the fields that filter lanes and slices (Ctrl+Shift+F)."));
    connect(filter, &QToolButton::clicked, m_filterBar, &FilterBar::setOpen);
    connect(m_filterBar, &FilterBar::openChanged, filter, &QToolButton::setChecked);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 2, 8, 2);
    line->setSpacing(16);
    line->addWidget(m_title, 1);
    line->addWidget(m_visible);
    line->addWidget(filter);
    m_picture = new QHBoxLayout;
    m_picture->setContentsMargins(0, 0, 0, 0);
    m_picture->setSpacing(0);
    m_picture->addWidget(m_canvas, 1);
    m_picture->addWidget(m_scrollBar);
    auto* filled = new QWidget;
    m_column = new QVBoxLayout(filled);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addLayout(line);
    m_column->addWidget(m_filterBar);
    m_column->addWidget(m_legend);
    m_column->addLayout(m_picture, 1);
    return filled;
}

void TimelineView::showLegend() {
    m_legend->setSlices(m_canvas->coloring().by, m_canvas->scene().colors.legend());
}

void TimelineView::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    m_canvas->setAnalysis(std::move(analysis));
    m_legend->activity().setVisible(m_canvas->scene().overlap.analysis() != nullptr);
}

void TimelineView::placeAbove(QWidget* widget) {
    m_column->insertWidget(m_column->indexOf(m_picture), widget);
}

void TimelineView::placeBelow(QWidget* widget) {
    m_column->addWidget(widget);
}

void TimelineView::takeStore() {
    m_legend->activity().setVisible(m_canvas->scene().overlap.analysis() != nullptr);
    const auto& store = m_session.store();
    m_pages->setCurrentIndex(store ? 0 : 1);
    if (!store) {
        m_empty->setText(
            m_session.reason().isEmpty()
                ? tr("No trace is open. Choose “Demo” for a run on this machine, or open a trace (Ctrl+O).")
                : m_session.reason());
        return;
    }
    m_title->setFullText(runText(m_session.title(), *store));
    takeVisible();
}

void TimelineView::takeVisible() {
    if (!m_session.store())
        return;
    QString text = tr("visible: %1 of %2")
                       .arg(durationText(m_view.visible().length()), durationText(m_view.extent().length()));
    if (!m_rulerBase.isEmpty())
        text = tr("ruler from %1 · %2").arg(m_rulerBase, text);
    m_visible->setText(text);
}

void TimelineView::takeScroll() {
    const QSignalBlocker quiet(m_scrollBar);
    m_scrollBar->setRange(0, m_canvas->scrollRange());
    m_scrollBar->setPageStep(std::max(1, m_canvas->scene().viewport.height));
    m_scrollBar->setSingleStep(TimelineLayout::kDepthHeight);
    m_scrollBar->setValue(m_canvas->scroll());
    m_scrollBar->setVisible(m_canvas->scrollRange() > 0);
}

} // namespace ddp::ui
