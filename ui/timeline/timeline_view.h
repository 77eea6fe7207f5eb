// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"

#include <QWidget>

#include <memory>

class QHBoxLayout;
class QLabel;
class QScrollBar;
class QStackedWidget;
class QVBoxLayout;

namespace ddp {
class RunAnalysis;
}

namespace ddp::ui {

class ElidedLabel;
class FilterBar;
class LegendLine;
class TimelineCanvas;

/// The timeline with what belongs around it: a line that says what is open and how much of it is visible, the
/// scroll bar of the rows, and what to do when nothing is open.
class TimelineView final : public QWidget {
    Q_OBJECT

public:
    TimelineView(const TraceSession& session, ViewState& view, const Palette& palette,
                 QWidget* parent = nullptr);

    TimelineCanvas& canvas() const { return *m_canvas; }
    FilterBar& filterBar() const { return *m_filterBar; }
    /// As TimelineCanvas::setAnalysis(), with the legend.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    /// Above the picture, and below it; seen while a trace is open.
    void placeAbove(QWidget* widget);
    void placeBelow(QWidget* widget);

private:
    QWidget* buildFilled();
    void showLegend();
    void takeStore();
    void takeVisible();
    void takeScroll();

    const TraceSession& m_session;
    ViewState& m_view;
    TimelineCanvas* m_canvas;
    QScrollBar* m_scrollBar;
    QStackedWidget* m_pages;
    QVBoxLayout* m_column; // of what is seen of a trace
    QHBoxLayout* m_picture;
    ElidedLabel* m_title;
    QLabel* m_visible;
    LegendLine* m_legend;
    FilterBar* m_filterBar;
    QLabel* m_empty;
    QString m_rulerBase;
};

} // namespace ddp::ui
