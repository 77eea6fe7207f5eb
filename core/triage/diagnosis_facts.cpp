// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks published out of band, before any collective: models and devices.
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ddp::triage {

namespace {

using records::Recorded;

// The number of parameter tensors of a rank: its own record, else what another rank read in the store.
struct Published {
    std::int64_t tensors = 0;
    std::optional<std::int64_t> elements;
    Evidence evidence;
};

std::map<int, Published> publishedFacts(const Run& run) {
    std::map<int, Published> facts;
    for (const RankRun& rank : run.ranks) {
        if (rank.records && rank.records->facts) {
            const auto& own = *rank.records->facts;
            facts[rank.rank] = {own.value.tensors, own.value.elements, evidenceOf(rank, own)};
        }
    }
    for (const RankRun& rank : run.ranks) {
        if (!rank.records || !rank.records->store)
            continue;
        for (const auto& peer : rank.records->store->value.peers) {
            if (peer.tensors)
                facts.try_emplace(peer.rank,
                                  Published{*peer.tensors, {}, evidenceOf(rank, *rank.records->store)});
        }
    }
    return facts;
}

// What the rank itself, its device facts or its log say about its GPU or driver.
std::optional<Conclusion> deviceErrorOf(const Run& run, int rank) {
    Conclusion error;
    error.diagnosis.faultClass = FaultClass::NodeFault;
    if (const RankRun* own = run.find(rank); own && own->records) {
        for (const auto& record : own->records->errors) {
            const auto known = matchOf(record.value.what);
            const bool ofNode = known && known->rule->indicatorClass == IndicatorClass::NodeFault;
            if (record.value.faultOf == "node" || (ofNode && !known->rule->secondary)) {
                error.diagnosis.sentence = record.value.what;
                error.diagnosis.evidence = {evidenceOf(*own, record)};
                return error;
            }
        }
        const auto& device = own->records->device;
        if (device && device->value.eccVolatileUncorrected.value_or(0) > 0) {
            error.diagnosis.sentence = "its GPU has uncorrected ECC errors";
            error.diagnosis.evidence = {evidenceOf(*own, *device)};
            return error;
        }
    }
    for (const Finding& finding : run.logs.findings) {
        // A count of 0 at a peer is what a rank without a model causes at the others; it is no error of a
        // device.
        const bool aboutDevice =
            finding.rule->cause != "lost_collective" && finding.rule->cause != "rank_hung";
        if (finding.primary() && aboutDevice && finding.rule->indicatorClass == IndicatorClass::NodeFault &&
            finding.rank.value_or(rank) == rank) {
            error.diagnosis.sentence = finding.rule->says;
            error.diagnosis.evidence = {finding.first};
            return error;
        }
    }
    return {};
}

Conclusion withoutModel(const Run& run, const std::vector<RankView>& views, const std::vector<int>& empty,
                        const std::map<int, Published>& facts) {
    const int rank = empty.front();
    Conclusion conclusion;
    conclusion.culprit = rank;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "rank_without_model";
    d.faultClass = FaultClass::UserCodeFault;
    const auto others =
        std::find_if(facts.begin(), facts.end(), [](const auto& f) { return f.second.tensors > 0; });
    d.sentence = others == facts.end()
                     ? std::string("No rank built a model: all published 0 parameter tensors.")
                     : fmt::format("{} built no model: {} published 0 parameter tensors out of band, {} {}.",
                                   empty.size() == 1 ? "Rank " + std::to_string(rank) : "Several ranks",
                                   empty.size() == 1 ? "it" : listOf(empty), nameOf(run, others->first),
                                   others->second.tensors);
    d.evidence = {facts.at(rank).evidence};
    if (others != facts.end())
        d.evidence.push_back(others->second.evidence);
    if (const auto error = deviceErrorOf(run, rank)) {
        d.faultClass = FaultClass::NodeFault;
        d.sentence += fmt::format(" Its device had an error: {}", error->diagnosis.sentence);
        if (!d.sentence.ends_with('.'))
            d.sentence += '.';
        d.evidence.push_back(error->diagnosis.evidence.front());
    } else {
        d.sentence +=
            " No error of its device is recorded, so the code or its input is at fault, not the node.";
    }
    for (const RankView& view : views) {
        if (view.rank == rank && view.ownError)
            d.evidence.push_back(evidenceOf(*view.run, *view.ownError));
    }
    return conclusion;
}

std::optional<Conclusion> withoutGpu(const Run& run, const RankRun& rank) {
    const auto& start = rank.records->start;
    if (!start || start->value.mode != "hardware")
        return {};
    const std::string& device = start->value.device;
    if (device.starts_with("cuda") || device.empty())
        return {};
    Conclusion conclusion;
    conclusion.culprit = rank.rank;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "no_gpu";
    d.faultClass = FaultClass::NodeFault;
    std::string why;
    if (!rank.records->errors.empty())
        why = rank.records->errors.front().value.what;
    else if (rank.records->device)
        why = rank.records->device->value.note;
    for (const Finding& finding : run.logs.findings) {
        if (finding.primary() && finding.rule->cause == "gpu_lost") {
            d.cause = "gpu_lost";
            why = why.empty() ? finding.rule->says : why + "; " + finding.rule->says;
            d.evidence.push_back(finding.first);
            break;
        }
    }
    d.sentence =
        fmt::format("{} found no GPU that it can use on {}{}{}", "Rank " + std::to_string(rank.rank),
                    start->value.host.empty() ? "its node" : start->value.host, why.empty() ? "" : ": ", why);
    if (!d.sentence.ends_with('.'))
        d.sentence += '.';
    d.evidence.push_back(evidenceOf(rank, *start));
    if (!rank.records->errors.empty())
        d.evidence.push_back(evidenceOf(rank, rank.records->errors.front()));
    return conclusion;
}

std::optional<Conclusion> memoryFault(const RankRun& rank) {
    const auto& device = rank.records->device;
    if (!device)
        return {};
    Conclusion conclusion;
    conclusion.culprit = rank.rank;
    Diagnosis& d = conclusion.diagnosis;
    d.faultClass = FaultClass::NodeFault;
    const std::string gpu = device->value.uuid.value_or(device->value.name.value_or("its GPU"));
    const std::int64_t errors = device->value.eccVolatileUncorrected.value_or(0);
    if (errors > 0) {
        d.cause = "ecc_uncorrected";
        d.sentence = fmt::format("The GPU of rank {} ({}) counts {} uncorrected volatile ECC error{}.",
                                 rank.rank, gpu, errors, errors == 1 ? "" : "s");
    } else if (device->value.rowRemapFailed.value_or(false)) {
        d.cause = "row_remap_failed";
        d.sentence = fmt::format(
            "The GPU of rank {} ({}) could not remap a bad row: the board must be replaced.", rank.rank, gpu);
    } else if (device->value.rowRemapPending.value_or(false)) {
        d.cause = "row_remap_pending";
        d.sentence =
            fmt::format("The GPU of rank {} ({}) waits for a reset to remap a bad row.", rank.rank, gpu);
    } else {
        return {};
    }
    d.evidence = {evidenceOf(rank, *device)};
    return conclusion;
}

std::optional<Conclusion> sharedGpu(const Run& run) {
    std::map<std::string, const RankRun*> owners;
    for (const RankRun& rank : run.ranks) {
        if (!rank.records || !rank.records->device || !rank.records->device->value.uuid)
            continue;
        const auto [owner, first] = owners.try_emplace(*rank.records->device->value.uuid, &rank);
        if (first)
            continue;
        Conclusion conclusion;
        Diagnosis& d = conclusion.diagnosis;
        d.cause = "duplicate_gpu";
        d.faultClass = FaultClass::UserCodeFault;
        d.sentence = fmt::format("Ranks {} and {} were started on the same GPU ({}).", owner->second->rank,
                                 rank.rank, owner->first);
        d.evidence = {evidenceOf(*owner->second, *owner->second->records->device),
                      evidenceOf(rank, *rank.records->device)};
        return conclusion;
    }
    return {};
}

std::optional<Conclusion> differentModels(const Run& run, const std::map<int, Published>& facts) {
    if (facts.size() < 2)
        return {};
    const auto& [firstRank, first] = *facts.begin();
    for (const auto& [rank, own] : facts) {
        const bool otherShape = own.elements && first.elements && *own.elements != *first.elements;
        if (own.tensors == first.tensors && !otherShape)
            continue;
        Conclusion conclusion;
        Diagnosis& d = conclusion.diagnosis;
        d.cause = "model_mismatch";
        d.faultClass = FaultClass::UserCodeFault;
        d.sentence =
            own.tensors != first.tensors
                ? fmt::format("The ranks build different models: {} published {} parameter tensors, {} {}.",
                              nameOf(run, firstRank), first.tensors, nameOf(run, rank), own.tensors)
                : fmt::format("The ranks build different models: of {} tensors each, {} has {} elements in "
                              "all, {} {}.",
                              first.tensors, nameOf(run, firstRank), *first.elements, nameOf(run, rank),
                              *own.elements);
        d.evidence = {first.evidence, own.evidence};
        return conclusion;
    }
    return {};
}

} // namespace

std::optional<Conclusion> diagnoseFacts(const Run& run, const std::vector<RankView>& views) {
    const auto facts = publishedFacts(run);
    std::vector<int> empty;
    for (const auto& [rank, published] : facts) {
        if (published.tensors == 0)
            empty.push_back(rank);
    }
    if (!empty.empty())
        return withoutModel(run, views, empty, facts);
    for (const RankRun& rank : run.ranks) {
        if (!rank.records)
            continue;
        if (auto found = withoutGpu(run, rank))
            return found;
    }
    return {};
}

std::optional<Conclusion> diagnoseDevices(const Run& run) {
    for (const RankRun& rank : run.ranks) {
        if (!rank.records)
            continue;
        if (auto found = memoryFault(rank))
            return found;
    }
    if (auto found = sharedGpu(run))
        return found;
    return {};
}

std::optional<Conclusion> diagnoseModels(const Run& run) {
    return differentModels(run, publishedFacts(run));
}

} // namespace ddp::triage
