// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace ddp::ui {

enum class ThemeMode { System, Light, Dark };
/// What the colours of slices stand for.
enum class ColorBy { Class, Region, Group };

/// What the program remembers between two starts. Plain values: read once, changed in the UI thread, saved
/// whole.
struct Settings {
    ThemeMode theme = ThemeMode::System;
    ColorBy colorBy = ColorBy::Class;
    QByteArray windowGeometry;
    QByteArray windowLayout;
    QStringList recentPaths; ///< newest first
    QString lastFolder;
    bool reopenLast = true;
    QStringList lastRun;    ///< the paths of the run that was open at the end
    bool keepTraces = true; ///< what was read of a trace stays in the cache folder, for the next time
    QString cluster;        ///< the name of the chosen one; empty: this machine
    bool showBands = true;  ///< behind the lanes of the timeline

    /// `file` empty: the user's own settings; tests name a file of their own.
    static Settings load(const QString& file);
    void save(const QString& file) const;

    void remember(const QString& path);
    /// A file that lies beside the settings.
    static QString besides(const QString& file, const QString& name);
};

} // namespace ddp::ui
