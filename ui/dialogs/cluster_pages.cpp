// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/cluster_pages.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const QString kDefaultFolder = u"~/ddpscope-jobs"_s;

QComboBox* choiceOrText(const QString& object, const QString& name, const QString& value,
                        const QString& placeholder) {
    auto* box = new QComboBox;
    box->setObjectName(object);
    box->setAccessibleName(name);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->lineEdit()->setPlaceholderText(placeholder);
    box->lineEdit()->setAccessibleName(name);
    box->setEditText(value);
    return box;
}

QLineEdit* line(const QString& object, const QString& name, const QString& value, const QString& tip) {
    auto* edit = new QLineEdit(value);
    edit->setObjectName(object);
    edit->setAccessibleName(name);
    edit->setToolTip(tip);
    return edit;
}

QFormLayout* formOf(QVBoxLayout& column) {
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    column.addLayout(form);
    return form;
}

QLabel* note(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QStringList wordsOf(const QString& text) {
    static const QRegularExpression blanks(u"\\s+"_s);
    return text.split(blanks, Qt::SkipEmptyParts);
}

/// A plain word for a folder.
QString nameFrom(const QString& host) {
    static const QRegularExpression other(u"[^A-Za-z0-9_.-]+"_s);
    QString name = host.section(u'@', -1);
    return name.replace(other, u"-"_s);
}

} // namespace

ClusterMachinePage::ClusterMachinePage(const remote::Cluster& cluster, const QStringList& aliases,
                                       const QStringList& taken)
    : m_taken(taken), m_host(choiceOrText(u"clusterHost"_s, tr("Host"), {}, tr("an alias, or user@host"))),
      m_name(line(u"clusterName"_s, tr("Name"), QString::fromStdString(cluster.name),
                  tr("What the cluster is called in this program and on the command line."))),
      m_systemSsh(new QCheckBox(tr("Use the &ssh program of this system"))), m_problem(new QLabel) {
    setTitle(tr("Which machine?"));
    setSubTitle(tr("The login node of the cluster, as you would write it after “ssh”."));
    m_host->addItems(aliases);
    m_host->setEditText(QString::fromStdString(cluster.host));
    m_host->setToolTip(
        tr("The names come from your ssh configuration; it also says user, port, keys and jump hosts."));
    m_host->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_host->completer()->setFilterMode(Qt::MatchContains);
    m_systemSsh->setObjectName(u"clusterSystemSsh"_s);
    m_systemSsh->setChecked(cluster.systemSsh);
    m_systemSsh->setToolTip(
        tr("For sites that want Kerberos, a security key or an unusual proxy: the connection is "
           "then made by the program ssh."));
    m_name->setReadOnly(!cluster.name.empty());
    if (m_name->isReadOnly())
        m_name->setToolTip(tr("The jobs of the cluster are kept under its name, so it stays."));
    m_problem->setObjectName(u"clusterMachineProblem"_s);
    m_problem->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    QFormLayout* form = formOf(*column);
    form->addRow(tr("&Host"), m_host);
    form->addRow(tr("&Name"), m_name);
    form->addRow(QString(), m_systemSsh);
    column->addWidget(m_problem);
    column->addWidget(
        note(tr("Passwords and codes are asked for when they are needed, and are never stored.")));
    column->addStretch();
    connect(m_host, &QComboBox::editTextChanged, this, &ClusterMachinePage::followHost);
    connect(m_name, &QLineEdit::textChanged, this, &ClusterMachinePage::check);
    check();
}

void ClusterMachinePage::followHost(const QString& host) {
    if (!m_name->isReadOnly() && (m_name->text().isEmpty() || m_name->text() == m_suggested)) {
        m_suggested = nameFrom(host.trimmed());
        m_name->setText(m_suggested);
    }
    check();
}

void ClusterMachinePage::check() {
    remote::Cluster cluster;
    putInto(cluster);
    cluster.folder = kDefaultFolder.toStdString(); // is on the next page
    QString problem;
    if (m_taken.contains(m_name->text().trimmed()))
        problem = tr("There is a cluster of this name already.");
    else if (auto good = remote::checkCluster(cluster); !good)
        problem = QString::fromStdString(good.error().message);
    const bool begun = !m_host->currentText().isEmpty();
    m_problem->setText(begun ? problem : QString());
    m_complete = problem.isEmpty();
    Q_EMIT completeChanged();
}

bool ClusterMachinePage::isComplete() const {
    return m_complete;
}

void ClusterMachinePage::putInto(remote::Cluster& cluster) const {
    cluster.host = m_host->currentText().trimmed().toStdString();
    cluster.name = m_name->text().trimmed().toStdString();
    cluster.systemSsh = m_systemSsh->isChecked();
}

ClusterJobPage::ClusterJobPage(const remote::Cluster& cluster)
    : m_folder(line(u"clusterFolder"_s, tr("Folder for jobs"),
                    cluster.folder.empty() ? kDefaultFolder : QString::fromStdString(cluster.folder.string()),
                    tr("On the cluster; the nodes have to see it too. It is made when it is missing."))),
      m_partition(choiceOrText(u"clusterJobPartition"_s, tr("Partition"),
                               QString::fromStdString(cluster.partition), tr("the site's default"))),
      m_account(choiceOrText(u"clusterAccount"_s, tr("Account"), QString::fromStdString(cluster.account),
                             tr("the site's default"))),
      m_setup(new QPlainTextEdit),
      m_options(line(u"clusterOptions"_s, tr("More options for sbatch"), {},
                     tr("Words that every sbatch gets, such as --qos=debug or --reservation=NAME."))),
      m_worker(line(u"clusterWorker"_s, tr("Worker"), QString::fromStdString(cluster.worker),
                    tr("The program ddpscope-worker on the cluster, which checks the nodes."))) {
    setTitle(tr("How do jobs run there?"));
    setSubTitle(tr("All of it can be changed later; the test that follows says what does not fit."));
    QStringList options;
    for (const std::string& word : cluster.sbatchOptions)
        options += QString::fromStdString(word);
    m_options->setText(options.join(u' '));
    QStringList lines;
    for (const std::string& setup : cluster.setupLines)
        lines += QString::fromStdString(setup);
    m_setup->setObjectName(u"clusterSetup"_s);
    m_setup->setAccessibleName(tr("Lines at the beginning of each job"));
    m_setup->setToolTip(
        tr("Shell lines that every job begins with: modules to load, an environment to activate."));
    m_setup->setPlaceholderText(u"module load cuda/12.4\nsource ~/venvs/torch/bin/activate"_s);
    m_setup->setPlainText(lines.join(u'\n'));
    m_setup->setTabChangesFocus(true);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    m_setup->setFont(fixed);
    m_setup->setFixedHeight(5 * m_setup->fontMetrics().lineSpacing() + 12);
    m_worker->setPlaceholderText(tr("none yet: it can be set up afterwards"));
    auto* column = new QVBoxLayout(this);
    QFormLayout* form = formOf(*column);
    form->addRow(tr("&Folder for jobs"), m_folder);
    form->addRow(tr("&Partition"), m_partition);
    form->addRow(tr("&Account"), m_account);
    form->addRow(tr("&Setup lines"), m_setup);
    form->addRow(tr("sbatch &options"), m_options);
    form->addRow(tr("&Worker"), m_worker);
    column->addStretch();
    connect(m_folder, &QLineEdit::textChanged, this, &QWizardPage::completeChanged);
}

bool ClusterJobPage::isComplete() const {
    return !m_folder->text().trimmed().isEmpty();
}

void ClusterJobPage::offer(const QStringList& partitions, const QStringList& accounts) {
    for (const auto& [box, names] : {std::pair{m_partition, partitions}, std::pair{m_account, accounts}}) {
        const QString chosen = box->currentText();
        box->clear();
        box->addItems(names);
        box->setEditText(chosen);
    }
}

void ClusterJobPage::putInto(remote::Cluster& cluster) const {
    cluster.folder = m_folder->text().trimmed().toStdString();
    cluster.partition = m_partition->currentText().trimmed().toStdString();
    cluster.account = m_account->currentText().trimmed().toStdString();
    cluster.worker = m_worker->text().trimmed().toStdString();
    cluster.sbatchOptions.clear();
    for (const QString& word : wordsOf(m_options->text()))
        cluster.sbatchOptions.push_back(word.toStdString());
    cluster.setupLines.clear();
    for (const QString& setup : m_setup->toPlainText().split(u'\n'))
        if (!setup.trimmed().isEmpty())
            cluster.setupLines.push_back(setup.toStdString());
}

} // namespace ddp::ui
