// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/collectives_table.h"
#include "ui/panels/window_panel.h"

namespace ddp::ui {

/// The collectives that touch the visible window; a click shows one with what lies around it.
class CollectivesPanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit CollectivesPanel(const Parts& parts);

protected:
    void ask() override;
    void activate(int row) override;

private:
    RowsModel<CollectiveRow>* m_rows;
};

} // namespace ddp::ui
