// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/store/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddp {

/// What kind of work a region is, for the account of a device. The first three are the ones that count; their
/// numbers are bits of a state and places in arrays.
enum class WorkClass : std::uint8_t {
    Communication = 0,
    Compute = 1,
    Memory = 2, ///< copies and fills
    Ignored,    ///< known and left out on purpose: idle markers, synchronisation, waiting
    Other,      ///< no rule knows it: host code, annotations
};

constexpr std::size_t kCountedClasses = 3;

constexpr bool counts(WorkClass work) {
    return static_cast<std::size_t>(work) < kCountedClasses;
}

/// The class of every region, by RegionId: on the streams of an accelerator, and on host threads, where the
/// same name can mean something else. Made by classify() of core/analysis; can be made anew at any time.
struct WorkClasses {
    std::vector<WorkClass> onStream;
    std::vector<WorkClass> onThread;

    std::span<const WorkClass> on(LocationKind kind) const {
        return kind == LocationKind::Stream ? onStream : onThread;
    }
};

} // namespace ddp
