// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cluster_nodes_panel.h"

#include "ui/delegates/symbol_delegate.h"
#include "ui/models/job_rows.h"
#include "ui/models/rows_model.h"
#include "ui/panels/elided_label.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;
using remote::ConnectionPhase;

namespace {

constexpr int kRowPadding = 8;
constexpr int kTickMs = 1000;

/// Room for short contents, in average letters; the columns grow with what is in them.
constexpr int kLetters[] = {8, 7, 8, 5, 8, 5, 8, 30};
constexpr int kMostLetters = 24;
constexpr int kRowsMeasured = 40;

} // namespace

ClusterNodesPanel::ClusterNodesPanel(ClusterSession& session, const Palette& palette, QWidget* parent)
    : QWidget(parent), m_session(session), m_palette(palette), m_model(new ClusterNodesModel(this)),
      m_filter(new QLineEdit), m_partition(new QComboBox), m_use(new QComboBox), m_table(new QTableView),
      m_pages(new QStackedWidget), m_empty(new QLabel), m_connect(new QPushButton),
      m_note(new ElidedLabel(Qt::ElideRight)), m_counts(new ElidedLabel(Qt::ElideRight)) {
    setObjectName(u"clusterNodesPanel"_s);
    m_note->setObjectName(u"clusterNodesNote"_s);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_counts->setObjectName(u"clusterNodeCounts"_s);
    buildTable();
    m_pages->addWidget(buildEmpty());
    m_pages->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(6);
    column->addWidget(m_filter);
    column->addWidget(buildFilters());
    column->addWidget(m_note);
    column->addWidget(m_pages, 1);
    column->addWidget(m_counts);
    connectParts();
    takeCluster();
}

QWidget* ClusterNodesPanel::buildFilters() {
    m_filter->setObjectName(u"clusterNodeFilter"_s);
    m_filter->setPlaceholderText(tr("Filter nodes"));
    m_filter->setAccessibleName(tr("Filter of the cluster's nodes"));
    m_filter->setToolTip(tr("Shows only the nodes in which every word occurs: a name, a state, a reason, a "
                            "GPU type, a feature, a verdict or a cause."));
    m_filter->setClearButtonEnabled(true);
    m_partition->setObjectName(u"clusterPartition"_s);
    m_partition->setAccessibleName(tr("Partition"));
    m_partition->setToolTip(tr("Shows only the nodes of one partition."));
    m_partition->addItem(tr("All partitions"));
    m_use->setObjectName(u"clusterNodeState"_s);
    m_use->setAccessibleName(tr("State of the nodes"));
    m_use->setToolTip(tr("Shows only the nodes in one kind of state."));
    m_use->addItem(tr("All states"));
    const std::pair<QString, NodeUse> uses[] = {{tr("Free"), NodeUse::Idle},
                                                {tr("In use"), NodeUse::InUse},
                                                {tr("Drained"), NodeUse::Drained},
                                                {tr("Down or not answering"), NodeUse::Broken},
                                                {tr("Reserved or powered down"), NodeUse::Reserved},
                                                {tr("Not known"), NodeUse::Unknown}};
    for (const auto& [text, use] : uses)
        m_use->addItem(text, static_cast<int>(use));
    auto* filters = new QWidget;
    auto* line = new QHBoxLayout(filters);
    line->setContentsMargins(0, 0, 0, 0);
    for (QComboBox* box : {m_partition, m_use}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        line->addWidget(box, 1);
    }
    return filters;
}

void ClusterNodesPanel::buildTable() {
    m_table->setObjectName(u"clusterNodeTable"_s);
    m_table->setAccessibleName(tr("Nodes of the cluster"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    // One height for all: ten thousand rows are not measured.
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + kRowPadding);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(36);
    header->setStretchLastSection(true);
    const int letter = m_table->fontMetrics().averageCharWidth();
    for (int column = 0; column < ClusterNodesModel::kColumns; ++column)
        header->resizeSection(column, kLetters[column] * letter + kRowPadding);
    header->setSortIndicator(ClusterNodesModel::NodeColumn, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    const auto symbolAt = [](const QModelIndex& index) -> std::optional<Symbol> {
        const QVariant symbol = index.data(SymbolRole);
        return symbol.isValid() ? std::optional(static_cast<Symbol>(symbol.toInt())) : std::nullopt;
    };
    for (const int column : {ClusterNodesModel::StateColumn, ClusterNodesModel::CheckColumn}) {
        auto* symbols = new SymbolDelegate(m_palette, symbolAt, m_table);
        symbols->setColoredText(column == ClusterNodesModel::CheckColumn);
        m_table->setItemDelegateForColumn(column, symbols);
    }
    m_table->installEventFilter(this);
}

QWidget* ClusterNodesPanel::buildEmpty() {
    m_empty->setObjectName(u"clusterNodesEmpty"_s);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setFocusPolicy(Qt::TabFocus); // to be reached and read out
    m_empty->setMargin(12);
    m_connect->setObjectName(u"clusterConnect"_s);
    m_connect->setText(tr("Connect &now"));
    m_connect->setToolTip(tr("Connects to the cluster; you may be asked to log in."));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->addStretch();
    column->addWidget(m_empty);
    column->addWidget(m_connect, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

void ClusterNodesPanel::connectParts() {
    connect(m_filter, &QLineEdit::textChanged, this, &ClusterNodesPanel::setFilter);
    connect(m_partition, &QComboBox::activated, this, &ClusterNodesPanel::setFilter);
    connect(m_use, &QComboBox::activated, this, &ClusterNodesPanel::setFilter);
    connect(m_connect, &QPushButton::clicked, &m_session, &ClusterSession::refresh);
    connect(&m_session, &ClusterSession::clusterChanged, this, &ClusterNodesPanel::takeCluster);
    connect(&m_session, &ClusterSession::stateChanged, this, &ClusterNodesPanel::showState);
    connect(&m_session, &ClusterSession::nodesChanged, this, &ClusterNodesPanel::takeNodes);
    connect(&m_session, &ClusterSession::jobsChanged, this, [this] {
        m_model->setChecks(nodeChecks(m_session.jobs()));
        showState();
    });
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &ClusterNodesPanel::keepSelection);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ClusterNodesPanel::restoreSelection);
    connect(m_table, &QTableView::customContextMenuRequested, this, &ClusterNodesPanel::showMenu);
    connect(m_table, &QTableView::doubleClicked, this, &ClusterNodesPanel::activate);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { Q_EMIT currentChanged(currentNode()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ClusterNodesPanel::showCounts);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        // The last one is stretched by the table.
        m_widthsChosen |= !m_growing && column != ClusterNodesModel::ReasonColumn;
    });
    connect(&m_clock, &QTimer::timeout, this, [this] { m_model->tick(QDateTime::currentDateTime()); });
    m_clock.start(kTickMs);
}

void ClusterNodesPanel::takeCluster() {
    m_filter->clear();
    m_partition->setCurrentIndex(0);
    m_use->setCurrentIndex(0);
    setFilter();
    m_model->setChecks(nodeChecks(m_session.jobs()));
    takeNodes();
}

void ClusterNodesPanel::takeNodes() {
    const auto nodes = m_session.nodes();
    m_model->setNodes(nodes ? nodes : std::make_shared<const NodeRows>());
    fillPartitions();
    showState();
}

/// Until the user sets a width.
void ClusterNodesPanel::growColumns() {
    const int letter = m_table->fontMetrics().averageCharWidth();
    const int rows = std::min(m_model->rowCount(), kRowsMeasured);
    m_growing = true;
    for (int column = 0; !m_widthsChosen && column < ClusterNodesModel::ReasonColumn; ++column) {
        int wanted =
            std::max(m_table->columnWidth(column), m_table->horizontalHeader()->sectionSizeHint(column));
        for (int row = 0; row < rows; ++row)
            wanted = std::max(wanted, m_table->sizeHintForIndex(m_model->index(row, column)).width());
        m_table->setColumnWidth(column, std::min(wanted, kMostLetters * letter));
    }
    m_growing = false;
}

void ClusterNodesPanel::fillPartitions() {
    QStringList names{m_partition->itemText(0)};
    names += m_model->partitions();
    QStringList shown;
    for (int i = 0; i < m_partition->count(); ++i)
        shown += m_partition->itemText(i);
    if (names == shown)
        return;
    const QString chosen = m_partition->currentText();
    m_partition->clear();
    m_partition->addItems(names);
    m_partition->setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(chosen))));
    setFilter();
}

void ClusterNodesPanel::setFilter() {
    NodeFilter filter;
    filter.text = m_filter->text();
    if (m_partition->currentIndex() > 0)
        filter.partition = m_partition->currentText();
    if (const QVariant use = m_use->currentData(); use.isValid())
        filter.use = static_cast<NodeUse>(use.toInt());
    m_model->setFilter(filter);
    showState();
}

void ClusterNodesPanel::showState() {
    const auto phase = m_session.state().phase;
    const bool filled = m_model->rowCount() > 0;
    m_pages->setCurrentIndex(filled ? 1 : 0);
    growColumns();
    if (!filled)
        m_empty->setText(emptyText());
    m_connect->setVisible(!m_session.nodes() &&
                          (phase == ConnectionPhase::NeedsUser || phase == ConnectionPhase::Lost ||
                           phase == ConnectionPhase::Idle));
    const bool stale =
        m_session.nodes() && (phase != ConnectionPhase::Connected || !m_session.nodesProblem().isEmpty());
    m_note->setVisible(stale);
    if (stale) {
        const QString seen = QLocale().toString(m_session.nodesSeen().time(), QLocale::ShortFormat);
        m_note->setFullText(m_session.nodesProblem().isEmpty()
                                ? tr("As of %1: there is no connection.").arg(seen)
                                : tr("As of %1: %2").arg(seen, m_session.nodesProblem()));
    }
    showCounts();
}

QString ClusterNodesPanel::emptyText() const {
    const QString name = m_session.name();
    if (m_session.nodes() && !m_session.nodes()->empty())
        return tr("No node matches the filter. Clear it to see all %1.").arg(m_session.nodes()->size());
    switch (m_session.state().phase) {
    case ConnectionPhase::Connecting:
        return tr("Connecting to %1 …").arg(name);
    case ConnectionPhase::Connected:
        return m_session.nodesProblem().isEmpty() ? tr("Asking %1 for its nodes …").arg(name)
                                                  : m_session.nodesProblem();
    case ConnectionPhase::Lost:
    case ConnectionPhase::NeedsUser:
        return QString::fromStdString(m_session.state().why);
    case ConnectionPhase::Idle:
        break;
    }
    return tr("There is no connection to %1.").arg(name);
}

void ClusterNodesPanel::showCounts() {
    const auto counts = m_model->counts();
    const QLocale locale;
    QStringList parts{tr("%1 pass").arg(counts.pass), tr("%1 fail").arg(counts.fail)};
    if (counts.inconclusive > 0)
        parts += tr("%1 inconclusive").arg(counts.inconclusive);
    if (counts.running > 0)
        parts += tr("%1 running").arg(counts.running);
    if (counts.simulated > 0)
        parts += tr("%1 demo").arg(counts.simulated);
    if (counts.unusable > 0)
        parts += tr("%1 unusable").arg(counts.unusable);
    parts += counts.shown == counts.all
                 ? tr("%1 nodes").arg(locale.toString(counts.all))
                 : tr("%1 of %2 nodes").arg(locale.toString(counts.shown), locale.toString(counts.all));
    if (const auto selected = m_table->selectionModel()->selectedRows().size(); selected > 1)
        parts += tr("%1 selected").arg(locale.toString(selected));
    m_counts->setFullText(parts.join(u" · "_s));
}

QStringList ClusterNodesPanel::selectedNodes() const {
    std::vector<int> places;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        places.push_back(index.row());
    std::ranges::sort(places);
    QStringList nodes;
    for (const int place : places)
        nodes += m_model->row(place).name;
    return nodes;
}

QString ClusterNodesPanel::currentNode() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? m_model->row(index.row()).name : QString();
}

void ClusterNodesPanel::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ClusterNodesPanel::keepSelection() {
    m_keptNodes.clear();
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        m_keptNodes.insert(m_model->row(index.row()).name);
    m_keptCurrent = currentNode();
    m_keptScroll = m_table->verticalScrollBar()->value();
}

void ClusterNodesPanel::restoreSelection() {
    QItemSelection selection;
    for (int place = 0; !m_keptNodes.isEmpty() && place < m_model->rowCount(); ++place)
        if (m_keptNodes.contains(m_model->row(place).name))
            selection.select(m_model->index(place, 0),
                             m_model->index(place, ClusterNodesModel::kColumns - 1));
    if (const int place = m_keptCurrent.isEmpty() ? -1 : m_model->placeOf(m_keptCurrent); place >= 0)
        m_table->selectionModel()->setCurrentIndex(m_model->index(place, 0), QItemSelectionModel::NoUpdate);
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_table->verticalScrollBar()->setValue(m_keptScroll);
    if (currentNode() != m_keptCurrent)
        Q_EMIT currentChanged(currentNode());
}

bool ClusterNodesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            activate(m_table->currentIndex());
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(selectedNodes().join(u'\n'));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ClusterNodesPanel::activate(const QModelIndex& index) {
    if (!index.isValid())
        return;
    if (const NodeCheck* check = m_model->check(m_model->row(index.row()).name);
        check && !check->jobId.isEmpty())
        Q_EMIT runWanted(check->jobId);
}

void ClusterNodesPanel::showMenu(const QPoint& position) {
    const QStringList nodes = selectedNodes();
    const QModelIndex index = m_table->indexAt(position);
    if (nodes.isEmpty() || !index.isValid())
        return;
    const NodeRow& row = m_model->row(index.row());
    const NodeCheck* check = m_model->check(row.name);
    QMenu menu(this);
    menu.setObjectName(u"clusterNodeMenu"_s);
    menu.addAction(nodes.size() == 1 ? tr("Check %1…").arg(nodes.front())
                                     : tr("Check %1 nodes…").arg(nodes.size()),
                   this, &ClusterNodesPanel::checkWanted);
    QAction* open = menu.addAction(tr("Open its newest run"), this, [this, index] { activate(index); });
    open->setEnabled(check && !check->jobId.isEmpty());
    menu.addSeparator();
    menu.addAction(nodes.size() == 1 ? tr("Copy the node's name") : tr("Copy the nodes' names"), this,
                   [nodes] { QApplication::clipboard()->setText(nodes.join(u'\n')); });
    QAction* reason = menu.addAction(tr("Copy its reason"), this,
                                     [text = reasonText(row)] { QApplication::clipboard()->setText(text); });
    reason->setEnabled(!row.reason.isEmpty());
    menu.exec(m_table->viewport()->mapToGlobal(position));
}

} // namespace ddp::ui
