// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"

#include <QStringList>
#include <QWizardPage>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace ddp::ui {

/// Which machine, and what it is called here.
class ClusterMachinePage final : public QWizardPage {
    Q_OBJECT

public:
    /// `taken`: names of other clusters. The name of one that is changed stays: its jobs are kept under it.
    ClusterMachinePage(const remote::Cluster& cluster, const QStringList& aliases, const QStringList& taken);

    void putInto(remote::Cluster& cluster) const;
    bool isComplete() const override;

private:
    void followHost(const QString& host);
    void check();

    QStringList m_taken;
    QString m_suggested; // the name, as long as the user has not written one
    QComboBox* m_host;
    QLineEdit* m_name;
    QCheckBox* m_systemSsh;
    QLabel* m_problem;
    bool m_complete = false;
};

/// How jobs run there.
class ClusterJobPage final : public QWizardPage {
    Q_OBJECT

public:
    explicit ClusterJobPage(const remote::Cluster& cluster);

    void putInto(remote::Cluster& cluster) const;
    /// What a test has found, to choose from.
    void offer(const QStringList& partitions, const QStringList& accounts);
    bool isComplete() const override;

private:
    QLineEdit* m_folder;
    QComboBox* m_partition;
    QComboBox* m_account;
    QPlainTextEdit* m_setup;
    QLineEdit* m_options;
    QLineEdit* m_worker;
};

} // namespace ddp::ui
