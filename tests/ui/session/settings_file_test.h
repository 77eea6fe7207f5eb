// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temp_folder.h"
#include "ui/session/settings.h"

#include <QTest>

#include <sys/stat.h>

namespace ddp::ui {

class SettingsFileTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreKept() {
        const test::TempFolder folder;
        const QString file = QString::fromStdString((folder.path() / "settings.ini").string());
        Settings settings;
        settings.remember(QStringLiteral("/traces/a"));
        settings.keepTraces = false;
        settings.save(file);
        const Settings again = Settings::load(file);
        QCOMPARE(again.recentPaths, settings.recentPaths);
        QVERIFY(!again.keepTraces);
    }

    void whatIsNoFileIsNotReplaced() {
        const test::TempFolder folder;
        const std::string pipe = (folder.path() / "null").string(); // stands for /dev/null
        QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
        Settings().save(QString::fromStdString(pipe));
        struct stat now {};
        QCOMPARE(lstat(pipe.c_str(), &now), 0);
        QVERIFY(S_ISFIFO(now.st_mode));
    }
};

} // namespace ddp::ui
