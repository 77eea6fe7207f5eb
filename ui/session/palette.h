// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/settings.h"

#include <QBrush>
#include <QColor>
#include <QObject>
#include <QPalette>

#include <array>
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

/// What a device does in a part of the time; together they are all of it (definitions.md, "Per device, over
/// a window"), in the order in which they are stacked. Compute is what has no communication beside it,
/// Memory what has neither.
enum class ActivityPart { Hidden, Exposed, Compute, Memory, Idle };
inline constexpr std::array kActivityParts{ActivityPart::Hidden, ActivityPart::Exposed, ActivityPart::Compute,
                                           ActivityPart::Memory, ActivityPart::Idle};

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

    /// Plain, for tints and for what is too small for a pattern.
    QColor activityColor(ActivityPart part) const;
    /// Hidden and exposed communication differ in their pattern too. The pattern repeats every 8 pixels of
    /// the painter's brush origin, so that neighbouring columns of one pixel fit together.
    QBrush activityBrush(ActivityPart part) const {
        return m_plainPatterns ? QBrush(patternMark(part)) : m_activity[static_cast<std::size_t>(part)];
    }
    static constexpr int kPatternPixels = 8;

    /// While it lives, each pattern is a plain colour that nothing else has: for an output that knows no
    /// tiles and is given the patterns afterwards.
    class PlainPatterns {
    public:
        explicit PlainPatterns(const Palette& palette) : m_palette(palette) {
            palette.m_plainPatterns = true;
        }
        ~PlainPatterns() { m_palette.m_plainPatterns = false; }
        PlainPatterns(const PlainPatterns&) = delete;
        PlainPatterns& operator=(const PlainPatterns&) = delete;

    private:
        const Palette& m_palette;
    };
    static bool hasPattern(ActivityPart part) {
        return part == ActivityPart::Hidden || part == ActivityPart::Exposed;
    }
    QColor patternMark(ActivityPart part) const;
    static QColor patternLine(const QColor& color) { return color.darker(155); }

Q_SIGNALS:
    void changed();

private:
    void apply();

    ThemeMode m_mode;
    DesktopTheme* m_desktop;
    Colors m_colors;
    std::array<QBrush, kActivityParts.size()> m_activity; // by ActivityPart
    mutable bool m_plainPatterns = false;                 // of the UI thread, for the length of one picture
};

/// Gloo, NCCL, RCCL and MPI operations, by name.
bool isCommunication(std::string_view regionName);

} // namespace ddp::ui
