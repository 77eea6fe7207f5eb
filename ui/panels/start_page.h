// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QWidget>

#include <utility>

class QCommandLinkButton;
class QLabel;
class QVBoxLayout;

namespace ddp::ui {

/// What an empty window shows: the ways to begin, and the files that were open before.
class StartPage final : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(const Palette& palette, QWidget* parent = nullptr);
    void setRecent(const QStringList& paths);

Q_SIGNALS:
    void demoWanted();
    void openWanted();
    void clusterWanted();
    void pathWanted(const QString& path);

private:
    QCommandLinkButton* choice(const QString& name, const QString& icon, const QString& title,
                               const QString& sentence);
    void takeColors();

    const Palette& m_palette;
    QLabel* m_title;
    QList<std::pair<QCommandLinkButton*, QString>> m_choices; // with the names of their icons
    QList<QLabel*> m_quiet;                                   // texts in the muted colour
    QVBoxLayout* m_recent;
    QLabel* m_recentTitle;
};

} // namespace ddp::ui
