// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/opened_run.h"
#include "ui/session/view_history.h"

#include <QApplication>

#include <functional>
#include <map>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What tries keys in a window with a generated run.
class KeyChecks {
public:
    explicit KeyChecks(test::OpenedRun& run) : m_run(&run) {}

protected:
    TimelineCanvas& canvas() { return *m_run->canvas; }
    ViewState& view() { return *m_run->view; }
    TimeRange visible() const { return m_run->visible(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { m_run->key(key, modifiers); }
    template <class T>
    T* child(const char* name) {
        return m_run->harness->child<T>(name);
    }
    bool focusIsIn(const char* name) {
        const QWidget* focus = QApplication::focusWidget();
        return focus && child<QWidget>(name)->isAncestorOf(focus);
    }
    static void pause() { QTest::qWait(ViewHistory::kBurstMs + 100); }

    test::OpenedRun* m_run;
};

/// Those of the timeline.
class TimelineKeyChecks final : public KeyChecks {
public:
    using KeyChecks::KeyChecks;

    /// By what the help calls the keys.
    std::map<QString, std::function<void()>> checks() {
        return {
            {u"W, S or wheel"_s, [this] { zoomKeys(); }},
            {u"A, D or Shift+wheel"_s, [this] { panKeys(); }},
            {u"drag"_s, [this] { dragMoves(); }},
            {u"Up, Down, PgUp, PgDn"_s, [this] { scrollKeys(); }},
            {u"F"_s, [this] { fitKey(); }},
            {u"click"_s, [this] { clicks(); }},
            {u", and ."_s, [this] { neighbourKeys(); }},
            {u"drag on the ruler"_s, [this] { rulerDrag(); }},
            {u"Shift+drag"_s, [this] { shiftDrag(); }},
            {u"Z or double click"_s, [this] { zoomToMarked(); }},
            {u"Esc"_s, [this] { escapeKey(); }},
            {u"M"_s, [this] { bookmarkKeys(); }},
            {u"[ and ]"_s, [this] { bookmarkKeys(); }},
            {u"Backspace"_s, [this] { backspace(); }},
            {u"Alt+Left, Alt+Right"_s, [this] { altLeft(); }},
        };
    }

private:
    void zoomKeys() {
        const auto before = visible();
        key(Qt::Key_W);
        QVERIFY(visible().length() < before.length());
        key(Qt::Key_S);
        QCOMPARE(visible(), before);
        test::OpenedRun::wheel(canvas(), m_run->at(50, 60), 1, Qt::NoModifier);
        QVERIFY(visible().length() < before.length());
    }
    void panKeys() {
        view().setVisible(m_run->part(40, 60));
        const auto before = visible();
        key(Qt::Key_D);
        QVERIFY(visible().begin > before.begin && visible().length() == before.length());
        key(Qt::Key_A);
        QCOMPARE(visible(), before);
        test::OpenedRun::wheel(canvas(), m_run->at(50, 60), 1, Qt::ShiftModifier);
        QVERIFY(visible().begin < before.begin && visible().length() == before.length());
    }
    void dragMoves() {
        view().setVisible(m_run->part(40, 60));
        const auto before = visible();
        test::OpenedRun::drag(canvas(), m_run->at(50, 60), m_run->at(30, 60));
        QVERIFY(visible().begin > before.begin);
        QCOMPARE(visible().length(), before.length());
        QVERIFY(!view().range());
    }
    void scrollKeys() {
        QVERIFY(canvas().scrollRange() > 0);
        canvas().setScroll(0);
        key(Qt::Key_Down);
        const int one = canvas().scroll();
        QVERIFY(one > 0);
        key(Qt::Key_Up);
        QCOMPARE(canvas().scroll(), 0);
        key(Qt::Key_PageDown);
        QVERIFY(canvas().scroll() >= one);
        key(Qt::Key_PageUp);
        QCOMPARE(canvas().scroll(), 0);
    }
    void fitKey() {
        view().setVisible(m_run->part(40, 60));
        key(Qt::Key_F);
        QCOMPARE(visible(), view().extent());
    }
    void clicks() {
        const auto [slice, place] = m_run->largeSlice();
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, place);
        QVERIFY(view().selection() == slice);
        const std::size_t rows = canvas().scene().layout.rows().size();
        const QPoint header(40, canvas().scene().rowsTop() + 10);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, header);
        QVERIFY(canvas().scene().layout.rows().size() < rows);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, header);
        QCOMPARE(canvas().scene().layout.rows().size(), rows);
    }
    void neighbourKeys() {
        const SliceRef slice{m_run->run->store()->ranks()[0].locations[0], 0, 3};
        QVERIFY(m_run->run->store()->lanes(slice.location)[0].size() > 5);
        view().select(slice);
        key(Qt::Key_Period);
        QCOMPARE(view().selection()->row, std::size_t(4));
        key(Qt::Key_Comma);
        QVERIFY(view().selection() == slice);
    }
    void rulerDrag() {
        const auto before = visible();
        test::OpenedRun::drag(canvas(), m_run->at(20, -8), m_run->at(40, -8));
        QVERIFY(view().range());
        QCOMPARE(visible(), before);
        const auto length = double(view().range()->length().count) / double(before.length().count);
        QVERIFY(std::abs(length - 0.2) < 0.01);
    }
    void shiftDrag() {
        test::OpenedRun::drag(canvas(), m_run->at(20, 60), m_run->at(40, 90), Qt::ShiftModifier);
        QVERIFY(view().range());
        QCOMPARE(visible(), view().extent());
    }
    void zoomToMarked() {
        const auto [slice, place] = m_run->largeSlice();
        view().select(slice);
        key(Qt::Key_Z);
        const TimeRange range = sliceRange(*m_run->run->store(), slice);
        QVERIFY(visible().begin <= range.begin && visible().end >= range.end);
        QVERIFY(visible().length().count < 2 * range.length().count + ViewState::kShortest.count);
        view().fit();
        QTest::mouseDClick(&canvas(), Qt::LeftButton, Qt::NoModifier, place);
        QVERIFY(visible().length().count < 2 * range.length().count + ViewState::kShortest.count);
        view().fit();
        view().setRange(m_run->part(30, 50));
        key(Qt::Key_Z);
        QCOMPARE(visible(), m_run->part(30, 50));
        view().fit();
        QTest::mouseDClick(&canvas(), Qt::LeftButton, Qt::NoModifier, m_run->at(40, 90));
        QCOMPARE(visible(), m_run->part(30, 50));
    }
    void escapeKey() {
        view().select(SliceRef{m_run->run->store()->ranks()[0].locations[0], 0, 3});
        view().setRange(m_run->part(30, 50));
        key(Qt::Key_Escape);
        QVERIFY(!view().selection() && !view().range());
    }
    void bookmarkKeys() {
        const auto& bookmarks = canvas().scene().marks.bookmarks;
        const std::size_t before = bookmarks.size();
        view().setVisible(m_run->part(20, 30));
        key(Qt::Key_M);
        view().setVisible(m_run->part(60, 70));
        key(Qt::Key_M);
        QCOMPARE(bookmarks.size(), before + 2);
        view().setVisible(m_run->part(45, 55));
        key(Qt::Key_BracketLeft);
        QCOMPARE(visible(), m_run->part(20, 30));
        key(Qt::Key_BracketRight);
        QCOMPARE(visible(), m_run->part(60, 70));
    }
    void backspace() { goesBack(Qt::Key_Backspace, Qt::NoModifier); }
    void altLeft() {
        goesBack(Qt::Key_Left, Qt::AltModifier);
        key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(visible(), m_run->part(40, 60));
    }
    void goesBack(Qt::Key back, Qt::KeyboardModifiers modifiers) {
        pause();
        const auto before = visible();
        view().setVisible(m_run->part(40, 60));
        pause();
        key(back, modifiers);
        QCOMPARE(visible(), before);
    }
};

} // namespace ddp::ui
