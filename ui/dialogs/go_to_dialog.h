// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QDialog>

#include <functional>

class QLabel;
class QLineEdit;

namespace ddp::ui {

/// One line that takes a time or a step, and says in words what is wrong with it.
class GoToDialog final : public QDialog {
    Q_OBJECT

public:
    /// `go` goes to where the text says.
    GoToDialog(std::function<Result<void>(const QString&)> go, QWidget* parent);
    void ask();

private:
    void tryIt();

    std::function<Result<void>(const QString&)> m_go;
    QLineEdit* m_text;
    QLabel* m_problem;
};

} // namespace ddp::ui
