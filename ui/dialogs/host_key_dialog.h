// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"

#include <QDialog>

namespace ddp::ui {

/// Whether a machine that was never seen before is the one that the user means. Refusing is what Enter, Esc
/// and the closing of the dialog do.
class HostKeyDialog final : public QDialog {
    Q_OBJECT

public:
    HostKeyDialog(const remote::HostKeyQuestion& question, QWidget* parent);
};

} // namespace ddp::ui
