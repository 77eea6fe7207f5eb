// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/device_activity.h"
#include "tests/support/trace_truth.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

/// The account of a device by definition, from plain slices: nothing here is shared with the code under test.
namespace ddp::test {

struct Piece {
    std::int64_t begin;
    std::int64_t end;
    WorkClass work;
};

/// The slices of the device that count, in the run's time, cut to the window.
inline std::vector<Piece> piecesIn(const TraceStore& store, const Device& device, const WorkClasses& classes,
                                   TimeRange window) {
    std::vector<Piece> pieces;
    for (const LocationId id : device.locations)
        for (const SliceLane& lane : store.lanes(id))
            for (std::size_t i = 0; i < lane.size(); ++i) {
                const WorkClass work = classes.on(store.location(id).kind)[lane.region(i).index()];
                const auto begin = std::max(lane.begin(i), window.begin).count;
                const auto end = std::min(lane.end(i), window.end).count;
                if (counts(work) && begin < end)
                    pieces.push_back({begin, end, work});
            }
    return pieces;
}

/// What a generated set holds of a device, whole.
inline std::vector<Piece> piecesOf(const Truth& truth, int rank, int device) {
    std::vector<Piece> pieces;
    for (const TruthLocation& location : truth.locations) {
        if (location.rank != rank || location.device != device)
            continue;
        for (const TruthSlice& slice : location.slices) {
            const TruthClass work = truth.regions[slice.region].workClass;
            if (work == TruthClass::Communication)
                pieces.push_back({slice.begin, slice.end, WorkClass::Communication});
            else if (work == TruthClass::Compute)
                pieces.push_back({slice.begin, slice.end, WorkClass::Compute});
            else if (work == TruthClass::Memory)
                pieces.push_back({slice.begin, slice.end, WorkClass::Memory});
        }
    }
    return pieces;
}

inline std::vector<Piece> cutTo(const std::vector<Piece>& pieces, TimeRange window) {
    std::vector<Piece> inside;
    for (Piece piece : pieces) {
        piece.begin = std::max(piece.begin, window.begin.count);
        piece.end = std::min(piece.end, window.end.count);
        if (piece.begin < piece.end)
            inside.push_back(piece);
    }
    return inside;
}

/// Between two neighbouring edges nothing changes: every such stretch is asked what runs in it. The pieces
/// lie in the window.
inline WindowActivity sweep(const std::vector<Piece>& pieces, TimeRange window) {
    std::set<std::int64_t> edges{window.begin.count, window.end.count};
    for (const Piece& piece : pieces)
        edges.insert({piece.begin, piece.end});
    WindowActivity sums;
    const auto add = [](Nanoseconds& to, std::int64_t ns) { to = to + Nanoseconds(ns); };
    for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
        const std::int64_t length = *std::next(edge) - *edge;
        std::set<WorkClass> running;
        for (const Piece& piece : pieces)
            if (piece.begin <= *edge && piece.end > *edge)
                running.insert(piece.work);
        const bool c = running.contains(WorkClass::Communication);
        const bool p = running.contains(WorkClass::Compute);
        const bool m = running.contains(WorkClass::Memory);
        add(sums.communication, c ? length : 0);
        add(sums.compute, p ? length : 0);
        add(sums.memory, m ? length : 0);
        add(sums.hidden, c && p ? length : 0);
        add(sums.exposed, c && !p ? length : 0);
        add(sums.exposedMemory, m && !p && !c ? length : 0);
        add(sums.idle, running.empty() ? length : 0);
    }
    return sums;
}

/// By WorkClass: summed lengths, overlaps twice.
inline std::array<std::uint64_t, kCountedClasses> summed(const std::vector<Piece>& pieces) {
    std::array<std::uint64_t, kCountedClasses> sums{};
    for (const Piece& piece : pieces)
        sums[static_cast<std::size_t>(piece.work)] += static_cast<std::uint64_t>(piece.end - piece.begin);
    return sums;
}

inline std::array<std::int64_t, 7> numbers(const WindowActivity& a) {
    return {a.communication.count, a.compute.count,       a.memory.count, a.hidden.count,
            a.exposed.count,       a.exposedMemory.count, a.idle.count};
}

} // namespace ddp::test
