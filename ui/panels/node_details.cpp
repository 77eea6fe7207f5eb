// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/node_details.h"

#include "ui/panels/fact_table.h"

#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSoonMs = 300;
constexpr std::size_t kMostChecks = 20;
constexpr int kMargin = 10;

QLabel* heading(const QString& object, const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName(object);
    label->setContentsMargins(kMargin, 8, kMargin, 0);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list += QString::fromStdString(word);
    return list.join(u", "_s);
}

QString gresText(const std::vector<remote::slurm::Gres>& all) {
    QStringList list;
    for (const remote::slurm::Gres& gres : all)
        list += (gres.type.empty()
                     ? u"%1 × %2"_s.arg(gres.count).arg(QString::fromStdString(gres.name))
                     : u"%1 × %2 %3"_s.arg(gres.count)
                           .arg(QString::fromStdString(gres.name), QString::fromStdString(gres.type)));
    return list.join(u", "_s);
}

QString memoryText(qint64 mebibytes) {
    return QLocale().formattedDataSize(mebibytes << 20, 1, QLocale::DataSizeIecFormat);
}

std::vector<Column<NodeJobRow>> nodeJobColumns() {
    using Row = NodeJobRow;
    std::vector<Column<Row>> columns;
    columns.push_back({.title = NodeDetails::tr("Job"),
                       .number = true,
                       .text = [](const Row& row) { return QString::number(row.id); },
                       .key = [](const Row& row) { return QVariant(row.id); }});
    columns.push_back({.title = NodeDetails::tr("User"), .text = [](const Row& row) { return row.user; }});
    columns.push_back({.title = NodeDetails::tr("State"), .text = [](const Row& row) { return row.state; }});
    columns.push_back({.title = NodeDetails::tr("Name"), .text = [](const Row& row) { return row.name; }});
    return columns;
}

/// A few of those of the job table: the node is known here.
std::vector<Column<JobTableRow>> checkColumns() {
    auto all = jobColumns();
    return {all[0], all[2], all[3]};
}

} // namespace

NodeDetails::NodeDetails(ClusterSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_pages(new QStackedWidget), m_empty(new QLabel) {
    setObjectName(u"nodeDetails"_s);
    m_empty->setObjectName(u"nodeDetailsEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    m_empty->setMargin(16);
    auto* scroll = new QScrollArea;
    scroll->setWidget(buildFilled());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(scroll);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &NodeDetails::ask);
    connect(&m_session, &ClusterSession::clusterChanged, this, [this] { showNode({}); });
    connect(&m_session, &ClusterSession::nodesChanged, this, [this] {
        refresh();
        if (!m_node.isEmpty())
            m_soon.start();
    });
    connect(&m_session, &ClusterSession::jobsChanged, this, &NodeDetails::showChecks);
    connect(&m_session, &ClusterSession::jobsOnNode, this, &NodeDetails::takeJobs);
    refresh();
}

QWidget* NodeDetails::buildFilled() {
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 8, 0, 8);
    column->setSpacing(6);
    m_name = heading(u"nodeName"_s, {});
    m_use = new QLabel;
    m_use->setObjectName(u"nodeUse"_s);
    m_use->setWordWrap(true);
    m_use->setContentsMargins(kMargin, 0, kMargin, 0);
    column->addWidget(m_name);
    column->addWidget(m_use);
    m_form = new QFormLayout;
    m_form->setContentsMargins(kMargin, 4, kMargin, 4);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(6);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_state = addRow(tr("State"), u"nodeState"_s);
    m_reason = addRow(tr("Reason"), u"nodeReason"_s);
    m_gpus = addRow(tr("GPUs in use"), u"nodeGpus"_s);
    m_gres = addRow(tr("Resources"), u"nodeGres"_s);
    m_partitions = addRow(tr("Partitions"), u"nodePartitions"_s);
    m_features = addRow(tr("Features"), u"nodeFeatures"_s);
    m_cpus = addRow(tr("CPUs in use"), u"nodeCpus"_s);
    m_memory = addRow(tr("Memory in use"), u"nodeMemory"_s);
    m_booted = addRow(tr("Booted"), u"nodeBooted"_s);
    m_slurm = addRow(tr("Slurm"), u"nodeSlurm"_s);
    m_address = addRow(tr("Address"), u"nodeAddress"_s);
    column->addLayout(m_form);
    buildTables(*column);
    column->addStretch();
    return filled;
}

void NodeDetails::buildTables(QVBoxLayout& column) {
    m_jobsTitle = heading(u"nodeJobsTitle"_s, {});
    m_jobs = new RowsModel<NodeJobRow>(nodeJobColumns(), this);
    m_jobTable = new FactTable(u"nodeJobs"_s, tr("Jobs on the node"), *m_jobs);
    m_checksTitle = heading(u"nodeChecksTitle"_s, tr("Its checks"));
    m_checks = new RowsModel<JobTableRow>(checkColumns(), this);
    m_checkTable = new FactTable(u"nodeChecks"_s, tr("Checks of the node"), *m_checks);
    m_checkTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    connect(m_checkTable, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT runWanted(m_checks->row(index.row()).id); });
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_jobsTitle, m_jobTable, m_checksTitle, m_checkTable})
        column.addWidget(part);
}

QLabel* NodeDetails::addRow(const QString& name, const QString& object) {
    auto* value = new QLabel;
    value->setObjectName(object);
    value->setTextFormat(Qt::PlainText); // reasons are words of other people
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    value->setAccessibleName(name);
    value->setMinimumWidth(60);
    m_form->addRow(name, value);
    return value;
}

void NodeDetails::setRow(QLabel* value, const QString& text) {
    value->setText(text);
    m_form->setRowVisible(value, !text.isEmpty());
}

void NodeDetails::showNode(const QString& node) {
    if (node == m_node)
        return;
    m_node = node;
    m_jobs->setRows({});
    m_jobTable->fit();
    m_jobsTitle->setText(tr("Jobs on it: being asked"));
    refresh();
    if (!node.isEmpty())
        m_soon.start();
}

void NodeDetails::refresh() {
    const auto nodes = m_session.nodes();
    const NodeRow* row = nullptr;
    if (nodes && !m_node.isEmpty()) {
        const auto found = std::ranges::find(*nodes, m_node, &NodeRow::name);
        row = found == nodes->end() ? nullptr : &*found;
    }
    m_pages->setCurrentIndex(row ? 1 : 0);
    if (!row) {
        m_empty->setText(
            m_node.isEmpty() || !nodes
                ? tr("No node is selected.\n\nChoose one in the list of nodes to see its state, its "
                     "reason and the jobs on it.")
                : tr("The cluster has no node %1 any more.").arg(m_node));
        return;
    }
    showFacts(*row);
    showChecks();
}

void NodeDetails::showFacts(const NodeRow& row) {
    const remote::slurm::Node& node = row.node;
    m_name->setText(row.name);
    m_use->setText(nodeUseSentence(row));
    setRow(m_state, row.state);
    setRow(m_reason, reasonText(row));
    setRow(m_gpus, row.gpus);
    setRow(m_gres, gresText(node.gres));
    setRow(m_partitions, row.partitions);
    setRow(m_features, joined(node.features));
    setRow(m_cpus, tr("%1 of %2").arg(node.cpusAllocated).arg(node.cpus));
    setRow(m_memory, tr("%1 of %2").arg(memoryText(node.memoryAllocatedMiB), memoryText(node.memoryMiB)));
    setRow(m_booted, node.bootTime ? QLocale().toString(QDateTime::fromSecsSinceEpoch(*node.bootTime),
                                                        QLocale::ShortFormat)
                                   : QString());
    setRow(m_slurm, QString::fromStdString(node.slurmVersion));
    const QString host = QString::fromStdString(node.hostName);
    const QString address = QString::fromStdString(node.address);
    setRow(m_address, host.isEmpty() || host == address ? address : u"%1 (%2)"_s.arg(host, address));
}

void NodeDetails::showChecks() {
    std::vector<JobTableRow> rows;
    const QDateTime now = QDateTime::currentDateTime();
    const std::string node = m_node.toStdString();
    const auto& jobs = m_session.jobs();
    for (auto job = jobs.rbegin(); job != jobs.rend() && rows.size() < kMostChecks; ++job)
        if (job->request.node == node)
            rows.push_back(jobTableRow(*job, now));
    m_checksTitle->setVisible(!rows.empty());
    m_checkTable->setVisible(!rows.empty());
    m_checks->setRows(std::move(rows));
    m_checkTable->fit();
}

void NodeDetails::ask() {
    if (!m_node.isEmpty() && m_session.state().phase == remote::ConnectionPhase::Connected)
        m_session.askJobsOn(m_node);
}

void NodeDetails::takeJobs(const QString& node, const std::vector<remote::slurm::JobRow>& jobs,
                           const QString& problem) {
    if (node != m_node)
        return;
    std::vector<NodeJobRow> rows;
    for (const remote::slurm::JobRow& job : jobs)
        rows.push_back({job.id.number, QString::fromStdString(job.user), QString::fromStdString(job.name),
                        QString::fromLatin1(std::string(remote::slurm::jobStateWord(job.state))).toLower()});
    m_jobsTitle->setText(!problem.isEmpty() ? tr("Jobs on it: not known")
                         : rows.empty()     ? tr("No job is on it now.")
                                            : tr("Jobs on it now: %1").arg(rows.size()));
    m_jobsTitle->setToolTip(problem);
    m_jobTable->setVisible(!rows.empty());
    m_jobs->setRows(std::move(rows));
    m_jobTable->fit();
}

} // namespace ddp::ui
