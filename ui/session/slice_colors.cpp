// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/slice_colors.h"

#include "ui/session/lane_filter.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace ddp::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(SliceColors)
};

constexpr WorkClass kWorkClasses[] = {WorkClass::Communication, WorkClass::Compute, WorkClass::Memory,
                                      WorkClass::Ignored, WorkClass::Other};

/// Colours regions one by one and notes what the legend has to say.
class Painter {
public:
    Painter(const TraceStore& store, const SliceColoring& coloring, const Palette& palette)
        : m_store(store), m_coloring(coloring), m_palette(palette),
          m_grouped(coloring.groups && coloring.groups->size() == store.regionCount()) {}

    std::vector<QColor> colors(const std::vector<WorkClass>& classes,
                               const std::vector<std::uint16_t>& rule) {
        std::vector<QColor> colors;
        colors.reserve(classes.size());
        for (std::size_t i = 0; i < classes.size(); ++i)
            colors.push_back(colorOf(RegionId(i), classes[i], rule[i]));
        return colors;
    }

    std::vector<LegendEntry> legend() const {
        std::vector<LegendEntry> entries;
        for (const std::size_t rule : m_rules)
            entries.push_back({m_coloring.rules[rule].name, *m_coloring.rules[rule].color});
        if (m_coloring.by == ColorBy::Class) {
            for (const WorkClass work : kWorkClasses)
                if (m_classes.contains(work))
                    entries.push_back({workText(work), m_palette.workColor(work)});
        } else if (m_coloring.by == ColorBy::Group) {
            for (const RegionGroup group : m_groups)
                entries.push_back({groupText(group), m_palette.groupColor(group)});
        } else if (m_classes.contains(WorkClass::Communication)) {
            entries.push_back(
                {workText(WorkClass::Communication), m_palette.workColor(WorkClass::Communication)});
        }
        return entries;
    }

private:
    QColor colorOf(RegionId region, WorkClass work, std::uint16_t rule) {
        if (rule < m_coloring.rules.size() && m_coloring.rules[rule].color) {
            m_rules.insert(rule);
            return *m_coloring.rules[rule].color;
        }
        m_classes.insert(work);
        if (m_coloring.by == ColorBy::Group && m_grouped) {
            const RegionGroup group = (*m_coloring.groups)[region.index()];
            m_groups.insert(group);
            return m_palette.groupColor(group);
        }
        if (m_coloring.by == ColorBy::Region && work != WorkClass::Communication)
            return m_palette.nameColor(m_store.regionName(region));
        return work == WorkClass::Other ? m_palette.otherColor(m_store.regionName(region))
                                        : m_palette.workColor(work);
    }

    const TraceStore& m_store;
    const SliceColoring& m_coloring;
    const Palette& m_palette;
    bool m_grouped;
    std::set<std::size_t> m_rules;
    std::set<WorkClass> m_classes;
    std::set<RegionGroup> m_groups;
};

bool hasKind(const TraceStore& store, bool stream) {
    return std::ranges::any_of(store.locations(), [stream](const LocationInfo& location) {
        return location.slices > 0 && (location.kind == LocationKind::Stream) == stream;
    });
}

} // namespace

SliceColors::SliceColors(const TraceStore& store, const Classification& classes,
                         const SliceColoring& coloring, const Palette& palette) {
    Painter painter(store, coloring, palette);
    Painter unseen(store, coloring, palette); // for locations that the run does not have
    m_onStream =
        (hasKind(store, true) ? painter : unseen).colors(classes.classes.onStream, classes.streamRule);
    m_onThread =
        (hasKind(store, false) ? painter : unseen).colors(classes.classes.onThread, classes.threadRule);
    m_legend = painter.legend();
}

QString groupText(RegionGroup group) {
    switch (group) {
    case RegionGroup::User:
        return Texts::tr("user code");
    case RegionGroup::Measurement:
        return Texts::tr("measurement");
    case RegionGroup::Communicating:
        return Texts::tr("user code that communicates");
    case RegionGroup::Mpi:
        return Texts::tr("MPI");
    case RegionGroup::Shmem:
        return Texts::tr("SHMEM");
    case RegionGroup::Pthread:
        return Texts::tr("threads");
    case RegionGroup::OpenMp:
        return Texts::tr("OpenMP");
    case RegionGroup::Cuda:
        return Texts::tr("CUDA");
    case RegionGroup::OpenCl:
        return Texts::tr("OpenCL");
    case RegionGroup::OpenAcc:
        return Texts::tr("OpenACC");
    case RegionGroup::Hip:
        return Texts::tr("HIP");
    case RegionGroup::Kokkos:
        return Texts::tr("Kokkos");
    case RegionGroup::Gloo:
        break;
    }
    return Texts::tr("Gloo");
}

} // namespace ddp::ui
