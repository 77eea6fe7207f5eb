// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_controller.h"

#include "ui/runs/run_catalog.h"

#include <QDateTime>

#include <algorithm>
#include <mutex>
#include <string>

namespace ddp::ui {

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

/// Between the thread of a run and the window: the thread adds, the window takes ten times a second. A job
/// that prints faster than that loses the middle here, never in its own files.
struct RunFeed {
    static constexpr std::size_t kLimit = 4u << 20;

    std::mutex mutex;
    std::string text;
    bool cut = false;
    RunPhase phase = RunPhase::Preparing;
};

namespace {

constexpr std::chrono::seconds kDeadline{45};
// The demo of a hang is there to be watched.
constexpr std::chrono::seconds kHangDeadline{10};

RunPhase shownPhase(remote::JobPhase phase) {
    switch (phase) {
    case remote::JobPhase::Preparing:
    case remote::JobPhase::Starting:
        return RunPhase::Preparing;
    case remote::JobPhase::Running:
        return RunPhase::Running;
    case remote::JobPhase::Stopping:
        return RunPhase::Stopping;
    case remote::JobPhase::Pulling:
    case remote::JobPhase::Done:
        break;
    }
    return RunPhase::Pulling;
}

remote::JobObserver observerInto(const std::shared_ptr<RunFeed>& feed) {
    remote::JobObserver observer;
    observer.phase = [feed](remote::JobPhase phase) {
        const std::scoped_lock lock(feed->mutex);
        feed->phase = shownPhase(phase);
    };
    observer.output = [feed](const std::string& text) {
        const std::scoped_lock lock(feed->mutex);
        if (feed->text.size() + text.size() > RunFeed::kLimit)
            feed->cut = true;
        else
            feed->text += text;
    };
    return observer;
}

} // namespace

RunController::RunController(TaskRunner& runner, const Services& services, QObject* parent)
    : QObject(parent), m_runner(runner), m_services(services) {
    m_feedTimer.setInterval(100);
    connect(&m_feedTimer, &QTimer::timeout, this, &RunController::drainFeed);
}

RunController::~RunController() {
    m_runner.stop(m_runSlot);
}

void RunController::loadEarlierRuns() {
    m_runner.start(
        m_scanSlot, tr("Reading the earlier runs"),
        [folder = m_services.runsFolder](TaskContext& context) {
            return scanRuns(folder, context.stop, context.progress);
        },
        this,
        [this](Result<std::vector<RunRecord>> runs) {
            if (!runs) {
                if (runs.error().code != ErrorCode::Cancelled)
                    Q_EMIT failed(QString::fromStdString(runs.error().message));
                return;
            }
            for (const RunRecord& run : *runs) {
                if (!find(run.id)) // a run of this session is newer than what the scan saw of it
                    put(run);
            }
        });
}

QString RunController::newId(const CheckRequest& request) {
    const QString what = request.simulation != remote::Simulation::None
                             ? QString::fromLatin1(remote::simulationName(request.simulation))
                         : request.hardware ? u"hardware"_s
                                            : u"healthy"_s;
    return u"%1-%2-%3"_s.arg(what, QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss-zzz"_s))
        .arg(++m_started);
}

remote::JobSpec RunController::specFor(const CheckRequest& request, const QString& id) const {
    remote::JobSpec spec;
    spec.id = id.toStdString();
    spec.node = m_services.hostName.toStdString();
    spec.simulation = request.simulation;
    spec.hardware = request.hardware;
    spec.stageDeadline = request.simulation == remote::Simulation::Hang ? kHangDeadline : kDeadline;
    spec.workerPath = m_services.workerPath;
    return spec;
}

RunRecord RunController::recordFor(const remote::JobSpec& spec) const {
    RunRecord run;
    run.id = QString::fromStdString(spec.id);
    run.node = m_services.hostName;
    run.simulate = QString::fromLatin1(remote::simulationName(spec.simulation));
    run.hardware = spec.hardware;
    run.ranks = spec.ranks;
    run.started = QDateTime::currentDateTime();
    run.folder = m_services.runsFolder / spec.id;
    run.phase = RunPhase::Preparing;
    return run;
}

void RunController::start(const CheckRequest& request) {
    if (busy()) {
        Q_EMIT refused(
            tr("A check is still running on this machine. Wait for its end, or stop it, and start again."));
        return;
    }
    const QString id = newId(request);
    const remote::JobSpec spec = specFor(request, id);
    const RunRecord run = recordFor(spec);
    m_runningId = id;
    m_decoder = QStringDecoder(QStringDecoder::Utf8);
    m_feed = std::make_shared<RunFeed>();
    put(run);
    Q_EMIT runStarted(id);
    m_feedTimer.start();

    m_runner.start(
        m_runSlot, tr("Checking %1: %2").arg(run.node, kindText(run)),
        [makeTransport = m_services.makeLocalTransport, spec, work = m_services.workFolder,
         runs = m_services.runsFolder, feed = m_feed](TaskContext& context) -> Result<remote::JobOutcome> {
            std::error_code missing;
            if (!fs::exists(spec.workerPath, missing))
                return fail(ErrorCode::Unreadable,
                            "The check can not start: its worker " + spec.workerPath +
                                " is missing. Build the target ddpscope-worker, or install "
                                "the program again.");
            const auto transport = makeTransport();
            auto outcome = remote::runJob(*transport, spec, work, runs, observerInto(feed), context.stop);
            if (outcome && outcome->stopped)
                markStopped(outcome->runFolder);
            // What was pulled is kept; the copy in the work folder has done its duty.
            if (std::error_code ignored; outcome)
                fs::remove_all(work / spec.id, ignored);
            return outcome;
        },
        this, [this, run](const Result<remote::JobOutcome>& outcome) { ended(run, outcome); });
}

void RunController::ended(RunRecord run, const Result<remote::JobOutcome>& outcome) {
    drainFeed();
    m_feedTimer.stop();
    if (!outcome) {
        run.stopped = outcome.error().code == ErrorCode::Cancelled;
        if (!run.stopped)
            run.failure = QString::fromStdString(outcome.error().message);
        finished(run);
        return;
    }
    run.folder = outcome->runFolder;
    run.stopped = outcome->stopped;
    judge(run);
}

void RunController::judge(const RunRecord& run) {
    RunRecord judging = run;
    judging.phase = RunPhase::Judging;
    put(judging);
    m_runner.start(
        m_judgeSlot, tr("Judging %1").arg(run.id),
        [judging](TaskContext& context) -> Result<RunRecord> {
            return judgeRun(judging.folder, judging, context.stop);
        },
        this,
        [this, judging](Result<RunRecord> answer) {
            RunRecord ended = answer ? *answer : judging;
            if (!answer)
                ended.failure = QString::fromStdString(answer.error().message);
            finished(ended);
        });
}

void RunController::finished(RunRecord run) {
    run.phase = RunPhase::Done;
    m_runningId.clear();
    m_feed.reset();
    put(run);
    Q_EMIT runFinished(run.id);
}

void RunController::stop() {
    m_runner.stop(m_runSlot);
}

void RunController::adopt(const fs::path& folder) {
    m_runner.start(
        m_adoptSlot, tr("Judging %1").arg(QString::fromStdString(folder.string())),
        [folder, runs = m_services.runsFolder](TaskContext& context) -> Result<RunRecord> {
            std::error_code error;
            const fs::path whole = fs::canonical(folder, error);
            RunRecord known;
            // Folders elsewhere may share their last name.
            if (!error && !fs::equivalent(whole.parent_path(), runs, error))
                known.id = QString::fromStdString(whole.string());
            return judgeRun(whole.empty() ? folder : whole, known, context.stop);
        },
        this,
        [this](Result<RunRecord> run) {
            if (!run) {
                Q_EMIT failed(QString::fromStdString(run.error().message));
                return;
            }
            put(*run);
            Q_EMIT adopted(run->id);
        });
}

void RunController::drainFeed() {
    if (!m_feed)
        return;
    std::string text;
    bool cut = false;
    RunPhase phase;
    {
        const std::scoped_lock lock(m_feed->mutex);
        text.swap(m_feed->text);
        std::swap(cut, m_feed->cut);
        phase = m_feed->phase;
    }
    const RunRecord* run = find(m_runningId);
    if (!run)
        return;
    if (run->phase != phase && !run->over()) {
        RunRecord moved = *run;
        moved.phase = phase;
        put(moved);
    }
    if (!text.empty())
        Q_EMIT output(m_runningId,
                      m_decoder(QByteArrayView(text.data(), static_cast<qsizetype>(text.size()))));
    if (cut)
        Q_EMIT output(m_runningId,
                      tr("\n[The job prints faster than this view can show; its files have all of it.]\n"));
}

const RunRecord* RunController::find(const QString& id) const {
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&id](const RunRecord& run) { return run.id == id; });
    return found == m_runs.end() ? nullptr : &*found;
}

std::vector<RunRecord> RunController::history(const RunRecord& of) const {
    std::vector<RunRecord> runs;
    for (const RunRecord& run : m_runs) {
        if (run.node == of.node && run.simulated() == of.simulated())
            runs.push_back(run);
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunRecord& a, const RunRecord& b) { return a.started > b.started; });
    return runs;
}

void RunController::put(const RunRecord& run) {
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&run](const RunRecord& known) { return known.id == run.id; });
    if (found == m_runs.end())
        m_runs.push_back(run);
    else
        *found = run;
    Q_EMIT runChanged(run.id);
}

} // namespace ddp::ui
