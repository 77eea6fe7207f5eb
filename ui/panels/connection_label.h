// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/cluster_session.h"
#include "ui/session/palette.h"

#include <QTimer>
#include <QToolButton>

namespace ddp::ui {

/// In the status bar: how the connection to the chosen cluster stands. A click connects, or asks again.
class ConnectionLabel final : public QToolButton {
    Q_OBJECT

public:
    ConnectionLabel(ClusterSession& session, const Palette& palette, QWidget* parent = nullptr);

private:
    void refresh();

    ClusterSession& m_session;
    const Palette& m_palette;
    QTimer m_second; // while it counts down
};

} // namespace ddp::ui
