// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/cluster_nodes_model.h"
#include "ui/session/cluster_session.h"
#include "ui/session/palette.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

class ElidedLabel;

/// The nodes of the chosen cluster: filter, partition and state to choose by, the table, and what the checks
/// found. Several nodes can be selected, to be checked together.
class ClusterNodesPanel final : public QWidget {
    Q_OBJECT

public:
    ClusterNodesPanel(ClusterSession& session, const Palette& palette, QWidget* parent = nullptr);

    ClusterNodesModel& model() const { return *m_model; }
    QTableView& table() const { return *m_table; }
    QStringList selectedNodes() const; ///< in the order in which they are shown
    QString currentNode() const;       ///< empty: none
    void focusFilter();

Q_SIGNALS:
    void currentChanged(const QString& node);
    void checkWanted();                   ///< of the selected nodes
    void runWanted(const QString& jobId); ///< show that job's run

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTable();
    QWidget* buildFilters();
    QWidget* buildEmpty();
    void connectParts();
    void takeCluster();
    void takeNodes();
    void growColumns();
    void fillPartitions();
    void setFilter();
    void showState();
    QString emptyText() const;
    void showCounts();
    void keepSelection();
    void restoreSelection();
    void showMenu(const QPoint& position);
    void activate(const QModelIndex& index);

    ClusterSession& m_session;
    const Palette& m_palette;
    ClusterNodesModel* m_model;
    QLineEdit* m_filter;
    QComboBox* m_partition;
    QComboBox* m_use;
    QTableView* m_table;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QPushButton* m_connect;
    ElidedLabel* m_note;
    ElidedLabel* m_counts;
    QTimer m_clock;
    bool m_growing = false;
    bool m_widthsChosen = false;
    // While the rows are made anew.
    QSet<QString> m_keptNodes;
    QString m_keptCurrent;
    int m_keptScroll = 0;
};

} // namespace ddp::ui
