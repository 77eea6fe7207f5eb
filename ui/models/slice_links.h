// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/kernel_launches.h"
#include "core/analysis/run_analysis.h"
#include "ui/models/rows_model.h"
#include "ui/session/view_state.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp::ui {

/// What one rank did in a collective.
struct CollectivePartRow {
    QString rank;
    bool late = false;
    SliceRef slice;
    TimeRange range;
    std::optional<Nanoseconds> wait;
    std::optional<Nanoseconds> arrived; ///< after the first rank; only where clocks allow it
};

struct SliceCollective {
    std::size_t index = 0; ///< into RunCollectives::instances
    CollectiveInstance instance;
    QString lateRank; ///< empty: none, or not to be told
    std::vector<CollectivePartRow> parts;
};

/// A kernel and the call that launched it: the other side of a slice that is one of them.
struct SliceLaunch {
    bool isKernel = false;            ///< the slice is the kernel; else it is the call
    PhaseRule rule = PhaseRule::None; ///< how the two were told to belong together
    std::string why;                  ///< as LaunchedKernels::why
    std::optional<SliceRef> other;    ///< nothing: not known
    QString name;
    std::size_t kernels = 0;          ///< of the call
    std::optional<Nanoseconds> delay; ///< from the begin of the call to that of the kernel
};

/// What a search finds about a slice.
struct SliceLinks {
    Nanoseconds self;                 ///< without what is nested in it
    std::optional<SliceRef> previous; ///< of the same region in the same location
    std::optional<SliceRef> next;
    std::optional<SliceLaunch> launch;
    std::optional<SliceCollective> collective;
    std::shared_ptr<const LaunchedKernels> launches; ///< of the rank, for the next question
};

/// Any thread; linear in the slices of the location, and n log n in those of the rank where `launches` is
/// null. Without a run (null) neither launch nor collective is looked for. After a stop the answer is
/// worthless.
SliceLinks sliceLinks(const TraceStore& store, const RunAnalysis* run, const SliceRef& slice,
                      std::shared_ptr<const LaunchedKernels> launches, const std::stop_token& stop);

std::vector<Column<CollectivePartRow>> collectivePartColumns();

} // namespace ddp::ui
