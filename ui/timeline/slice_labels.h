// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <QFont>
#include <QHash>
#include <QStaticText>

#include <memory>
#include <unordered_map>
#include <vector>

namespace ddp::ui {

/// The names of regions as they are written into slices, cut to the room that there is. A frame has thousands
/// of them, and measuring a text takes longer than drawing it: what was once laid out is kept.
class SliceLabels {
public:
    /// To be called before a frame; forgets everything when run or font are others.
    void use(const std::shared_ptr<const TraceStore>& store, const QFont& font);
    /// Not wider than `width`, unless that is too narrow for one letter and an ellipsis; plain text.
    const QStaticText& text(RegionId region, int width);

private:
    struct Name {
        QString text;
        /// Width of the first letters, by their number.
        std::vector<double> widths{};
        /// Names of one family share what stands before a colon ("user:step"), so that goes first when there
        /// is no room for all.
        qsizetype shared = 0;
    };
    const Name& nameOf(RegionId region);
    qsizetype lettersThatFit(const Name& name, double width) const;
    const QStaticText& cut(RegionId region, const Name& name, qsizetype letters);

    std::shared_ptr<const TraceStore> m_store;
    QFont m_font;
    double m_ellipsis = 0; // its width
    std::unordered_map<std::uint32_t, Name> m_names;
    QHash<quint64, QStaticText> m_texts; // by region and number of letters
};

} // namespace ddp::ui
