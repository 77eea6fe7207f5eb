// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/trace_options.h"
#include "core/analysis/run_analysis.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace ddp::cli {

/// What every verb is given that analyses runs.
struct AnalysisOptions : TraceOptions {
    std::filesystem::path classRules; ///< empty: only those of the program
    bool csv = false;
};

/// `--json`, `--csv` and `--class-rules`.
void addAnalysis(CLI::App& verb, AnalysisOptions& options);

struct AnalysedRun {
    ClassRules rules;
    std::shared_ptr<const RunAnalysis> run;
};

/// Opens the traces as one run and analyses it.
Result<AnalysedRun> analyseTraces(const AnalysisOptions& options, const std::stop_token& stop);

} // namespace ddp::cli
