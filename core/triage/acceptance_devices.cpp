// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the acceptance list that are about the GPU, NCCL and the driver.
#include "core/triage/acceptance_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace ddp::triage {

namespace {

void gpuOfRank(const Context& c, const RankView& view, std::set<std::string>& known, Line& line) {
    const auto* records = view.data();
    if (!records)
        return;
    const std::string name = capitalised(nameOf(c.run, view.rank));
    if (!records->start)
        return line.unknown(name + " did not say on which device it ran.");
    const auto& start = records->start->value;
    if (start.mode != "hardware")
        return line.unknown("The run was on the CPU: it says nothing about the GPUs of the node.",
                            evidenceOf(*view.run, *records->start));
    if (!start.device.starts_with("cuda"))
        return line.no(
            fmt::format("{} ran without a GPU (device {}).", name, start.device.empty() ? "?" : start.device),
            evidenceOf(*view.run, *records->start));
    const auto& device = records->device;
    if (!device || !device->value.uuid)
        return line.unknown(name + " could not name its GPU.");
    if (!known.insert(*device->value.uuid).second)
        return line.no(name + " ran on the GPU of another rank.", evidenceOf(*view.run, *device));
    line.yes(evidenceOf(*view.run, *device));
}

std::string shortName(const std::string& host) {
    return host.substr(0, host.find('.'));
}

} // namespace

AcceptanceLine onExpectedGpu(const Context& c) {
    Line line("on_expected_gpu");
    std::set<std::string> known;
    for (const RankView& view : c.views)
        gpuOfRank(c, view, known, line);
    denyByFindings(c, "on_expected_gpu", line);
    // A list of nodes ("node[01-02]") can not be compared with one name.
    const auto& planned = c.run.plannedNode;
    const bool oneName =
        planned && planned->find_first_of("[], ") == std::string::npos && *planned != "localhost";
    for (const std::string& host : c.run.hosts()) {
        if (oneName && c.run.hardware() && shortName(host) != shortName(*planned))
            line.unknown(fmt::format("The check was for {}, but ran on {}.", *planned, host));
    }
    doubtMissing(c, line);
    return line.settle("Every rank ran on a GPU of its own.", "Nothing says on which device the ranks ran.");
}

AcceptanceLine eccClean(const Context& c) {
    Line line("ecc_clean");
    for (const RankView& view : c.views) {
        const auto* records = view.data();
        if (!records)
            continue;
        const std::string name = capitalised(nameOf(c.run, view.rank));
        const auto& device = records->device;
        if (records->start && records->start->value.mode != "hardware") {
            line.unknown("The run was on the CPU: no ECC counter was read.");
        } else if (!device) {
            line.unknown(name + " recorded no device facts.");
        } else if (!device->value.name && !device->value.uuid && !device->value.eccVolatileUncorrected) {
            line.unknown(name + " had no GPU whose ECC counters it could read.",
                         evidenceOf(*view.run, *device));
        } else if (device->value.eccVolatileUncorrected.value_or(0) > 0) {
            line.no(fmt::format("{}: {} uncorrected volatile ECC errors.", name,
                                *device->value.eccVolatileUncorrected),
                    evidenceOf(*view.run, *device));
        } else if (device->value.rowRemapPending.value_or(false) ||
                   device->value.rowRemapFailed.value_or(false)) {
            line.no(name + ": a row remapping is pending or failed.", evidenceOf(*view.run, *device));
        } else if (!device->value.eccVolatileUncorrected) {
            line.unknown(name + ": ECC errors are not measurable on this GPU (N/A), which is not 0.",
                         evidenceOf(*view.run, *device));
        } else if (!device->value.rowRemapPending || !device->value.rowRemapFailed) {
            line.unknown(name + ": row remapping is not measurable on this GPU (N/A).",
                         evidenceOf(*view.run, *device));
        } else {
            line.yes(evidenceOf(*view.run, *device));
        }
    }
    denyByFindings(c, "ecc_clean", line);
    doubtMissing(c, line);
    return line.settle("0 uncorrected volatile ECC errors on every GPU, no row remapping pending or failed.",
                       "No ECC counter was read.");
}

AcceptanceLine noNcclFault(const Context& c) {
    Line line("no_nccl_fault");
    denyByFindings(c, "no_nccl_fault", line);
    const bool usesNccl = std::any_of(c.views.begin(), c.views.end(), [](const RankView& view) {
        return view.data() && view.data()->start && view.data()->start->value.backend == "nccl";
    });
    if (c.run.hasRecords() && !usesNccl)
        line.unknown("The run did not use NCCL, so it says nothing about it.");
    // NCCL prints its warnings only when NCCL_DEBUG is set: silence proves nothing.
    if (c.run.logs.ncclOutput)
        line.yes(*c.run.logs.ncclOutput);
    else if (usesNccl)
        line.unknown("NCCL printed nothing, so its warnings were switched off: set NCCL_DEBUG=WARN.");
    if (!c.allEnded && c.run.hasRecords() && usesNccl)
        line.unknown("The run is not complete.");
    doubtMissing(c, line);
    return line.settle("NCCL's output holds no warning that speaks of a node fault.",
                       "No output of NCCL to look at.");
}

namespace {

bool isEager(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char ch) { return std::toupper(ch); });
    return text == "EAGER";
}

} // namespace

AcceptanceLine noEagerOverride(const Context& c) {
    Line line("no_eager_override");
    const auto judge = [&](const std::string& mode, Evidence evidence) {
        if (isEager(mode))
            line.no(
                "CUDA_MODULE_LOADING=EAGER was in effect: a pass with it is a mitigation, not acceptance.",
                std::move(evidence));
        else if (mode == "LAZY" || mode == "DEFAULT" || mode == "unset")
            line.yes(std::move(evidence));
        else
            line.unknown("The module loading mode is unknown.", std::move(evidence));
    };
    for (const RankView& view : c.views) {
        if (view.data() && view.data()->start)
            judge(view.data()->start->value.moduleLoading, evidenceOf(*view.run, *view.data()->start));
        else if (view.data())
            line.unknown(capitalised(nameOf(c.run, view.rank)) + " did not record its module loading mode.");
    }
    if (!c.run.hasRecords()) {
        for (const auto& [rank, seen] : c.run.logs.ranks) {
            if (seen.moduleLoading)
                judge(*seen.moduleLoading, seen.start);
        }
    }
    doubtMissing(c, line);
    return line.settle("No EAGER override was in effect.", "Nothing says how CUDA loaded its modules.");
}

} // namespace ddp::triage
