// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/worker_setup.h"
#include "remote/transport/ssh/questions.h"
#include "ui/tasks/task_runner.h"

#include <QDialog>

#include <memory>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace ddp::ui {

class UiMailbox;

/// Sets up the worker of a cluster, by a connection of its own, and shows what is done meanwhile.
class WorkerDialog final : public QDialog {
    Q_OBJECT

public:
    WorkerDialog(const remote::Cluster& cluster, std::shared_ptr<remote::Questions> questions,
                 TaskRunner& runner, QWidget* parent);
    ~WorkerDialog() override;

    /// With the worker, once that is there.
    const remote::Cluster& cluster() const { return m_cluster; }

protected:
    void done(int result) override;

private:
    enum Choice { OnLoginNode, InJob, There, Here };
    QWidget* buildChoices();
    remote::SetupRequest request() const;
    void followChoice();
    void start();
    void stop();
    void finish(const Result<remote::SetupReport>& report);

    remote::Cluster m_cluster;
    std::shared_ptr<remote::Questions> m_questions;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    std::shared_ptr<UiMailbox> m_mail;
    QButtonGroup* m_choice;
    QLineEdit* m_file;
    QPlainTextEdit* m_said;
    QLabel* m_outcome;
    QPushButton* m_start;
};

} // namespace ddp::ui
