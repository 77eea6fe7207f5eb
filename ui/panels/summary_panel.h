// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/summary_table.h"
#include "ui/panels/window_panel.h"

namespace ddp::ui {

/// What each device did in the visible window: communication that is hidden and exposed, compute, idle time.
class SummaryPanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit SummaryPanel(const Parts& parts);

protected:
    void ask() override;

private:
    RowsModel<SummaryRow>* m_rows;
};

} // namespace ddp::ui
