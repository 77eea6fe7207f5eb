// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/report/chrome_trace.h"
#include "core/report/otf2/merged_archive.h"
#include "core/report/slice_csv.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace ddp::cli {

namespace {

namespace fs = std::filesystem;

struct ConvertOptions : TraceOptions {
    fs::path out;
    bool force = false;
};

// The output is made before the traces are opened, so that nobody waits for a disk that is not there.
template <class Output, class Write>
Result<void> convert(const ConvertOptions& options, const std::stop_token& stop, Write write) {
    auto output = Output::create(options.out, options.force);
    if (!output)
        return forward(output);
    auto store = openTraces(options, stop);
    if (!store)
        return forward(store);
    reportDataLoss(**store);
    Progress progress;
    {
        const ProgressLine line("writing", progress);
        if (auto written = write(**store, *output, stop, progress); !written)
            return written;
    }
    return output->commit();
}

Result<void> convertByName(const ConvertOptions& options, const std::stop_token& stop) {
    const fs::path extension = options.out.extension();
    if (extension == ".otf2")
        return convert<report::OutputArchive>(options, stop, report::writeMergedArchive);
    if (extension == ".json")
        return convert<report::OutputFile>(options, stop, report::writeChromeTrace);
    if (extension == ".csv")
        return convert<report::OutputFile>(options, stop, report::writeSliceCsv);
    return fail(ErrorCode::Usage,
                fmt::format("{} names no format; let it end in .otf2 (one archive of all ranks), .json "
                            "(Perfetto, Chrome) or .csv (a row per slice).",
                            options.out.string()));
}

} // namespace

void addConvert(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<ConvertOptions>();
    CLI::App* verb = app.add_subcommand(
        "convert",
        "Write the run for other programs; what OUT ends in is the format: .otf2 (one archive of all "
        "ranks), .json (Perfetto, Chrome) or .csv (a row per slice)");
    addTraces(*verb, *options);
    verb->add_option("-o,--output", options->out, "What to write")
        ->required()
        ->type_name("OUT.(otf2|json|csv)");
    verb->add_flag("--force", options->force, "Replace OUT if it exists");
    verb->callback([options, &outcome] {
        if (auto done = convertByName(*options, outcome.stop.get_token()); !done)
            outcome.exitCode = report(done.error());
    });
}

} // namespace ddp::cli
