// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cluster_jobs_panel.h"

#include "ui/delegates/symbol_delegate.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/job_log_view.h"
#include "ui/panels/table_actions.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::JobRecord;
using remote::JobState;

namespace {

constexpr int kRowPadding = 6;
constexpr int kTickMs = 1000;
constexpr int kQuietTicks = 20;                   // while no text changes every second
constexpr int kLetters[] = {19, 9, 26, 7, 6, 20}; // of the columns, in average letters

bool hasRun(const JobRecord& job) {
    return (job.state == JobState::Pulled || job.state == JobState::Judged) && !job.runFolder.empty();
}

} // namespace

ClusterJobsPanel::ClusterJobsPanel(ClusterSession& session, TaskRunner& runner, const Palette& palette,
                                   QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RowsModel<JobTableRow>(jobColumns(), this)),
      m_sorted(new QSortFilterProxyModel(this)), m_table(new QTableView), m_pages(new QStackedWidget),
      m_empty(new QLabel), m_counts(new ElidedLabel(Qt::ElideRight)),
      m_log(new JobLogView(session, runner, palette)) {
    setObjectName(u"clusterJobsPanel"_s);
    m_counts->setObjectName(u"jobCounts"_s);
    m_empty->setObjectName(u"jobsEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    buildTable();
    auto* symbols = new SymbolDelegate(
        palette,
        [](const QModelIndex& index) -> std::optional<Symbol> {
            const QVariant symbol = index.data(SymbolRole);
            return symbol.isValid() ? std::optional(static_cast<Symbol>(symbol.toInt())) : std::nullopt;
        },
        m_table);
    symbols->setColoredText(true);
    m_table->setItemDelegateForColumn(0, symbols);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildLine());
    new TableActions(*m_table, runner, u"jobs"_s, {}); // the table's, after ours
    column->addWidget(m_table, 1);
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->setChildrenCollapsible(false);
    parts->addWidget(left);
    parts->addWidget(m_log);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(parts);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connectParts();
    takeJobs();
}

void ClusterJobsPanel::connectParts() {
    connect(&m_session, &ClusterSession::jobsChanged, this, &ClusterJobsPanel::takeJobs);
    connect(&m_session, &ClusterSession::clusterChanged, this, &ClusterJobsPanel::takeJobs);
    connect(&m_session, &ClusterSession::cancelPlanned, this, &ClusterJobsPanel::confirmCancel);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ClusterJobsPanel::followSelection);
    connect(m_table, &QTableView::doubleClicked, this, &ClusterJobsPanel::openRun);
    connect(&m_clock, &QTimer::timeout, this, &ClusterJobsPanel::tick);
    m_clock.start(kTickMs);
}

QWidget* ClusterJobsPanel::buildLine() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    const auto add = [&](const QString& name, const QString& text, const QString& tip, auto act) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, act);
        m_table->addAction(action); // in its context menu too
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(button);
        return action;
    };
    m_open = add(u"jobOpen"_s, tr("Open run"),
                 tr("Shows the verdict, the timeline and the logs of the selected job (Enter)."),
                 [this] { openRun(); });
    m_cancel = add(u"jobCancel"_s, tr("Cancel…"),
                   tr("Says what cancelling the selected jobs will do, and asks before it does (Del)."),
                   [this] { askToCancel(); });
    m_pull = add(u"jobPull"_s, tr("Fetch again"),
                 tr("Fetches what the selected jobs have written by now, and judges them again."), [this] {
                     for (const QString& id : selectedJobs())
                         m_session.pull(id);
                 });
    row->addWidget(m_counts, 1);
    return line;
}

void ClusterJobsPanel::buildTable() {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(KeyRole);
    m_table->setObjectName(u"jobTable"_s);
    m_table->setAccessibleName(tr("Jobs on the cluster"));
    m_table->setModel(m_sorted);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(36);
    const int letter = m_table->fontMetrics().averageCharWidth();
    for (int column = 0; column < m_model->columnCount(); ++column)
        header->resizeSection(column, kLetters[column] * letter + 2 * kRowPadding);
    header->setSortIndicator(-1, Qt::AscendingOrder); // the newest first
    m_table->setSortingEnabled(true);
    m_table->installEventFilter(this);
}

void ClusterJobsPanel::takeJobs() {
    const QStringList chosen = selectedJobs();
    m_model->setRows(jobTableRows(m_session.jobs(), QDateTime::currentDateTime()));
    QItemSelection selection;
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        const QModelIndex index = m_sorted->index(row, 0);
        if (chosen.contains(m_model->row(m_sorted->mapToSource(index).row()).id))
            selection.select(index, index.siblingAtColumn(m_model->columnCount() - 1));
    }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    showCounts();
    followSelection();
}

/// With as many rows as before nothing but the texts changes.
void ClusterJobsPanel::tick() {
    const auto moves = [](const JobRecord& job) { return !isFinal(job.state); };
    if (isVisible() && (std::ranges::any_of(m_session.jobs(), moves) || ++m_quietTicks % kQuietTicks == 0))
        m_model->setRows(jobTableRows(m_session.jobs(), QDateTime::currentDateTime()));
}

void ClusterJobsPanel::showCounts() {
    const auto& jobs = m_session.jobs();
    m_pages->setCurrentIndex(jobs.empty() ? 0 : 1);
    m_empty->setText(
        m_session.cluster()
            ? tr("No job was submitted to %1 yet.\n\nSelect nodes in the list of nodes and press Ctrl+N to "
                 "check them.")
                  .arg(m_session.name())
            : tr("Jobs run on clusters, and no cluster is chosen.\n\nChoose or add one by the button "
                 "“This machine” in the tool bar."));
    int waiting = 0;
    int running = 0;
    int over = 0;
    for (const JobRecord& job : jobs) {
        if (isFinal(job.state))
            ++over;
        else if (job.state == JobState::Running || job.state == JobState::Ended ||
                 job.state == JobState::Pulled)
            ++running;
        else
            ++waiting;
    }
    m_counts->setFullText(tr("%1 waiting · %2 running · %3 over").arg(waiting).arg(running).arg(over));
    Q_EMIT openCountChanged(waiting + running);
}

QStringList ClusterJobsPanel::selectedJobs() const {
    std::vector<QModelIndex> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index);
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList ids;
    for (const QModelIndex& index : rows)
        ids += m_model->row(m_sorted->mapToSource(index).row()).id;
    return ids;
}

std::vector<const JobRecord*> ClusterJobsPanel::selected() const {
    std::vector<const JobRecord*> jobs;
    for (const QString& id : selectedJobs())
        if (const JobRecord* job = m_session.job(id))
            jobs.push_back(job);
    return jobs;
}

void ClusterJobsPanel::selectJob(const QString& id) {
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (m_model->row(m_sorted->mapToSource(m_sorted->index(row, 0)).row()).id == id)
            m_table->selectRow(row);
}

void ClusterJobsPanel::setSeen(bool seen) {
    m_log->setSeen(seen);
}

void ClusterJobsPanel::followSelection() {
    const auto jobs = selected();
    const bool one = jobs.size() == 1;
    m_open->setEnabled(one && hasRun(*jobs.front()));
    m_cancel->setEnabled(std::ranges::any_of(
        jobs, [](const JobRecord* job) { return !isFinal(job->state) && !job->cancelWanted; }));
    m_pull->setEnabled(
        std::ranges::any_of(jobs, [](const JobRecord* job) { return job->slurmId.has_value(); }));
    m_log->showJob(one ? selectedJobs().front() : QString());
}

void ClusterJobsPanel::askToCancel() {
    m_cancelling.clear();
    for (const JobRecord* job : selected())
        if (!isFinal(job->state) && !job->cancelWanted)
            m_cancelling += QString::fromStdString(job->id);
    if (!m_cancelling.isEmpty())
        m_session.planCancel(m_cancelling.front());
}

void ClusterJobsPanel::confirmCancel(const QString& id, const QString& plan) {
    if (m_cancelling.isEmpty() || m_cancelling.front() != id || m_question)
        return;
    m_question =
        new QMessageBox(QMessageBox::Question, tr("Cancel"),
                        m_cancelling.size() == 1 ? tr("Cancel this job?")
                                                 : tr("Cancel these %1 jobs?").arg(m_cancelling.size()),
                        QMessageBox::NoButton, window());
    m_question->setObjectName(u"cancelQuestion"_s);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setTextFormat(Qt::PlainText);
    m_question->setInformativeText(
        m_cancelling.size() == 1 ? plan : tr("The same is done with each of them. %1").arg(plan));
    QPushButton* yes = m_question->addButton(
        m_cancelling.size() == 1 ? tr("&Cancel the job") : tr("&Cancel them"), QMessageBox::AcceptRole);
    yes->setObjectName(u"cancelYes"_s);
    m_question->setDefaultButton(m_question->addButton(tr("&Leave it alone"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this] {
        for (const QString& job : std::exchange(m_cancelling, {}))
            m_session.cancel(job);
    });
    m_question->open();
}

void ClusterJobsPanel::openRun() {
    if (const auto jobs = selected(); jobs.size() == 1 && hasRun(*jobs.front()))
        Q_EMIT runWanted(QString::fromStdString(jobs.front()->id));
}

bool ClusterJobsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            openRun();
            return true;
        }
        if (key == Qt::Key_Delete) {
            askToCancel();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ddp::ui
