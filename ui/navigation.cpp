// SPDX-License-Identifier: GPL-3.0-or-later
// What Navigation does; its menu is in navigation_menu.cpp.
#include "ui/navigation.h"

#include "ui/dialogs/bookmarks_dialog.h"
#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/go_to_dialog.h"
#include "ui/panels/range_panel.h"
#include "ui/panels/search_bar.h"
#include "ui/session/go_to_target.h"
#include "ui/session/time_text.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QMenu>
#include <QMenuBar>
#include <QTabWidget>

#include <algorithm>
#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kAroundTime = 20; // of the whole run, this part is shown around a time that was asked for
constexpr int kAroundStep = 20; // and this part of a step at each side of it
constexpr std::size_t kMostRegions = 40;
constexpr qsizetype kLeastQuery = 2;

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

Navigation::Navigation(const Parts& parts)
    : m_parts(parts), m_history(parts.view), m_bookmarks(Bookmarks::folderBeside(parts.settingsFile)) {
    buildWidgets();
    buildMenu();
    connectParts();
    takeStore();
}

Navigation::~Navigation() = default;

void Navigation::buildWidgets() {
    m_overview = new OverviewStrip({m_parts.session, m_parts.view, m_parts.analysis, m_parts.runner,
                                    m_parts.palette, m_parts.timeline.canvas()});
    m_search = new SearchBar(m_parts.session, m_parts.view, m_parts.runner);
    m_parts.timeline.placeAbove(m_overview);
    m_parts.timeline.placeBelow(m_search);
    auto* range = new RangePanel({m_parts.analysis, m_parts.view, m_parts.runner, m_parts.palette});
    m_parts.details.addTab(range, tr("Range"));
    connect(range, &RangePanel::zoomWanted, &m_parts.timeline.canvas(), &TimelineCanvas::zoomToRange);
    connect(&m_parts.view, &ViewState::rangeChanged, range, [this, range] {
        if (m_parts.view.range())
            m_parts.details.setCurrentWidget(range);
    });
    m_goTo =
        std::make_unique<GoToDialog>([this](const QString& text) { return goTo(text); }, &m_parts.window);
    m_list = std::make_unique<BookmarksDialog>(m_bookmarks, &m_parts.window);
    m_palette = std::make_unique<CommandPalette>(m_parts.palette, &m_parts.window);
}

void Navigation::connectParts() {
    TimelineCanvas* canvas = &m_parts.timeline.canvas();
    connect(&m_parts.session, &TraceSession::changed, this, &Navigation::takeStore);
    connect(&m_history, &ViewHistory::changed, this, &Navigation::followState);
    connect(&m_parts.view, &ViewState::rangeChanged, this, &Navigation::followState);
    connect(&m_parts.view, &ViewState::visibleChanged, this, [this] {
        if (!m_going && m_bookmark) {
            m_bookmark.reset();
            showBookmarks();
        }
    });
    connect(&m_bookmarks, &Bookmarks::changed, this, [this] {
        m_bookmark.reset();
        showBookmarks();
    });
    connect(&m_bookmarks, &Bookmarks::failed, this, &Navigation::failed);
    connect(m_list.get(), &BookmarksDialog::goWanted, this, &Navigation::goToBookmark);
    connect(canvas, &TimelineCanvas::bookmarkClicked, this, [this](std::size_t place) {
        m_bookmark = place; // it is in sight already
        showBookmarks();
    });
    connect(
        canvas, &TimelineCanvas::menuOpening, this,
        [this](QMenu* menu, const QPoint& position, Nanoseconds time) { extendMenu(*menu, position, time); });
    connect(m_search, &SearchBar::found, canvas, &TimelineCanvas::setSearch);
    connect(m_search, &SearchBar::found, m_overview, &OverviewStrip::setSearch);
    connect(m_search, &SearchBar::hitReached, canvas, &TimelineCanvas::showSlice);
    connect(m_search, &SearchBar::closed, canvas, [canvas] { canvas->setFocus(); });
}

void Navigation::takeStore() {
    const bool open = m_parts.session.store() != nullptr;
    for (QAction* action : m_needRun)
        action->setEnabled(open);
    m_bookmarks.open(open ? Bookmarks::keyOf(m_parts.session.paths()) : QString());
    followState();
}

void Navigation::followState() {
    m_back->setEnabled(m_history.canGoBack());
    m_forward->setEnabled(m_history.canGoForward());
    m_zoomToRange->setEnabled(m_parts.view.range().has_value());
}

Result<void> Navigation::goTo(const QString& text) {
    if (!m_parts.session.store())
        return fail(ErrorCode::Usage, m_parts.analysis.reason().toStdString());
    auto target = parseGoTo(text, m_parts.view.extent());
    if (!target)
        return forward(target);
    if (target->step)
        return goToStep(*target->step);
    goToTime(*target->time);
    return {};
}

/// Keeps the zoom, unless that shows so much that a point in time is not found again.
void Navigation::goToTime(Nanoseconds time) {
    const std::int64_t whole = m_parts.view.extent().length().count;
    const std::int64_t now = m_parts.view.visible().length().count;
    const Nanoseconds length(now > whole / 2 ? whole / kAroundTime : now);
    const Nanoseconds begin(time.count - length.count / 2);
    m_parts.view.setVisible({begin, begin + length});
    m_parts.timeline.canvas().pointAt(time);
}

/// Of the first rank that has it.
std::optional<TimeRange> Navigation::stepRange(std::uint32_t step) const {
    if (!m_parts.analysis.run())
        return std::nullopt;
    for (const auto& steps : m_parts.analysis.run()->steps().ranks) {
        const auto found = std::ranges::find(steps, step, &Step::number);
        if (found != steps.end())
            return found->range;
    }
    return std::nullopt;
}

Result<void> Navigation::goToStep(std::uint32_t step) {
    if (!m_parts.analysis.run())
        return fail(ErrorCode::Usage, m_parts.analysis.reason().toStdString());
    const auto range = stepRange(step);
    if (!range) {
        const RunSteps& steps = m_parts.analysis.run()->steps();
        const QString sentence =
            steps.rule == StepRule::None
                ? tr("Nothing marks the steps of this run, so there is no step to go to.")
                : tr("This run has no step %1; the Steps dock lists those it has.").arg(step);
        return fail(ErrorCode::Usage, sentence.toStdString());
    }
    const Nanoseconds margin(range->length().count / kAroundStep);
    m_parts.view.setVisible({range->begin - margin, range->end + margin});
    return {};
}

void Navigation::setBookmark(Nanoseconds time) {
    const TimeRange extent = m_parts.view.extent();
    m_bookmarks.add(std::clamp(time, extent.begin, extent.end));
}

void Navigation::goToBookmark(std::size_t place) {
    const Nanoseconds time = m_bookmarks.all()[place].time;
    const Nanoseconds length = m_parts.view.visible().length();
    const Nanoseconds begin(time.count - length.count / 2);
    m_going = true;
    m_parts.view.setVisible({begin, begin + length});
    m_going = false;
    m_bookmark = place;
    showBookmarks();
}

/// From the one that was gone to, else from the middle of the window.
void Navigation::goToNextBookmark(bool forward) {
    const TimeRange window = m_parts.view.visible();
    const Nanoseconds middle(window.begin.count + window.length().count / 2);
    std::optional<std::size_t> next;
    if (m_bookmark)
        next = forward ? *m_bookmark + 1 : *m_bookmark - 1;
    else
        next = forward ? m_bookmarks.after(middle) : m_bookmarks.before(middle);
    if (next && *next < m_bookmarks.all().size()) // one before the first is a very large number
        goToBookmark(*next);
}

void Navigation::showBookmarks() {
    m_parts.timeline.canvas().setBookmarks(m_bookmarks.all(), m_bookmark);
}

void Navigation::extendMenu(QMenu& menu, const QPoint& position, Nanoseconds time) {
    const TimelineCanvas& canvas = m_parts.timeline.canvas();
    for (const BookmarkFlag& flag : bookmarkFlags(canvas.scene(), QFontMetrics(canvas.scene().font))) {
        if (!flag.rect.contains(position))
            continue;
        const std::size_t place = flag.place;
        const QString name = m_bookmarks.all()[place].name;
        menu.addAction(tr("Rename bookmark “%1”…").arg(name), this, [this, place] { m_list->rename(place); });
        menu.addAction(tr("Delete bookmark “%1”").arg(name), this,
                       [this, place] { m_bookmarks.remove(place); });
    }
    menu.addAction(tr("Set a bookmark here\tM"), this, [this, time] { setBookmark(time); });
    menu.addSeparator();
}

void Navigation::openPalette() {
    std::vector<Command> all = commandsOf(*m_parts.window.menuBar());
    std::vector<CommandGroup> groups;
    groups.push_back({tr("Go to"), [this](const QString& query) { return placeCommands(query); }});
    groups.push_back({tr("Commands"), [all](const QString& query) {
                          std::vector<Command> found;
                          std::ranges::copy_if(all, std::back_inserter(found), [&](const Command& command) {
                              return fitsQuery(command.text, query);
                          });
                          return found;
                      }});
    groups.push_back({tr("Find regions"), [this](const QString& query) { return regionCommands(query); }});
    m_palette->open(std::move(groups));
}

std::vector<Command> Navigation::placeCommands(const QString& query) {
    const auto target = parseGoTo(query, m_parts.view.extent());
    if (!target || !m_parts.session.store())
        return {};
    const auto go = [this, query] {
        if (const auto gone = goTo(query); !gone)
            Q_EMIT failed(QString::fromStdString(gone.error().message));
    };
    if (target->time)
        return {{tr("Go to %1").arg(pointText(*target->time)), {}, true, go}};
    const auto range = stepRange(*target->step);
    return {{tr("Go to step %1").arg(*target->step),
             range ? durationText(range->length()) : tr("no such step"), range.has_value(), go}};
}

std::vector<Command> Navigation::regionCommands(const QString& query) {
    const auto& store = m_parts.session.store();
    std::vector<Command> found;
    if (!store || query.size() < kLeastQuery)
        return found;
    std::set<std::string_view> names;
    for (std::size_t region = 0; region < store->regionCount() && found.size() < kMostRegions; ++region) {
        const std::string_view name = store->regionName(RegionId(region));
        const QString text = textOf(name);
        if (fitsQuery(text, query) && names.insert(name).second)
            found.push_back({text, tr("find"), true, [this, text] { m_search->openWith(text); }});
    }
    return found;
}

} // namespace ddp::ui
