// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/settings.h"

#include <QColor>
#include <QObject>
#include <QPalette>

#include <string_view>

namespace ddp::ui {

/// Every colour that we choose ourselves, for one brightness. Safe for colour-blind people; whatever a colour
/// says here is also said by a symbol or a word.
struct Colors {
    bool dark = false;
    QColor window, base, text, muted, line, accent;
    QColor pass, fail, inconclusive, running, warning;
    QColor laneBand, header, grid, sliceText, selection, highlightLine;
};

class DesktopTheme;

/// The colours of the program. Follows the desktop (light or dark) unless the user chose one, and lays the
/// choice on the whole application.
class Palette final : public QObject {
    Q_OBJECT

public:
    explicit Palette(ThemeMode mode, QObject* parent = nullptr);

    const Colors& colors() const { return m_colors; }
    ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);

    /// Of a slice: communication has a colour of its own, the others get one by their name.
    QColor slice(std::string_view regionName) const;

Q_SIGNALS:
    void changed();

private:
    void apply();

    ThemeMode m_mode;
    DesktopTheme* m_desktop;
    Colors m_colors;
};

/// Gloo, NCCL, RCCL and MPI operations, by name.
bool isCommunication(std::string_view regionName);

} // namespace ddp::ui
