// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"

#include <QDialog>

#include <vector>

class QLineEdit;

namespace ddp::ui {

/// Everything that a machine asks at once while somebody logs in. What is typed is not shown where the other
/// side says so, and leaves this dialog as Secret only.
class SecretsDialog final : public QDialog {
    Q_OBJECT

public:
    SecretsDialog(const remote::PromptRound& round, QWidget* parent);
    ~SecretsDialog() override;

    /// As many as prompts; once. The lines are empty afterwards.
    std::vector<remote::Secret> take();

private:
    void wipe();

    std::vector<QLineEdit*> m_lines;
};

} // namespace ddp::ui
