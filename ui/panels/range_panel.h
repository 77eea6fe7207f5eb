// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/summary_table.h"
#include "ui/panels/window_panel.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace ddp::ui {

/// What each device did in the range that the user has marked.
class RangePanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit RangePanel(const Parts& parts);

Q_SIGNALS:
    void zoomWanted();

protected:
    bool ready() const override { return WindowPanel::ready() && view().range(); }
    QString missing() const override;
    TimeRange window() const override { return view().range().value_or(TimeRange{}); }
    QString heading(TimeRange window) const override;
    void ask() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    RowsModel<SummaryRow>* m_rows;
    QTimer m_pause; // a range that is being dragged asks ten times a second
    std::shared_ptr<const RunAnalysis> m_askedRun;
    std::optional<TimeRange> m_asked;
};

} // namespace ddp::ui
