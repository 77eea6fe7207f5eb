// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace ddp::ui {

/// A small table between other facts: as high as its rows, up to a limit, and its cells can be copied.
class FactTable final : public QTableView {
    Q_OBJECT

public:
    FactTable(const QString& name, const QString& title, QAbstractItemModel& model,
              QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }
    /// To be called when the rows have changed.
    void fit();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void copy() const;
};

} // namespace ddp::ui
