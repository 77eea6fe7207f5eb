// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/rows_model.h"
#include "ui/session/analysis_session.h"
#include "ui/session/palette.h"
#include "ui/tasks/task_runner.h"

#include <QElapsedTimer>
#include <QWidget>

#include <optional>
#include <type_traits>
#include <utility>

class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;

namespace ddp::ui {

class ElidedLabel;

/// A table about the visible window, or another one, with a line above it that says which window its numbers
/// are of. It asks in a task, only while it is seen, and shows only the newest answer.
class WindowPanel : public QWidget {
    Q_OBJECT

public:
    struct Parts {
        const AnalysisSession& analysis;
        ViewState& view;
        TaskRunner& runner;
        const Palette& palette;
    };

    QTableView& table() const { return *m_table; }
    /// Whether the panel is in front; one that lies behind others does not ask.
    void setSeen(bool seen);

protected:
    /// `name` + "Table", "Window", "Note" and "Empty" are the names of what is in it.
    WindowPanel(const Parts& parts, const QString& name, const QString& title);

    const AnalysisSession& analysis() const { return m_parts.analysis; }
    ViewState& view() const { return m_parts.view; }
    const Palette& palette() const { return m_parts.palette; }
    QHBoxLayout& headLine() const { return *m_headLine; }

    /// Whether what ask() needs is there.
    virtual bool ready() const { return m_parts.analysis.run() != nullptr; }
    /// What to do when it is not.
    virtual QString missing() const { return m_parts.analysis.reason(); }
    virtual TimeRange window() const { return m_parts.view.visible(); }
    virtual QString heading(TimeRange window) const;
    /// Asks again, when it is seen; else as soon as it is.
    void refresh();
    virtual void ask() = 0;
    /// A row was clicked, or Enter was pressed on it.
    virtual void activate(int row) { static_cast<void>(row); }

    /// -1: no column has bars, or takes the room that the others leave.
    void setModel(QAbstractItemModel& model, int barColumn, int wideColumn);
    /// Long texts are shown whole, over several lines.
    void wrapRows();
    void sortBy(int column, Qt::SortOrder order);
    /// What the table holds is of this window. `empty` is shown in place of a table without rows.
    void say(TimeRange window, const QString& note, const QString& empty);

    /// `job`: Rows(const RunAnalysis&, TimeRange window, const std::stop_token&), in another thread.
    /// `take`: void(TimeRange, Rows), unless there is a newer question by then.
    template <class Job, class Take>
    void askRun(const QString& title, Job job, Take take) {
        const auto run = m_parts.analysis.run();
        const TimeRange window = this->window();
        using Rows = std::invoke_result_t<Job&, const RunAnalysis&, TimeRange, const std::stop_token&>;
        m_parts.runner.start(
            m_slot, title,
            [run, window, job](TaskContext& context) -> Result<Rows> {
                auto rows = job(*run, window, context.stop);
                if (context.stop.stop_requested())
                    return fail(ErrorCode::Cancelled, "The question is not asked any more.");
                return rows;
            },
            this,
            [window, take](Result<Rows> rows) {
                if (rows)
                    take(window, std::move(*rows));
            });
    }

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void takeClick(const QModelIndex& index);
    void buildTable(const QString& name, const QString& title);
    void growColumns();

    Parts m_parts;
    TaskSlot m_slot;
    std::optional<TimeRange> m_shown; // what the rows are of
    QElapsedTimer m_sinceClick;
    bool m_seen = false;
    bool m_stale = true;
    bool m_grown = false;
    int m_wideColumn = -1;
    QHBoxLayout* m_headLine;
    QLabel* m_window;
    ElidedLabel* m_note;
    QStackedWidget* m_pages;
    QTableView* m_table;
    QLabel* m_empty;
};

} // namespace ddp::ui
