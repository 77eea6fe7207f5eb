// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/rank_view.h"

#include "core/triage/log_text.h"

#include <algorithm>
#include <array>
#include <csignal>

namespace ddp::triage {

namespace {

constexpr int kStoppedByInterrupt = 128 + SIGINT;
constexpr int kStoppedByTerminate = 128 + SIGTERM;

// The worker knows some texts of a peer's death; the rules know more of them.
bool isOfPeer(const records::ErrorRecord& error) {
    const auto known = matchOf(error.what);
    return error.faultOf == "peer" || (known && known->rule->secondary);
}

void readStages(RankView& view, const records::RankRecords& records) {
    for (const auto& [stage, line, time] : records.stages) {
        const int index = stageIndex(stage.stage);
        if (stage.state == "begin" && index >= view.reached) {
            view.reached = index;
            view.stage = stage.stage;
            view.inStage = true;
        } else if (stage.state == "end" && stage.stage == view.stage) {
            view.inStage = false;
        } else if (stage.state == "deadline") {
            view.deadline = true;
        }
    }
}

void readErrors(RankView& view, const records::RankRecords& records) {
    const auto isDeadline = [&](const std::string& stage) {
        return std::any_of(records.stages.begin(), records.stages.end(), [&](const auto& s) {
            return s.value.state == "deadline" && s.value.stage == stage;
        });
    };
    for (const auto& error : records.errors) {
        if (isDeadline(error.value.stage))
            continue;
        auto& place = isOfPeer(error.value) ? view.peerError : view.ownError;
        if (!place)
            place = &error;
    }
}

RankView viewOf(int rank, const RankRun* run) {
    RankView view;
    view.rank = rank;
    view.run = run;
    const auto* records = view.data();
    if (!records)
        return view;
    readStages(view, *records);
    readErrors(view, *records);
    view.waiting = records->canary && records->canary->value.run && !records->canary->value.completed;
    if (records->end) {
        const int code = records->end->value.exitCode;
        view.ended = true;
        view.deadline = view.deadline || code == records::kExitHang;
        view.stopped = code == kStoppedByInterrupt || code == kStoppedByTerminate;
    }
    return view;
}

} // namespace

int stageIndex(std::string_view stage) {
    using namespace records;
    constexpr std::array kStages = {kStageDeviceFacts,  kStageCudaContext,   kStageRendezvous,
                                    kStageModelBuilt,   kStageModelOnDevice, kStageFactsPublished,
                                    kStageProcessGroup, kStageCanary,        kStageDdpCheck,
                                    kStageTraining,     kStageDone};
    const auto at = std::find(kStages.begin(), kStages.end(), stage);
    return at == kStages.end() ? -1 : static_cast<int>(at - kStages.begin());
}

bool RankView::passed() const {
    const auto* r = data();
    return r && r->end && r->end->value.exitCode == records::kExitPassed;
}

std::string RankView::where() const {
    if (stage.empty())
        return "before its first stage";
    return (inStage ? "in stage " : "after stage ") + stage;
}

Evidence RankView::lastWords() const {
    const auto* r = data();
    if (!r)
        return {run && !run->shown.empty() ? run->shown
                                           : std::string(records::kRankFolderPrefix) + std::to_string(rank),
                0, "no records"};
    if (r->end)
        return evidenceOf(*run, *r->end);
    if (!r->stages.empty())
        return evidenceOf(*run, r->stages.back());
    if (r->start)
        return evidenceOf(*run, *r->start);
    return {run->shown, 0, "no stage recorded"};
}

std::vector<RankView> viewsOf(const Run& run) {
    std::vector<RankView> views;
    for (const int rank : run.missingRanks()) {
        if (!run.find(rank))
            views.push_back(viewOf(rank, nullptr));
    }
    for (const RankRun& rank : run.ranks)
        views.push_back(viewOf(rank.rank, &rank));
    std::sort(views.begin(), views.end(),
              [](const RankView& a, const RankView& b) { return a.rank < b.rank; });
    return views;
}

std::optional<RuleSet::Match> matchOf(std::string_view what) {
    // Messages of libraries have several lines; the first one that a rule knows says what happened.
    constexpr int kMostLines = 50;
    for (int i = 0; i < kMostLines && !what.empty(); ++i) {
        const auto end = what.find('\n');
        if (auto match = RuleSet::builtin().match(withoutPrefixes(what.substr(0, end)).text))
            return match;
        what.remove_prefix(end == std::string_view::npos ? what.size() : end + 1);
    }
    return {};
}

} // namespace ddp::triage
