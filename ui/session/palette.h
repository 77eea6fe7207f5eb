// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/region_groups.h"
#include "core/store/work_class.h"
#include "ui/session/settings.h"

#include <QBrush>
#include <QColor>
#include <QObject>
#include <QPalette>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

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

    /// Of slices, by what they are: as the parts of a device's time, where these are the same.
    QColor workColor(WorkClass work) const;
    /// Of a slice that is none of the work that counts: neutral tints by its name, to keep neighbours apart.
    QColor otherColor(std::string_view regionName) const;
    /// One of a few that are told apart, by the name; none is that of communication.
    QColor nameColor(std::string_view regionName) const;
    /// What can hardly be in one trace, or does the same for another system, shares a colour.
    QColor groupColor(RegionGroup group) const;

    /// Colours to choose from, with their names, as they are in the light theme.
    static std::vector<std::pair<QString, QColor>> choices();

    /// Plain, for tints and for what is too small for a pattern.
    QColor activityColor(ActivityPart part) const;
    /// Hidden and exposed communication differ in their pattern too. It repeats every kPatternPixels from the
    /// painter's brush origin on, so that neighbouring columns of one pixel fit together.
    QBrush activityBrush(ActivityPart part) const {
        return m_plainPatterns ? QBrush(patternMark(part, false))
                               : m_activity[static_cast<std::size_t>(part)];
    }
    /// The same as a tint, to lie behind slices.
    QBrush bandBrush(ActivityPart part) const {
        return m_plainPatterns ? QBrush(patternMark(part, true)) : m_bands[static_cast<std::size_t>(part)];
    }
    static constexpr int kPatternPixels = 8;
    static bool hasPattern(ActivityPart part) {
        return part == ActivityPart::Hidden || part == ActivityPart::Exposed;
    }
    /// What a pattern is made of.
    struct Pattern {
        QColor ground;
        QColor line;
    };
    Pattern pattern(ActivityPart part, bool band) const;

    /// While it lives, each pattern is a plain colour that nothing else has, patternMark(): for an output
    /// that knows no tiles and is given the patterns afterwards.
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
    QColor patternMark(ActivityPart part, bool band) const;

Q_SIGNALS:
    void changed();

private:
    void apply();
    QColor shade(QRgb rgb) const;

    ThemeMode m_mode;
    DesktopTheme* m_desktop;
    Colors m_colors;
    std::array<QBrush, kActivityParts.size()> m_activity; // by ActivityPart
    std::array<QBrush, kActivityParts.size()> m_bands;    // by ActivityPart
    mutable bool m_plainPatterns = false;                 // of the UI thread, for the length of one picture
};

} // namespace ddp::ui
