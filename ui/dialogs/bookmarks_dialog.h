// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/bookmarks.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace ddp::ui {

/// The bookmarks of the run: names can be changed in place, a double click or Enter goes to one.
class BookmarksDialog final : public QDialog {
    Q_OBJECT

public:
    BookmarksDialog(Bookmarks& bookmarks, QWidget* parent);
    void open() override;
    /// Opens with the name of one ready to be changed.
    void rename(std::size_t place);

Q_SIGNALS:
    void goWanted(std::size_t place);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    QTableWidgetItem& cell(int row, int column);
    void followSelection();
    int current() const;
    void go();
    void remove();

    Bookmarks& m_bookmarks;
    QTableWidget* m_table;
    QLabel* m_empty;
    QPushButton *m_go, *m_rename, *m_remove;
};

} // namespace ddp::ui
