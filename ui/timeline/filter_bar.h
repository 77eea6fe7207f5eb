// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/lane_filter.h"
#include "ui/session/palette.h"
#include "ui/session/view_state.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace ddp::ui {

class FlowLayout;
class TimelineCanvas;

/// What the timeline shows of the run: a chip for each filter in force and, when it is open, the fields to
/// change them.
class FilterBar final : public QWidget {
    Q_OBJECT

public:
    FilterBar(TimelineCanvas& canvas, const ViewState& view, const Palette& palette,
              QWidget* parent = nullptr);

    void setFilter(const LaneFilter& filter);
    void clearAll() { setFilter({}); }
    /// Shows the fields and puts the cursor into the first, or hides them.
    void setOpen(bool open);

Q_SIGNALS:
    void openChanged(bool open);

private:
    void buildFields();
    QLineEdit* addText(QGridLayout& grid, int row, const QString& name, const QString& title,
                       const QString& example, const QString& tip);
    QComboBox* addChoice(const QString& name, const QString& title, const QStringList& texts,
                         const QString& tip);
    QToolButton* addSwitch(const QString& name, const QString& text, const QString& tip);
    void buildNotice();
    void takeFields();
    void takeFilter();
    void showFields();
    void showChips();
    void showNotice();

    TimelineCanvas& m_canvas;
    const Palette& m_palette;
    QTimer m_settled; // the visible window has not moved for a moment
    QWidget* m_chips;
    FlowLayout* m_chipLine;
    std::vector<QWidget*> m_chipViews;
    QToolButton* m_clear;
    QWidget* m_fields;
    QLineEdit *m_lanes, *m_regions, *m_shortest;
    QComboBox *m_kinds, *m_work, *m_others;
    QToolButton *m_idle, *m_order;
    QLabel* m_problem;
    QWidget* m_notice;
    bool m_typing = false;
};

} // namespace ddp::ui
