// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "ui/models/check_plan.h"
#include "ui/session/palette.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace ddp::ui {

class FactTable;
class LogText;

/// What checking some nodes would submit, down to the script; nothing is submitted before it is accepted.
class CheckNodesDialog final : public QDialog {
    Q_OBJECT

public:
    CheckNodesDialog(const remote::Cluster& cluster, std::vector<NodeRow> nodes, const CheckChoice& choice,
                     const Palette& palette, QWidget* parent);

    const CheckChoice& choice() const { return m_choice; }
    std::vector<remote::JobRequest> requests() const { return checkRequests(m_nodes, m_choice); }

private:
    QWidget* buildChoices();
    void buildTimes();
    QWidget* buildNodes();
    QWidget* buildScript();
    template <class Value>
    void addChoices(QComboBox& box, const std::vector<std::pair<QString, Value>>& choices, Value chosen);
    void takeChoice();
    void takeMode();
    void refresh();
    void showScript();

    remote::Cluster m_cluster;
    std::vector<NodeRow> m_nodes;
    CheckChoice m_choice;
    const Palette& m_palette;
    QComboBox* m_mode;
    QLabel* m_modeNote;
    QComboBox* m_loading;
    QSpinBox* m_timeLimit;
    QSpinBox* m_deadline;
    QCheckBox* m_also;
    RowsModel<CheckNodeRow>* m_rows;
    FactTable* m_table;
    QLabel* m_summary;
    QLabel* m_setup;
    QLabel* m_scriptTitle;
    LogText* m_script;
    QPushButton* m_submit = nullptr;
};

} // namespace ddp::ui
