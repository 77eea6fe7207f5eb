// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/region_groups.h"
#include "core/store/trace_store.h"
#include "ui/session/palette.h"

#include <QColor>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ddp::ui {

/// What the colours of slices stand for, as the user wants it.
struct SliceColoring {
    ColorBy by = ColorBy::Class;
    struct Rule {
        QString name;
        std::optional<QColor> color; ///< nothing: as without the rule
    };
    std::vector<Rule> rules;                                ///< those that come first in the ClassRules
    std::shared_ptr<const std::vector<RegionGroup>> groups; ///< by RegionId; null: not known yet
};

struct LegendEntry {
    QString name;
    QColor color;
};

/// The colours of all regions of a run, on the streams of accelerators and elsewhere. A plain value.
class SliceColors {
public:
    SliceColors() = default;
    /// `classes` are those of the run.
    SliceColors(const TraceStore& store, const Classification& classes, const SliceColoring& coloring,
                const Palette& palette);

    const QColor& of(RegionId region, LocationKind kind) const {
        return (kind == LocationKind::Stream ? m_onStream : m_onThread)[region.index()];
    }
    /// What the regions that the run defines are, and by what name.
    const std::vector<LegendEntry>& legend() const { return m_legend; }

private:
    std::vector<QColor> m_onStream; // by RegionId
    std::vector<QColor> m_onThread;
    std::vector<LegendEntry> m_legend;
};

QString groupText(RegionGroup group);

} // namespace ddp::ui
