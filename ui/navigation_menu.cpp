// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of Navigation.
#include "ui/navigation.h"

#include "ui/dialogs/bookmarks_dialog.h"
#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/go_to_dialog.h"
#include "ui/panels/search_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QMenu>
#include <QMenuBar>

namespace ddp::ui {

using namespace Qt::StringLiterals;

template <class Work>
QAction* Navigation::add(QMenu& menu, const char* name, const QString& text, const QString& tip,
                         const QList<QKeySequence>& keys, Work work) {
    QAction* action = menu.addAction(text, this, work);
    action->setObjectName(QString::fromLatin1(name));
    action->setToolTip(tip);
    action->setShortcuts(keys);
    return action;
}

/// Plain letters are keys of the timeline alone: elsewhere one types them.
void Navigation::onlyInTimeline(QAction& action) {
    action.setShortcutContext(Qt::WidgetShortcut);
    m_parts.timeline.canvas().addAction(&action);
}

void Navigation::buildMenu() {
    QMenu* menu = m_parts.window.menuBar()->addMenu(tr("&Navigate"));
    menu->setObjectName(u"navigateMenu"_s);
    menu->setToolTipsVisible(true);
    m_back = add(*menu, "goBack", tr("&Back"), tr("Shows the window that was visible before."),
                 {QKeySequence(u"Alt+Left"_s)}, [this] { m_history.back(); });
    m_forward = add(*menu, "goForward", tr("&Forward"), tr("Shows the window that was left by going back."),
                    {QKeySequence(u"Alt+Right"_s)}, [this] { m_history.forward(); });
    auto* backspace = new QAction(tr("Back"), &m_parts.timeline.canvas());
    backspace->setShortcut(QKeySequence(u"Backspace"_s));
    connect(backspace, &QAction::triggered, this, [this] { m_history.back(); });
    onlyInTimeline(*backspace);
    menu->addSeparator();
    m_needRun.push_back(add(*menu, "goToTime", tr("&Go to time or step…"),
                            tr("Goes to a time such as 1.25 s, or to a step such as step 12."),
                            {QKeySequence(u"Ctrl+G"_s)}, [this] { m_goTo->ask(); }));
    m_zoomToRange = add(*menu, "zoomToRange", tr("&Zoom to the marked range\tZ"),
                        tr("Zooms to the range that was marked by a drag on the ruler."), {},
                        [this] { m_parts.timeline.canvas().zoomToRange(); });
    menu->addSeparator();
    buildSearchMenu(*menu);
    menu->addSeparator();
    buildBookmarkMenu(*menu);
    menu->addSeparator();
    m_paletteAction =
        add(*menu, "commandPalette", tr("&Command palette…"), tr("Finds everything by its name (Ctrl+K)."),
            {QKeySequence(u"Ctrl+K"_s), QKeySequence(u"Ctrl+Shift+P"_s)}, [this] { openPalette(); });
    m_paletteAction->setIconText(tr("Commands"));
}

void Navigation::buildSearchMenu(QMenu& menu) {
    m_needRun.push_back(add(menu, "findSlices", tr("Fi&nd…"), tr("Finds slices by the name of their region."),
                            {QKeySequence(u"Ctrl+F"_s)}, [this] { m_search->open(); }));
    m_needRun.push_back(add(menu, "findNext", tr("Find ne&xt"), tr("Goes to the next hit of the search."),
                            {QKeySequence(u"F3"_s)}, [this] { m_search->goOn(true); }));
    m_needRun.push_back(add(menu, "findPrevious", tr("Find &previous"),
                            tr("Goes to the hit of the search before this one."),
                            {QKeySequence(u"Shift+F3"_s)}, [this] { m_search->goOn(false); }));
}

void Navigation::buildBookmarkMenu(QMenu& menu) {
    QAction* set = add(menu, "setBookmark", tr("&Set a bookmark"),
                       tr("Marks the time at the mouse, or the middle of the window."),
                       {QKeySequence(u"M"_s)}, [this] { setBookmark(m_parts.timeline.canvas().anchor()); });
    QAction* previous =
        add(menu, "previousBookmark", tr("P&revious bookmark"), tr("Goes to the bookmark before this place."),
            {QKeySequence(u"["_s)}, [this] { goToNextBookmark(false); });
    QAction* next =
        add(menu, "nextBookmark", tr("Next b&ookmark"), tr("Goes to the bookmark after this place."),
            {QKeySequence(u"]"_s)}, [this] { goToNextBookmark(true); });
    for (QAction* action : {set, previous, next}) {
        onlyInTimeline(*action);
        m_needRun.push_back(action);
    }
    m_needRun.push_back(add(menu, "listBookmarks", tr("Book&marks…"),
                            tr("Lists the bookmarks of this run, to go to, rename or delete them."),
                            {QKeySequence(u"Ctrl+M"_s)}, [this] { m_list->open(); }));
}

} // namespace ddp::ui
