// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/steps_table.h"
#include "ui/panels/window_panel.h"

namespace ddp::ui {

/// The training steps that touch the visible window, per rank; a click shows the step.
class StepsPanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit StepsPanel(const Parts& parts);

protected:
    void ask() override;
    void activate(int row) override;

private:
    RowsModel<StepTableRow>* m_rows;
};

} // namespace ddp::ui
