// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QStackedWidget;

namespace ddp::ui {

/// All facts about the selected slice; every value can be copied.
class SliceDetails final : public QWidget {
    Q_OBJECT

public:
    SliceDetails(const TraceSession& session, const ViewState& view, QWidget* parent = nullptr);

private:
    void refresh();
    QLabel* addRow(QFormLayout& form, const QString& name);

    const TraceSession& m_session;
    const ViewState& m_view;
    QStackedWidget* m_pages;
    QLabel *m_name, *m_duration, *m_self, *m_begin, *m_end, *m_rank, *m_lane, *m_depth, *m_parent;
};

} // namespace ddp::ui
