// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster_test.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QWizardPage>

#include <map>
#include <memory>

class QGridLayout;
class QLabel;
class QPushButton;

namespace ddp::ui {

class UiMailbox;

/// Tries the cluster out and shows each step while it is done.
class ClusterTestPage final : public QWizardPage {
    Q_OBJECT

public:
    /// `cluster`: what is to be tested, asked when the page is shown.
    ClusterTestPage(std::function<remote::Cluster()> cluster, std::shared_ptr<remote::Questions> questions,
                    TaskRunner& runner, const Palette& palette);
    ~ClusterTestPage() override;

    /// Of the newest test; null while it runs.
    const remote::ClusterTest* result() const { return m_result.get(); }
    bool isComplete() const override { return m_result != nullptr; }
    void initializePage() override;
    void cleanupPage() override;

Q_SIGNALS:
    void tested();

private:
    struct StepLine {
        QLabel* symbol;
        QLabel* text;
    };
    void start();
    void stop();
    void takeStep(const remote::TestStep& step);
    void finish(Result<std::shared_ptr<remote::ClusterTest>> answer);

    std::function<remote::Cluster()> m_cluster;
    std::shared_ptr<remote::Questions> m_questions;
    TaskRunner& m_runner;
    const Palette& m_palette;
    TaskSlot m_slot;
    std::shared_ptr<UiMailbox> m_mail;
    std::shared_ptr<remote::ClusterTest> m_result;
    std::map<remote::TestStepId, StepLine> m_lines;
    QGridLayout* m_grid;
    QLabel* m_outcome;
    QPushButton* m_again;
};

} // namespace ddp::ui
