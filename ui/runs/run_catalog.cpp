// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/worker_records.h" // before any header of Qt, where `slots` is a macro

#include "ui/runs/run_catalog.h"

#include "core/triage/triage.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <fstream>
#include <string>

namespace ddp::ui {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRunFile = "run.json";
constexpr const char* kStoppedFile = "job.stopped";

QDateTime changedAt(const fs::path& path) {
    std::error_code error;
    const auto written = fs::last_write_time(path, error);
    if (error)
        return QDateTime::currentDateTime();
    const auto system = std::chrono::file_clock::to_sys(written).time_since_epoch();
    return QDateTime::fromSecsSinceEpoch(std::chrono::duration_cast<std::chrono::seconds>(system).count());
}

/// run.json; empty where it can not be read.
QJsonObject runFile(const fs::path& folder) {
    QFile file(QString::fromStdString((folder / kRunFile).string()));
    constexpr qint64 kLimit = 1 << 20; // ours has a few hundred bytes
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.read(kLimit)).object();
}

/// What run.json says; fields that it does not have stay as they are.
void readRunFile(const fs::path& folder, RunRecord& run) {
    const QJsonObject json = runFile(folder);
    if (json.contains(u"node"_s))
        run.node = json.value(u"node"_s).toString();
    run.simulate = json.value(u"simulate"_s).toString(run.simulate);
    run.hardware = json.value(u"hardware"_s).toBool(run.hardware);
    run.ranks = json.value(u"ranks"_s).toInt(run.ranks);
    const qint64 started = json.value(u"started"_s).toInteger(0);
    if (started > 0)
        run.started = QDateTime::fromSecsSinceEpoch(started);
}

} // namespace

bool looksLikeRunFolder(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / kRunFile, error))
        return true;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string extension = entry->path().extension().string();
        if (extension == ".log" || extension == ".out" || extension == ".err" || extension == ".jsonl")
            return true;
        if (entry->path().filename().string().starts_with(records::kRankFolderPrefix) &&
            fs::exists(entry->path() / records::kRecordsFile, error))
            return true;
    }
    return false;
}

RunRecord judgeRun(const fs::path& folder, RunRecord known, const std::stop_token& stop) {
    RunRecord run = std::move(known);
    run.folder = folder;
    if (run.id.isEmpty())
        run.id = QString::fromStdString(folder.filename().string());
    if (!run.started.isValid())
        run.started = changedAt(folder);
    readRunFile(folder, run);

    std::error_code error;
    run.stopped = run.stopped || fs::exists(folder / kStoppedFile, error);
    triage::Options options;
    if (run.ranks > 0)
        options.ranksExpected = run.ranks;
    auto report = triage::triage({folder}, options, stop);
    if (report) {
        if (run.node.isEmpty() && report->node)
            run.node = QString::fromStdString(*report->node);
        run.report = std::make_shared<const triage::Report>(std::move(*report));
    } else if (!run.stopped) {
        run.failure = QString::fromStdString(report.error().message);
    }
    if (run.node.isEmpty())
        run.node = QString::fromStdString(folder.filename().string());
    if (run.simulate.isEmpty())
        run.simulate = run.report && run.report->simulated ? u"a fault"_s : u"none"_s;
    run.phase = RunPhase::Done;
    return run;
}

Result<std::vector<RunRecord>> scanRuns(const fs::path& runsFolder, const std::stop_token& stop,
                                        Progress& progress) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (fs::directory_iterator entry(runsFolder, error), end; !error && entry != end;
         entry.increment(error)) {
        // Those of clusters are in the book of jobs.
        if (fs::exists(entry->path() / kRunFile, error) && !runFile(entry->path()).contains(u"cluster"_s))
            folders.push_back(entry->path());
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return fail(ErrorCode::Unreadable, "The folder of earlier runs, " + runsFolder.string() +
                                               ", can not be read: " + error.message() +
                                               ". Check its permissions.");
    progress.total = folders.size();
    std::vector<RunRecord> runs;
    for (const fs::path& folder : folders) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Reading the earlier runs was stopped.");
        runs.push_back(judgeRun(folder, {}, stop));
        ++progress.done;
    }
    std::sort(runs.begin(), runs.end(),
              [](const RunRecord& a, const RunRecord& b) { return a.started < b.started; });
    return runs;
}

void markStopped(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error))
        std::ofstream(folder / kStoppedFile) << "The user stopped this run before its end.\n";
}

} // namespace ddp::ui
