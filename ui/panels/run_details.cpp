// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/run_details.h"

#include "ui/delegates/report_delegate.h"
#include "ui/panels/verdict_badge.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kIndentation = 18;

QLabel* selectableLabel(const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

RunDetails::RunDetails(const RunController& runs, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_palette(palette), m_model(new ReportModel(this)),
      m_pages(new QStackedWidget), m_badge(new VerdictBadge(palette)),
      m_node(selectableLabel(u"detailsNode"_s)), m_sentence(selectableLabel(u"detailsSentence"_s)),
      m_nextTitle(new QLabel(tr("Next"))), m_next(selectableLabel(u"detailsNext"_s)),
      m_copyNext(new QPushButton(tr("Copy"))), m_history(new QComboBox), m_tree(new QTreeView),
      m_filler(new QWidget) {
    buildTree();
    auto* empty =
        new QLabel(tr("Nothing is selected.\n\nClick a node to see its verdict and the evidence for it."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    empty->setMargin(16);
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(8, 8, 8, 0);
    column->setSpacing(6);
    column->addWidget(buildHead());
    column->addWidget(m_tree, 1);
    column->addWidget(m_filler, 1);
    m_pages->addWidget(empty);
    m_pages->addWidget(filled);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(&m_runs, &RunController::runChanged, this, [this](const QString& id) {
        if (id == m_id)
            refresh();
    });
    connect(m_history, &QComboBox::activated, this,
            [this](int row) { Q_EMIT runChosen(m_history->itemData(row).toString()); });
    connect(m_copyNext, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_next->text()); });
}

QWidget* RunDetails::buildHead() {
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_history->setObjectName(u"detailsHistory"_s);
    m_history->setAccessibleName(tr("Runs of this node"));
    m_history->setToolTip(tr("All runs of this node, the newest first."));
    m_history->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_copyNext->setObjectName(u"copyNext"_s);
    m_copyNext->setToolTip(tr("Copies the proposed steps. The program itself never runs them."));
    QFont bold = m_nextTitle->font();
    bold.setBold(true);
    m_nextTitle->setFont(bold);
    auto* nextLine = new QHBoxLayout;
    nextLine->addWidget(m_nextTitle, 1);
    nextLine->addWidget(m_copyNext);
    column->addWidget(m_badge);
    column->addWidget(m_node);
    column->addWidget(m_history);
    column->addWidget(m_sentence);
    column->addLayout(nextLine);
    column->addWidget(m_next);
    return head;
}

void RunDetails::buildTree() {
    m_tree->setObjectName(u"acceptanceTree"_s);
    m_tree->setAccessibleName(tr("Acceptance list with evidence"));
    m_tree->setModel(m_model);
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(kIndentation);
    m_tree->setWordWrap(true);
    m_tree->setUniformRowHeights(false);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setItemDelegate(new ReportDelegate(m_palette, kIndentation, m_tree));
    // Enter and click both open the place; `activated` alone would ask for a double click on most desktops.
    connect(m_tree, &QTreeView::clicked, this, &RunDetails::activate);
    connect(m_tree, &QTreeView::activated, this, &RunDetails::activate);
}

void RunDetails::activate(const QModelIndex& index) {
    const QVariant file = index.data(ReportModel::FileRole);
    if (file.isValid())
        Q_EMIT evidenceActivated(m_id, file.toString(), index.data(ReportModel::LineRole).toInt());
}

void RunDetails::showRun(const QString& id) {
    m_id = id;
    refresh();
}

void RunDetails::refresh() {
    const RunRecord* run = m_runs.find(m_id);
    m_pages->setCurrentIndex(run ? 1 : 0);
    if (!run)
        return;
    const RunStatus status = statusOf(*run);
    m_badge->setVerdict(symbolOf(status), status == RunStatus::Running ? tr("running")
                                          : status == RunStatus::Stopped
                                              ? tr("INCONCLUSIVE, stopped")
                                              : statusText(*run, QDateTime::currentDateTime()));
    m_node->setText(u"%1, %2"_s.arg(run->node, kindText(*run)));
    m_sentence->setText(verdictSentence(*run));
    fillHistory(*run);
    fillNext(*run);
    if (run->report != m_report) {
        m_report = run->report;
        m_model->setReport(m_report);
        // The list is seen whole, the reason for the verdict with its evidence.
        if (m_report && !m_report->diagnosis.cause.empty())
            m_tree->expand(m_model->index(0, 0));
    }
    m_tree->setVisible(m_report != nullptr);
    m_filler->setVisible(m_report == nullptr);
}

void RunDetails::fillHistory(const RunRecord& run) {
    const QSignalBlocker quiet(m_history);
    m_history->clear();
    for (const RunRecord& other : m_runs.history(run)) {
        m_history->addItem(u"%1 · %2 · %3"_s.arg(QLocale().toString(other.started, u"d MMM HH:mm:ss"_s),
                                                 statusText(other, QDateTime::currentDateTime()),
                                                 QString(other.simulate).replace(u'-', u' ')),
                           other.id);
    }
    m_history->setCurrentIndex(m_history->findData(run.id));
    m_history->setVisible(m_history->count() > 1);
}

void RunDetails::fillNext(const RunRecord& run) {
    QStringList steps;
    if (run.report && !run.stopped) {
        for (const std::string& step : run.report->diagnosis.next)
            steps << QString::fromStdString(step);
    }
    m_next->setText(steps.join(u'\n'));
    for (QWidget* widget : {static_cast<QWidget*>(m_next), static_cast<QWidget*>(m_nextTitle),
                            static_cast<QWidget*>(m_copyNext)})
        widget->setVisible(!steps.isEmpty());
}

} // namespace ddp::ui
