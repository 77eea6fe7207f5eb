// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/findings_table.h"
#include "ui/panels/window_panel.h"

namespace ddp::ui {

/// What a person should know about the run; a click shows the evidence.
class FindingsPanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit FindingsPanel(const Parts& parts);

protected:
    void ask() override;
    bool ready() const override;
    void activate(int row) override;

private:
    RowsModel<FindingRow>* m_rows;
};

} // namespace ddp::ui
