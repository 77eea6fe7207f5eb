// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/node_dashboard_panel.h"

#include "ui/delegates/symbol_delegate.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

namespace ddp::ui {

using namespace Qt::StringLiterals;

NodeDashboardPanel::NodeDashboardPanel(RunController& runs, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_palette(palette), m_model(new NodeTableModel(this)),
      m_proxy(new WordFilterProxy(this)), m_filter(new QLineEdit), m_table(new QTableView),
      m_pages(new QStackedWidget), m_counts(new QLabel) {
    m_proxy->setSourceModel(m_model);
    m_filter->setObjectName(u"nodeFilter"_s);
    m_filter->setPlaceholderText(tr("Filter nodes"));
    m_filter->setToolTip(
        tr("Shows only the nodes in which every word occurs: a name, a verdict or a cause."));
    m_filter->setAccessibleName(tr("Node filter"));
    m_filter->setClearButtonEnabled(true);
    m_counts->setObjectName(u"nodeCounts"_s);
    buildTable();

    auto* empty =
        new QLabel(tr("No node has been checked yet.\n\nChoose a case in the Demo menu: it runs on this "
                      "machine and needs no GPU."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    empty->setMargin(12);
    m_pages->addWidget(empty);
    m_pages->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(6);
    column->addWidget(m_filter);
    column->addWidget(m_pages, 1);
    column->addWidget(m_counts);

    connect(m_filter, &QLineEdit::textChanged, m_proxy, &WordFilterProxy::setWords);
    connect(&m_runs, &RunController::runChanged, this, &NodeDashboardPanel::takeRun);
    connect(&m_clock, &QTimer::timeout, this, [this] { m_model->tick(QDateTime::currentDateTime()); });
    m_clock.start(1000);
    showCounts();
}

void NodeDashboardPanel::buildTable() {
    m_table->setObjectName(u"nodeTable"_s);
    m_table->setAccessibleName(tr("Nodes"));
    m_table->setModel(m_proxy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 10);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(NodeTableModel::StateColumn, Qt::AscendingOrder);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(44);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(NodeTableModel::CauseColumn, QHeaderView::Stretch);
    auto* symbols = new SymbolDelegate(
        m_palette,
        [](const QModelIndex& index) -> std::optional<Symbol> {
            return symbolOf(static_cast<RunStatus>(index.data(NodeTableModel::StatusRole).toInt()));
        },
        m_table);
    symbols->setColoredText(true);
    m_table->setItemDelegateForColumn(NodeTableModel::StateColumn, symbols);

    const auto activate = [this](const QModelIndex& index) {
        if (const QString id = runAt(index); !id.isEmpty())
            Q_EMIT runActivated(id);
    };
    connect(m_table, &QTableView::activated, this, activate);
    connect(m_table, &QTableView::clicked, this, activate);
    connect(m_table, &QTableView::customContextMenuRequested, this, &NodeDashboardPanel::showMenu);
}

QString NodeDashboardPanel::runAt(const QModelIndex& proxyIndex) const {
    return proxyIndex.isValid() ? proxyIndex.data(NodeTableModel::RunIdRole).toString() : QString();
}

void NodeDashboardPanel::takeRun(const QString& id) {
    if (const RunRecord* run = m_runs.find(id))
        m_model->update(*run);
    m_model->tick(QDateTime::currentDateTime());
    showCounts();
}

void NodeDashboardPanel::selectRun(const QString& id) {
    const QModelIndex index = m_proxy->mapFromSource(m_model->indexOfRun(id));
    if (index.isValid())
        m_table->selectRow(index.row());
}

void NodeDashboardPanel::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void NodeDashboardPanel::showCounts() {
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
    const NodeTableModel::Counts counts = m_model->counts();
    QString text =
        tr("%1 pass · %2 fail · %3 inconclusive").arg(counts.pass).arg(counts.fail).arg(counts.inconclusive);
    if (counts.running > 0)
        text += tr(" · %1 running").arg(counts.running);
    if (counts.other > 0)
        text += tr(" · %1 not judged").arg(counts.other);
    m_counts->setText(text);
}

void NodeDashboardPanel::showMenu(const QPoint& position) {
    const RunRecord* run = m_runs.find(runAt(m_table->indexAt(position)));
    if (!run)
        return;
    QMenu menu(this);
    const RunRecord shown = *run;
    menu.addAction(tr("Copy the node's name"), this,
                   [shown] { QApplication::clipboard()->setText(shown.node); });
    menu.addAction(tr("Copy the verdict and its sentence"), this, [shown] {
        QApplication::clipboard()->setText(u"%1 %2: %3"_s.arg(
            shown.node, statusText(shown, QDateTime::currentDateTime()), verdictSentence(shown)));
    });
    menu.addAction(tr("Open the run folder"), this, [shown] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(shown.folder.string())));
    });
    QMenu* earlier = menu.addMenu(tr("Runs of this node"));
    for (const RunRecord& other : m_runs.history(shown)) {
        const QString text = tr("%1  %2, %3")
                                 .arg(QLocale().toString(other.started, QLocale::ShortFormat),
                                      statusText(other, QDateTime::currentDateTime()), kindText(other));
        earlier->addAction(text, this, [this, id = other.id] { Q_EMIT runActivated(id); });
    }
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

} // namespace ddp::ui
