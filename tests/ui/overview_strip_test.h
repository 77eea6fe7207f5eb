// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/opened_run.h"
#include "ui/timeline/overview_strip.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The strip with the whole run above the timeline, in the real window.
class OverviewStripTest final : public QObject, private test::UsesOpenedRun {
    Q_OBJECT

    OverviewStrip& strip() { return *child<OverviewStrip>("overviewStrip"); }
    /// A time may be off by what two pixels of the strip last.
    bool near(Nanoseconds a, Nanoseconds b) {
        return std::abs((a - b).count) <= 2 * view().extent().length().count / strip().area().width() + 1;
    }
    QPoint inStrip(int percent) {
        const QRect area = strip().area();
        return {area.left() + area.width() * percent / 100, area.center().y()};
    }

private Q_SLOTS:
    void init() { m_run = std::make_unique<test::OpenedRun>(); }
    void cleanup() { m_run.reset(); }

    void theFrameOfTheOverviewCanBeDragged() {
        const QRect area = strip().area();
        QCOMPARE(area.left(), canvas().mapTo(&m_run->harness->window(), QPoint()).x() +
                                  canvas().scene().headerWidth -
                                  strip().mapTo(&m_run->harness->window(), QPoint()).x());
        QCOMPARE(area.width(), canvas().scene().viewport.width);
        QCOMPARE(strip().frame(), area);

        test::OpenedRun::drag(strip(), inStrip(20), inStrip(60)); // of the whole run: a new window
        QVERIFY(near(view().visible().begin, percent(20)) && near(view().visible().end, percent(60)));
        const QRect frame = strip().frame();
        test::OpenedRun::drag(strip(), {frame.left(), area.center().y()}, inStrip(30));
        QVERIFY(near(view().visible().begin, percent(30)) && near(view().visible().end, percent(60)));
        test::OpenedRun::drag(strip(), {frame.right(), area.center().y()}, inStrip(50));
        QVERIFY(near(view().visible().begin, percent(30)) && near(view().visible().end, percent(50)));
        const Nanoseconds length = view().visible().length();
        test::OpenedRun::drag(strip(), inStrip(40), inStrip(70));
        QVERIFY(near(view().visible().begin, percent(60)));
        QCOMPARE(view().visible().length(), length);
        test::OpenedRun::drag(strip(), inStrip(5), inStrip(15)); // beside it
        QVERIFY(near(view().visible().begin, percent(5)) && near(view().visible().end, percent(15)));
        QTest::mouseClick(&strip(), Qt::LeftButton, {}, inStrip(90));
        QVERIFY(near(view().visible().begin, percent(85)));
        QTest::mouseDClick(&strip(), Qt::LeftButton, {}, inStrip(50));
        QCOMPARE(view().visible(), view().extent());
    }

    void theOverviewHasKeysAndAName() {
        QVERIFY(!strip().accessibleName().isEmpty());
        QVERIFY(strip().focusPolicy() & Qt::TabFocus);
        strip().setFocus();
        view().setVisible(m_run->part(40, 50));
        QTest::keyClick(&strip(), Qt::Key_Right);
        QVERIFY(view().visible().begin > percent(40));
        QTest::keyClick(&strip(), Qt::Key_Left);
        QCOMPARE(view().visible(), m_run->part(40, 50));
        QTest::keyClick(&strip(), Qt::Key_Home);
        QCOMPARE(view().visible(), view().extent());
    }

    void theOverviewIsPaintedAsTheDevicesAreAndOnce() {
        const auto& parts = strip().columns().parts;
        QCOMPARE(static_cast<int>(parts.size()), strip().area().width());
        const QImage image = strip().grab().toImage();
        const Palette colors(ThemeMode::Light);
        int checked = 0;
        for (std::size_t column = 0; column < parts.size(); column += 3) {
            // Below what is stacked from the top, all is idle.
            double busy = 0;
            for (std::size_t part = 0; part + 1 < kStackedParts.size(); ++part)
                busy += parts[column][part];
            const int y = static_cast<int>(busy * strip().area().height()) + 2;
            if (y >= strip().area().height() - 1 || column < 6 || column + 6 > parts.size())
                continue;
            const QPoint at = strip().area().topLeft() + QPoint(static_cast<int>(column), y);
            QCOMPARE(image.pixelColor(at), colors.activityColor(ActivityPart::Idle));
            if (busy > 0.2)
                QVERIFY(image.pixelColor(at.x(), strip().area().top() + 3) !=
                        colors.activityColor(ActivityPart::Idle));
            ++checked;
        }
        QVERIFY(checked > 20);
        const auto* before = parts.data();
        view().setVisible(m_run->part(10, 20));
        m_run->settle();
        QCOMPARE(strip().columns().parts.data(), before); // nothing was asked again
    }
};

} // namespace ddp::ui
