// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/cluster_assistant.h"

#include "ui/dialogs/cluster_pages.h"
#include "ui/dialogs/cluster_test_page.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

ClusterAssistant::ClusterAssistant(const Parts& parts, const remote::Cluster& cluster, QWidget* parent)
    : QWizard(parent), m_cluster(cluster),
      m_machine(new ClusterMachinePage(cluster, parts.aliases, parts.taken)),
      m_jobs(new ClusterJobPage(cluster)),
      m_test(new ClusterTestPage([this] { return asked(); }, parts.questions, parts.runner, parts.palette)) {
    setObjectName(u"clusterAssistant"_s);
    setWindowTitle(cluster.name.empty() ? tr("Add a cluster")
                                        : tr("Settings of %1").arg(QString::fromStdString(cluster.name)));
    setWizardStyle(QWizard::ModernStyle);
    setOption(QWizard::NoBackButtonOnStartPage);
    setOption(QWizard::IndependentPages, false);
    addPage(m_machine);
    addPage(m_jobs);
    addPage(m_test);
    resize(640, 520);
    connect(m_test, &ClusterTestPage::tested, this, [this] {
        QStringList partitions;
        for (const auto& partition : m_test->result()->partitions)
            partitions += QString::fromStdString(partition.name);
        QStringList accounts;
        for (const std::string& account : m_test->result()->accounts)
            accounts += QString::fromStdString(account);
        m_jobs->offer(partitions, accounts);
    });
}

remote::Cluster ClusterAssistant::asked() const {
    remote::Cluster cluster = m_cluster;
    m_machine->putInto(cluster);
    m_jobs->putInto(cluster);
    return cluster;
}

remote::Cluster ClusterAssistant::cluster() const {
    return m_test->result() ? m_test->result()->cluster : asked();
}

} // namespace ddp::ui
