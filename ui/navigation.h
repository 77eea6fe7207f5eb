// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/command_model.h"
#include "ui/session/analysis_session.h"
#include "ui/session/bookmarks.h"
#include "ui/session/palette.h"
#include "ui/session/slice_search.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_history.h"

#include <QKeySequence>
#include <QMainWindow>

#include <memory>
#include <optional>
#include <vector>

class QAction;
class QMenu;
class QTabWidget;

namespace ddp::ui {

class BookmarksDialog;
class CommandPalette;
class GoToDialog;
class OverviewStrip;
class SearchBar;
class TimelineView;

/// The ways through a run: back and forward, overview, ranges, times and steps, bookmarks, search, and
/// commands by name. Puts their widgets into the window and their actions into a menu of it.
class Navigation final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        const TraceSession& session;
        ViewState& view;
        const AnalysisSession& analysis;
        TaskRunner& runner;
        const Palette& palette;
        TimelineView& timeline;
        QTabWidget& details;
        QMainWindow& window;
        QString settingsFile;
    };
    explicit Navigation(const Parts& parts);
    ~Navigation() override;

    /// To a time or a step, as parseGoTo() reads them; fails with a sentence.
    Result<void> goTo(const QString& text);
    QAction& paletteAction() const { return *m_paletteAction; }

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void buildWidgets();
    void buildMenu();
    void buildBookmarkMenu(QMenu& menu);
    void buildSearchMenu(QMenu& menu);
    template <class Work>
    QAction* add(QMenu& menu, const char* name, const QString& text, const QString& tip,
                 const QList<QKeySequence>& keys, Work work);
    void onlyInTimeline(QAction& action);
    void connectParts();
    void takeStore();
    void followState();

    void goToTime(Nanoseconds time);
    std::optional<TimeRange> stepRange(std::uint32_t step) const;
    Result<void> goToStep(std::uint32_t step);
    void goToBookmark(std::size_t place);
    void goToNextBookmark(bool forward);
    void setBookmark(Nanoseconds time);
    void showBookmarks();
    void extendMenu(QMenu& menu, const QPoint& position, Nanoseconds time);

    void openPalette();
    std::vector<Command> placeCommands(const QString& query);
    std::vector<Command> regionCommands(const QString& query);

    Parts m_parts;
    ViewHistory m_history;
    Bookmarks m_bookmarks;
    std::optional<std::size_t> m_bookmark; // the one that was gone to, while the window stays there
    bool m_going = false;
    std::unique_ptr<GoToDialog> m_goTo;
    std::unique_ptr<BookmarksDialog> m_list;
    std::unique_ptr<CommandPalette> m_palette;
    OverviewStrip* m_overview = nullptr;
    SearchBar* m_search = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_zoomToRange = nullptr;
    QAction* m_paletteAction = nullptr;
    std::vector<QAction*> m_needRun; // of no use without a trace
};

} // namespace ddp::ui
