// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/range_panel.h"

#include "ui/session/time_text.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMs = 100;

/// Those of the summary, with what matters most in front: the panel is narrow.
std::vector<Column<SummaryRow>> columns() {
    const std::vector<Column<SummaryRow>> all = summaryColumns();
    std::vector<Column<SummaryRow>> chosen;
    for (const std::size_t column : {0u, 1u, 4u, 3u, 5u, 7u, 9u, 8u, 2u})
        chosen.push_back(all[column]);
    return chosen;
}

} // namespace

RangePanel::RangePanel(const Parts& parts)
    : WindowPanel(parts, u"range"_s, tr("Marked range")), m_rows(new RowsModel<SummaryRow>(columns(), this)) {
    setModel(*m_rows, -1, -1);
    auto* zoom = new QToolButton;
    zoom->setObjectName(u"rangeZoom"_s);
    zoom->setText(tr("Zoom"));
    zoom->setToolTip(tr("Zooms the timeline to the marked range (Z)."));
    connect(zoom, &QToolButton::clicked, this, &RangePanel::zoomWanted);
    headLine().addWidget(zoom, 0, Qt::AlignTop);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] { refresh(); });
    connect(&view(), &ViewState::rangeChanged, this, [this] {
        if (!view().range())
            refresh();
        else if (!m_pause.isActive())
            m_pause.start();
    });
    refresh();
}

QString RangePanel::missing() const {
    if (!WindowPanel::ready())
        return analysis().reason();
    return tr("No range is marked.\n\nDrag on the ruler of the timeline, or with Shift in its rows, to see "
              "what the devices do in a range of time.");
}

QString RangePanel::heading(TimeRange window) const {
    return tr("%1 marked\nfrom %2\nto %3")
        .arg(durationText(window.length()), pointText(window.begin), pointText(window.end));
}

void RangePanel::ask() {
    if (m_askedRun == analysis().run() && m_asked == view().range())
        return; // only the visible window has changed
    m_askedRun = analysis().run();
    m_asked = view().range();
    askRun(
        tr("Numbers of the marked range"),
        [](const RunAnalysis& run, TimeRange window, const std::stop_token&) {
            return summaryOf(run, window);
        },
        [this](TimeRange window, Summary answer) {
            m_rows->setRows(std::move(answer.rows));
            say(window, answer.note, nothingToCount());
        });
}

void RangePanel::showEvent(QShowEvent* event) {
    WindowPanel::showEvent(event);
    setSeen(true);
}

void RangePanel::hideEvent(QHideEvent* event) {
    WindowPanel::hideEvent(event);
    setSeen(false);
}

} // namespace ddp::ui
