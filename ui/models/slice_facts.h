// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/region_groups.h"
#include "core/store/trace_store.h"
#include "ui/models/rows_model.h"
#include "ui/session/view_state.h"

#include <QString>

#include <optional>
#include <vector>

namespace ddp::ui {

/// What the tracer noted about a slice.
struct AttributeRow {
    QString name;
    QString value;
};

/// What is known of a slice without a search. What is not known is empty.
struct SliceFacts {
    QString name;    ///< readable
    QString rawName; ///< as the trace has it
    QString source;  ///< file and line
    TimeRange range;
    std::optional<WorkClass> work;
    std::optional<RegionGroup> group;
    QString rank; ///< with its host
    QString device;
    QString stream;
    QString lane;
    std::size_t depth = 0;
    std::optional<SliceRef> parent;
    QString parentName;
    std::vector<AttributeRow> attributes;
};

/// `classes` and `groups` may be null. `slice` is one of the store.
SliceFacts sliceFacts(const TraceStore& store, const SliceRef& slice, const Classification* classes,
                      const std::vector<RegionGroup>* groups);
/// Whether the store has such a slice: a selection may still belong to another one.
bool hasSlice(const TraceStore& store, const SliceRef& slice);
/// Readable, in one line.
QString regionText(const TraceStore& store, RegionId region);

std::vector<Column<AttributeRow>> attributeColumns();

} // namespace ddp::ui
