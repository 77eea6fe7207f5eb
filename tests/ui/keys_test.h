// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/key_checks.h"
#include "tests/ui/window_key_checks.h"

namespace ddp::ui {

/// Every key of the help does what the help says.
class KeysTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OpenedRun> m_run;
    std::map<QString, std::function<void()>> m_checks;
    std::unique_ptr<TimelineKeyChecks> m_timeline;
    std::unique_ptr<WindowKeyChecks> m_window;

private Q_SLOTS:
    void initTestCase() {
        m_run = std::make_unique<test::OpenedRun>();
        m_timeline = std::make_unique<TimelineKeyChecks>(*m_run);
        m_window = std::make_unique<WindowKeyChecks>(*m_run);
        m_checks = m_timeline->checks();
        m_checks.merge(m_window->checks());
    }
    void cleanupTestCase() { m_run.reset(); }
    void init() {
        m_run->harness->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_run->harness->window()));
        QCoreApplication::sendPostedEvents();
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_run->canvas, &leave); // the mouse of the test before is nowhere
        m_run->view->select(std::nullopt);
        m_run->view->setRange(std::nullopt);
        m_run->view->fit();
        m_run->canvas->setFocus();
        QTRY_COMPARE(QApplication::focusWidget(), m_run->canvas);
    }

    void everyKeyOfTheHelp_data() {
        QTest::addColumn<QString>("keys");
        for (const QString& keys : HelpOverlay::keys())
            QTest::newRow(qPrintable(keys)) << keys;
    }
    void everyKeyOfTheHelp() {
        QFETCH(QString, keys);
        const auto check = m_checks.find(keys);
        QVERIFY2(check != m_checks.end(), "The help explains these keys, and no check here tries them.");
        check->second();
    }

    void theHelpExplainsWhatIsChecked() {
        const QStringList explained = HelpOverlay::keys();
        for (const auto& check : m_checks)
            QVERIFY2(explained.contains(check.first), qPrintable(check.first));
    }
};

} // namespace ddp::ui
