// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/profile_table.h"
#include "ui/panels/window_panel.h"

namespace ddp::ui {

/// The flat profile of the visible window, by region.
class ProfilePanel final : public WindowPanel {
    Q_OBJECT

public:
    explicit ProfilePanel(const Parts& parts);

protected:
    void ask() override;
    bool ready() const override;

private:
    RowsModel<ProfileTableRow>* m_rows;
};

} // namespace ddp::ui
