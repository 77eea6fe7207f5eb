// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "ui/dialogs/check_nodes_dialog.h"

#include "remote/job/batch_script.h"
#include "ui/delegates/symbol_delegate.h"
#include "ui/panels/fact_table.h"
#include "ui/panels/log_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostInQueue = 8; // as ClusterJobs does it
constexpr int kShortestMinutes = 3;
constexpr int kLongestMinutes = 24 * 60;
constexpr int kLongestDeadline = 3600;
constexpr int kHangDeadline = 10; // a hang that is simulated is there to be watched

QString noteOf(CheckMode mode) {
    switch (mode) {
    case CheckMode::Hardware:
        return CheckNodesDialog::tr("The real check: one rank for each GPU of the node, with NCCL.");
    case CheckMode::MissingModel:
        return CheckNodesDialog::tr(
            "On the CPU: rank 1 builds no model, and libtorch's own check on rank 0 finds it. "
            "It says nothing about the node.");
    case CheckMode::LostCollective:
        return CheckNodesDialog::tr(
            "On the CPU: the first collective is not delivered: the same message, another "
            "cause. It says nothing about the node.");
    case CheckMode::Hang:
        return CheckNodesDialog::tr(
            "On the CPU: a rank never enters the collective, and the deadline ends the job. It "
            "says nothing about the node.");
    case CheckMode::Healthy:
        break;
    }
    return CheckNodesDialog::tr("On the CPU: the whole way without a fault. It can not pass a node.");
}

} // namespace

CheckNodesDialog::CheckNodesDialog(const remote::Cluster& cluster, std::vector<NodeRow> nodes,
                                   const CheckChoice& choice, const Palette& palette, QWidget* parent)
    : QDialog(parent), m_cluster(cluster), m_nodes(std::move(nodes)), m_choice(choice), m_palette(palette),
      m_mode(new QComboBox), m_modeNote(new QLabel), m_loading(new QComboBox), m_timeLimit(new QSpinBox),
      m_deadline(new QSpinBox), m_also(new QCheckBox),
      m_rows(new RowsModel<CheckNodeRow>(checkNodeColumns(), this)),
      m_table(new FactTable(u"checkNodes"_s, tr("What each node gets"), *m_rows)), m_summary(new QLabel),
      m_setup(new QLabel), m_scriptTitle(new QLabel), m_script(new LogText(palette)) {
    setObjectName(u"checkNodesDialog"_s);
    const QString name = QString::fromStdString(cluster.name);
    setWindowTitle(m_nodes.size() == 1 ? tr("Check %1 of %2").arg(m_nodes.front().name, name)
                                       : tr("Check %1 nodes of %2").arg(m_nodes.size()).arg(name));
    auto* parts = new QSplitter(Qt::Horizontal);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 8, 0);
    column->addWidget(buildChoices());
    column->addWidget(buildNodes(), 1);
    parts->addWidget(left);
    parts->addWidget(buildScript());
    parts->setChildrenCollapsible(false);
    parts->setStretchFactor(1, 1);
    auto* buttons = new QDialogButtonBox;
    m_submit = buttons->addButton(QString(), QDialogButtonBox::AcceptRole);
    m_submit->setObjectName(u"checkSubmit"_s);
    m_submit->setDefault(true);
    buttons->addButton(QDialogButtonBox::Cancel);
    auto* outer = new QVBoxLayout(this);
    outer->addWidget(parts, 1);
    outer->addWidget(m_summary);
    outer->addWidget(buttons);
    m_summary->setObjectName(u"checkSummary"_s);
    m_summary->setWordWrap(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_mode, &QComboBox::activated, this, &CheckNodesDialog::takeMode);
    connect(m_loading, &QComboBox::activated, this, &CheckNodesDialog::takeChoice);
    for (QSpinBox* box : {m_timeLimit, m_deadline})
        connect(box, &QSpinBox::valueChanged, this, &CheckNodesDialog::takeChoice);
    connect(m_also, &QCheckBox::toggled, this, &CheckNodesDialog::takeChoice);
    resize(1000, 600);
    refresh();
}

template <class Value>
void CheckNodesDialog::addChoices(QComboBox& box, const std::vector<std::pair<QString, Value>>& choices,
                                  Value chosen) {
    for (const auto& [text, value] : choices)
        box.addItem(text, static_cast<int>(value));
    box.setCurrentIndex(box.findData(static_cast<int>(chosen)));
}

QWidget* CheckNodesDialog::buildChoices() {
    m_mode->setObjectName(u"checkMode"_s);
    m_mode->setAccessibleName(tr("What is checked"));
    m_mode->setToolTip(tr("The real check on the GPUs, or a fault that is reproduced on the CPU."));
    addChoices<CheckMode>(*m_mode,
                          {{tr("Real check on the GPUs"), CheckMode::Hardware},
                           {tr("Demo: missing model"), CheckMode::MissingModel},
                           {tr("Demo: lost collective"), CheckMode::LostCollective},
                           {tr("Demo: hang"), CheckMode::Hang},
                           {tr("Healthy run on the CPU"), CheckMode::Healthy}},
                          m_choice.mode);
    m_modeNote->setWordWrap(true);
    m_modeNote->setForegroundRole(QPalette::PlaceholderText);
    m_loading->setObjectName(u"checkLoading"_s);
    m_loading->setAccessibleName(tr("Loading of CUDA modules"));
    m_loading->setToolTip(
        tr("What CUDA_MODULE_LOADING is in the job. A pass with EAGER is a mitigation and no "
           "acceptance; both, as two jobs, tell whether loading is the cause."));
    addChoices<CheckLoading>(*m_loading,
                             {{tr("As the node has it"), CheckLoading::Default},
                              {tr("LAZY"), CheckLoading::Lazy},
                              {tr("EAGER"), CheckLoading::Eager},
                              {tr("LAZY and EAGER, two jobs"), CheckLoading::Both}},
                             m_choice.loading);
    buildTimes();
    m_setup->setObjectName(u"checkSetup"_s);
    m_setup->setTextFormat(Qt::PlainText);
    m_setup->setWordWrap(true);
    QStringList lines;
    for (const std::string& line : m_cluster.setupLines)
        lines += QString::fromStdString(line);
    m_setup->setText(lines.isEmpty() ? tr("none; they are set in the cluster's settings")
                                     : lines.join(u'\n'));
    auto* choices = new QWidget;
    auto* form = new QFormLayout(choices);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(14);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Check"), m_mode);
    form->addRow(QString(), m_modeNote);
    form->addRow(tr("&Module loading"), m_loading);
    form->addRow(tr("&Time limit"), m_timeLimit);
    form->addRow(tr("&Stage deadline"), m_deadline);
    form->addRow(tr("Setup lines"), m_setup);
    return choices;
}

void CheckNodesDialog::buildTimes() {
    m_timeLimit->setObjectName(u"checkTimeLimit"_s);
    m_timeLimit->setAccessibleName(tr("Time limit of each job"));
    m_timeLimit->setToolTip(tr("Slurm ends the job after this time, whatever it does."));
    m_timeLimit->setRange(kShortestMinutes, kLongestMinutes);
    m_timeLimit->setSuffix(tr(" min"));
    m_timeLimit->setValue(static_cast<int>(m_choice.timeLimit.count()));
    m_deadline->setObjectName(u"checkDeadline"_s);
    m_deadline->setAccessibleName(tr("Deadline of each stage"));
    m_deadline->setToolTip(
        tr("A stage that takes longer is a hang: the check ends itself and names the stage."));
    m_deadline->setRange(1, kLongestDeadline);
    m_deadline->setSuffix(tr(" s"));
    m_deadline->setValue(static_cast<int>(m_choice.stageDeadline.count()));
}

QWidget* CheckNodesDialog::buildNodes() {
    auto* nodes = new QWidget;
    auto* column = new QVBoxLayout(nodes);
    column->setContentsMargins(0, 8, 0, 0);
    m_also->setObjectName(u"checkAlso"_s);
    m_also->setText(tr("Submit to nodes that take &no jobs now, too"));
    m_also->setToolTip(tr("Their jobs wait in the queue until an administrator gives the node back."));
    m_also->setChecked(m_choice.alsoUnavailable);
    m_also->setVisible(std::ranges::any_of(m_nodes, [](const NodeRow& node) { return !node.takesJobs; }));
    m_table->setItemDelegateForColumn(
        2, new SymbolDelegate(
               m_palette,
               [](const QModelIndex& index) -> std::optional<Symbol> {
                   const QVariant symbol = index.data(SymbolRole);
                   return symbol.isValid() ? std::optional(static_cast<Symbol>(symbol.toInt()))
                                           : std::nullopt;
               },
               m_table));
    column->addWidget(m_table);
    column->addWidget(m_also);
    column->addStretch();
    return nodes;
}

QWidget* CheckNodesDialog::buildScript() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(8, 0, 0, 0);
    column->addWidget(m_scriptTitle);
    m_script->setObjectName(u"checkScript"_s);
    m_script->setAccessibleName(tr("Batch script"));
    column->addWidget(m_script, 1);
    return page;
}

/// The demo of a hang is over sooner with a short deadline; what the user chose stays.
void CheckNodesDialog::takeMode() {
    const auto mode = static_cast<CheckMode>(m_mode->currentData().toInt());
    const int usual = static_cast<int>(CheckChoice().stageDeadline.count());
    if (mode == CheckMode::Hang && m_deadline->value() == usual)
        m_deadline->setValue(kHangDeadline);
    else if (mode != CheckMode::Hang && m_deadline->value() == kHangDeadline)
        m_deadline->setValue(usual);
    takeChoice();
}

void CheckNodesDialog::takeChoice() {
    m_choice.mode = static_cast<CheckMode>(m_mode->currentData().toInt());
    m_choice.loading = static_cast<CheckLoading>(m_loading->currentData().toInt());
    m_choice.timeLimit = std::chrono::minutes(m_timeLimit->value());
    m_choice.stageDeadline = std::chrono::seconds(m_deadline->value());
    m_choice.alsoUnavailable = m_also->isChecked();
    refresh();
}

void CheckNodesDialog::refresh() {
    m_modeNote->setText(noteOf(m_choice.mode));
    m_rows->setRows(checkNodeRows(m_nodes, m_choice));
    m_table->fit();
    const std::size_t jobs = requests().size();
    m_submit->setText(jobs == 1 ? tr("&Submit the job") : tr("&Submit %1 jobs").arg(jobs));
    m_summary->setText(
        jobs == 0 ? tr("None of these nodes takes a job now.")
        : jobs == 1
            ? tr("One job, bound to its node.")
            : tr("%1 jobs, each bound to its node; at most %2 of them are in the queue at a time. They go on "
                 "when this window is closed, and are found again at the next start.")
                  .arg(jobs)
                  .arg(kMostInQueue));
    m_submit->setEnabled(jobs > 0);
    showScript();
}

void CheckNodesDialog::showScript() {
    const auto all = requests();
    if (all.empty()) {
        m_script->setText({}, 1);
        return;
    }
    const auto node =
        std::ranges::find(m_nodes, all.front().node, [](const NodeRow& row) { return row.node.name; });
    m_scriptTitle->setText(tr("The script that Slurm gets for %1:").arg(node->name));
    const auto job = sampleJob(all.front(), *node, m_cluster.name, m_cluster.folder.string());
    const auto script = remote::batchScript(m_cluster, job);
    if (!script) {
        m_script->setText(QString::fromStdString(script.error().message), 1);
        m_summary->setText(QString::fromStdString(script.error().message));
        m_submit->setEnabled(false);
        return;
    }
    QString text = u"# sbatch"_s;
    for (const std::string& word : remote::batchOptions(m_cluster, job))
        text += u' ' + QString::fromStdString(word);
    m_script->setText(text + u"\n\n"_s + QString::fromStdString(*script), 1);
}

} // namespace ddp::ui
