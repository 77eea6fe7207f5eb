// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/panels/activity_legend.h"
#include "ui/panels/elided_label.h"
#include "ui/session/time_text.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_picture.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

TimelineView::TimelineView(const TraceSession& session, ViewState& view, const Palette& palette,
                           QWidget* parent)
    : QWidget(parent), m_session(session), m_view(view), m_canvas(new TimelineCanvas(session, view, palette)),
      m_scrollBar(new QScrollBar(Qt::Vertical)), m_pages(new QStackedWidget),
      m_title(new ElidedLabel(Qt::ElideRight)), m_visible(new QLabel), m_legend(new ActivityLegend(palette)),
      m_empty(new QLabel) {
    m_legend->setObjectName(u"overlapLegend"_s);
    m_legend->hide();
    setObjectName(u"timeline"_s);
    m_empty->setObjectName(u"timelineEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(40);
    m_title->setObjectName(u"timelineTitle"_s);
    m_visible->setObjectName(u"timelineVisible"_s);

    auto* line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 8, 4);
    line->setSpacing(16);
    line->addWidget(m_title, 1);
    line->addWidget(m_visible);
    auto* legend = new QHBoxLayout;
    legend->setContentsMargins(8, 0, 8, 4);
    legend->addWidget(m_legend);
    legend->addStretch();
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
    m_column->addLayout(legend);
    m_column->addLayout(m_picture, 1);
    m_pages->addWidget(filled);
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
    takeStore();
}

void TimelineView::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    m_canvas->setAnalysis(std::move(analysis));
    m_legend->setVisible(m_canvas->scene().overlap.analysis() != nullptr);
}

void TimelineView::placeAbove(QWidget* widget) {
    m_column->insertWidget(m_column->indexOf(m_picture), widget);
}

void TimelineView::placeBelow(QWidget* widget) {
    m_column->addWidget(widget);
}

void TimelineView::takeStore() {
    m_legend->setVisible(m_canvas->scene().overlap.analysis() != nullptr);
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
