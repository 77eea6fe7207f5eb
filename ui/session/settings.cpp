// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings.h"

#include <QFileInfo>
#include <QSettings>

#include <memory>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostRecentPaths = 8;

std::unique_ptr<QSettings> openSettings(const QString& file) {
    if (file.isEmpty())
        return std::make_unique<QSettings>(u"ddpscope"_s, u"ddpscope"_s);
    return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

QString themeName(ThemeMode mode) {
    switch (mode) {
    case ThemeMode::Light:
        return u"light"_s;
    case ThemeMode::Dark:
        return u"dark"_s;
    case ThemeMode::System:
        break;
    }
    return u"system"_s;
}

QString colorByName(ColorBy by) {
    switch (by) {
    case ColorBy::Region:
        return u"region"_s;
    case ColorBy::Group:
        return u"group"_s;
    case ColorBy::Class:
        break;
    }
    return u"class"_s;
}

} // namespace

Settings Settings::load(const QString& file) {
    const auto store = openSettings(file);
    Settings settings;
    const QString theme = store->value(u"theme"_s).toString();
    settings.theme = theme == u"light"  ? ThemeMode::Light
                     : theme == u"dark" ? ThemeMode::Dark
                                        : ThemeMode::System;
    const QString colorBy = store->value(u"colorBy"_s).toString();
    settings.colorBy = colorBy == u"region"  ? ColorBy::Region
                       : colorBy == u"group" ? ColorBy::Group
                                             : ColorBy::Class;
    settings.windowGeometry = store->value(u"window/geometry"_s).toByteArray();
    settings.windowLayout = store->value(u"window/layout"_s).toByteArray();
    settings.recentPaths = store->value(u"recent"_s).toStringList().mid(0, kMostRecentPaths);
    settings.lastFolder = store->value(u"lastFolder"_s).toString();
    settings.reopenLast = store->value(u"reopenLast"_s, true).toBool();
    settings.lastRun = store->value(u"lastRun"_s).toStringList();
    settings.keepTraces = store->value(u"keepTraces"_s, true).toBool();
    settings.cluster = store->value(u"cluster"_s).toString();
    settings.showBands = store->value(u"timeline/bands"_s, true).toBool();
    return settings;
}

void Settings::save(const QString& file) const {
    // QSettings writes beside the file and renames that: a superuser would lose /dev/null.
    if (const QFileInfo target(file); !file.isEmpty() && target.exists() && !target.isFile())
        return;
    const auto store = openSettings(file);
    store->setValue(u"theme"_s, themeName(theme));
    store->setValue(u"colorBy"_s, colorByName(colorBy));
    store->setValue(u"window/geometry"_s, windowGeometry);
    store->setValue(u"window/layout"_s, windowLayout);
    store->setValue(u"recent"_s, recentPaths);
    store->setValue(u"lastFolder"_s, lastFolder);
    store->setValue(u"reopenLast"_s, reopenLast);
    store->setValue(u"lastRun"_s, lastRun);
    store->setValue(u"keepTraces"_s, keepTraces);
    store->setValue(u"cluster"_s, cluster);
    store->setValue(u"timeline/bands"_s, showBands);
}

QString Settings::besides(const QString& file, const QString& name) {
    return QFileInfo(openSettings(file)->fileName()).absolutePath() + u'/' + name;
}

void Settings::remember(const QString& path) {
    recentPaths.removeAll(path);
    recentPaths.prepend(path);
    recentPaths = recentPaths.mid(0, kMostRecentPaths);
}

} // namespace ddp::ui
