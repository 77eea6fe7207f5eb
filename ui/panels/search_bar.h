// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/slice_search.h"
#include "ui/session/trace_session.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QToolButton;

namespace ddp::ui {

/// Finds slices by the name of their region: how many there are, the next and the previous one. They are
/// counted in a task; only the newest text counts.
class SearchBar final : public QWidget {
    Q_OBJECT

public:
    SearchBar(const TraceSession& session, ViewState& view, TaskRunner& runner, QWidget* parent = nullptr);

    /// Shows the bar with the last text, all of it selected.
    void open();
    void openWith(const QString& text);
    void goOn(bool forward); ///< to the next hit or the one before; opens the bar when it is closed
    /// Forgets the hits too.
    void shut();

Q_SIGNALS:
    void found(std::shared_ptr<const ddp::ui::SliceSearch> search); ///< null: nothing is looked for
    void hitReached(const ddp::ui::SliceRef& slice);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Wish { None, Next, Previous };

    QToolButton* addButton(const QString& name, Qt::ArrowType arrow, const QString& tip);
    void start();
    void take(std::shared_ptr<const SliceSearch> search);
    void say();

    const TraceSession& m_session;
    ViewState& m_view;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    QTimer m_pause; // while one types
    QLineEdit* m_text;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    Wish m_wish = Wish::None; // to be done when the hits are counted
    QString m_note;
    std::shared_ptr<const SliceSearch> m_search;
};

} // namespace ddp::ui
