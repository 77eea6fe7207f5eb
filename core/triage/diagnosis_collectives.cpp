// SPDX-License-Identifier: GPL-3.0-or-later
// What the first collectives delivered: the canary, libtorch's own check, the training steps.
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ddp::triage {

namespace {

using Slot = records::Canary::Slot;

enum class SlotFault { None, OwnWrong, PeerMissing, PeerWrong };

struct BadSlot {
    SlotFault fault = SlotFault::None;
    const RankRun* rank = nullptr;
    Slot slot;
};

SlotFault faultOf(const Slot& slot, int ownRank) {
    const bool right = slot.received && slot.intact && (!slot.expected || *slot.received == *slot.expected);
    if (right)
        return SlotFault::None;
    if (slot.rank == ownRank)
        return SlotFault::OwnWrong;
    return slot.received ? SlotFault::PeerWrong : SlotFault::PeerMissing;
}

// An own slot that is wrong says most: not even the copy inside the GPU worked. Wrong values say more than
// missing ones, since something was delivered.
int weightOf(SlotFault fault) {
    switch (fault) {
    case SlotFault::OwnWrong:
        return 3;
    case SlotFault::PeerWrong:
        return 2;
    case SlotFault::PeerMissing:
        return 1;
    case SlotFault::None:
        return 0;
    }
    return 0;
}

std::vector<BadSlot> badSlots(const Run& run) {
    std::vector<BadSlot> bad;
    for (const RankRun& rank : run.ranks) {
        if (!rank.records || !rank.records->canary || !rank.records->canary->value.run ||
            !rank.records->canary->value.completed)
            continue;
        for (const Slot& slot : rank.records->canary->value.gathered) {
            if (const SlotFault fault = faultOf(slot, rank.rank); fault != SlotFault::None)
                bad.push_back({fault, &rank, slot});
        }
    }
    std::stable_sort(bad.begin(), bad.end(), [](const BadSlot& a, const BadSlot& b) {
        return weightOf(a.fault) > weightOf(b.fault);
    });
    return bad;
}

std::string countText(const Slot& slot) {
    return slot.expected ? std::to_string(*slot.expected) : std::string("its count");
}

} // namespace

std::optional<Conclusion> diagnoseCanary(const Run& run) {
    const auto bad = badSlots(run);
    if (bad.empty())
        return {};
    const BadSlot& worst = bad.front();
    Conclusion conclusion;
    Diagnosis& d = conclusion.diagnosis;
    d.faultClass = FaultClass::NodeFault;
    switch (worst.fault) {
    case SlotFault::OwnWrong:
        d.cause = "local_copy_failed";
        conclusion.culprit = worst.rank->rank;
        d.sentence =
            fmt::format("Rank {} did not even get its own value back from the canary all-gather: its GPU or "
                        "the driver fails at a local copy.",
                        worst.rank->rank);
        break;
    case SlotFault::PeerWrong:
        d.cause = "corrupt_collective";
        d.sentence =
            fmt::format("The canary all-gather delivered garbage: {} got {} from rank {}, which had "
                        "published {}{}.",
                        nameOf(run, worst.rank->rank), worst.slot.received.value_or(0), worst.slot.rank,
                        countText(worst.slot), worst.slot.intact ? "" : ", and its checksum is wrong");
        break;
    case SlotFault::PeerMissing:
    case SlotFault::None:
        d.cause = "lost_collective";
        d.sentence =
            fmt::format("The canary all-gather delivered nothing from rank {} to {}, although every rank "
                        "published its model: the transport or the driver of the node loses data.",
                        worst.slot.rank, nameOf(run, worst.rank->rank));
        break;
    }
    for (const BadSlot& slot : bad) {
        const auto evidence = evidenceOf(*slot.rank, *slot.rank->records->canary);
        const bool known = std::any_of(d.evidence.begin(), d.evidence.end(),
                                       [&](const Evidence& e) { return e.file == evidence.file; });
        if (!known && d.evidence.size() < 8)
            d.evidence.push_back(evidence);
    }
    return conclusion;
}

namespace {

std::optional<std::int64_t> publishedBy(const Run& run, int rank) {
    if (const auto* records = run.recordsOf(rank); records && records->facts)
        return records->facts->value.tensors;
    return {};
}

} // namespace

// libtorch's check saw another count than the one that its peer published: its all-gather did not deliver.
std::optional<Conclusion> diagnoseCheck(const Run& run) {
    for (const RankRun& rank : run.ranks) {
        if (!rank.records || !rank.records->ddpCheck || rank.records->ddpCheck->value.state != "raised")
            continue;
        const auto claim = parsedMismatch(rank.records->ddpCheck->value.message);
        if (!claim)
            continue;
        const int other = claim->other;
        const std::int64_t seen = claim->value;
        const auto published = publishedBy(run, other);
        if (!published || *published == seen)
            continue;
        Conclusion conclusion;
        Diagnosis& d = conclusion.diagnosis;
        d.faultClass = FaultClass::NodeFault;
        d.cause = seen == 0 ? "lost_collective" : "corrupt_collective";
        d.sentence = fmt::format(
            "The all-gather of libtorch's own check {}: rank {} read {} for rank {}, which had "
            "published {}.",
            seen == 0 ? "did not deliver" : "delivered garbage", rank.rank, seen, other, *published);
        d.evidence = {evidenceOf(rank, *rank.records->ddpCheck)};
        if (const RankRun* peer = run.find(other); peer && peer->records && peer->records->facts)
            d.evidence.push_back(evidenceOf(*peer, *peer->records->facts));
        return conclusion;
    }
    return {};
}

namespace {

Conclusion trainingFault(const Run& run, const RankRun& rank, const records::Recorded<records::Step>& step,
                         const char* cause, const char* what) {
    Conclusion conclusion;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = cause;
    d.faultClass = run.hardware() || run.simulated() ? FaultClass::NodeFault : FaultClass::Environment;
    d.sentence =
        fmt::format("In training step {} {} (seen by {}).", step.value.step, what, nameOf(run, rank.rank));
    d.evidence = {evidenceOf(rank, step)};
    return conclusion;
}

} // namespace

std::optional<Conclusion> diagnoseTraining(const Run& run) {
    for (const RankRun& rank : run.ranks) {
        if (!rank.records)
            continue;
        for (const auto& step : rank.records->steps) {
            if (!step.value.gradientsEqual.value_or(true))
                return trainingFault(
                    run, rank, step, "gradients_differ",
                    "the gradients differ between the ranks: the all-reduce delivered different "
                    "values");
            if (!step.value.parametersEqual.value_or(true))
                return trainingFault(run, rank, step, "parameters_differ",
                                     "the parameters differ between the ranks after the optimizer");
            if (!step.value.lossFinite)
                return trainingFault(run, rank, step, "loss_not_finite", "the loss is not a finite number");
        }
    }
    return {};
}

} // namespace ddp::triage
