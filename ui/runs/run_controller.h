// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/job_runner.h"
#include "remote/job/job_spec.h"
#include "ui/services.h"
#include "ui/session/run_record.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QStringDecoder>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <vector>

namespace ddp::ui {

/// What the user asked to have checked on this machine.
struct CheckRequest {
    remote::Simulation simulation = remote::Simulation::None;
    bool hardware = false;
};

struct RunFeed;

/// All runs that the window knows, and the one that is under way: starts it, shows its output, stops it,
/// judges it. Lives in the UI thread; the work is done in tasks.
class RunController final : public QObject {
    Q_OBJECT

public:
    RunController(TaskRunner& runner, const Services& services, QObject* parent = nullptr);
    ~RunController() override;

    /// Lists and judges the runs of earlier sessions.
    void loadEarlierRuns();
    /// Starts a check; refused(sentence) when one is running.
    void start(const CheckRequest& request);
    void stop();
    /// Judges a folder that the user opened.
    void adopt(const std::filesystem::path& folder);

    bool busy() const { return !m_runningId.isEmpty(); }
    const QString& runningId() const { return m_runningId; }
    const RunRecord* find(const QString& id) const;
    /// The runs of the node of `run`, newest first; simulated ones apart from real ones.
    std::vector<RunRecord> history(const RunRecord& run) const;

Q_SIGNALS:
    void runChanged(const QString& id);
    void output(const QString& id, const QString& text);
    void runStarted(const QString& id);
    void runFinished(const QString& id); ///< judged, or failed, or stopped
    void adopted(const QString& id);
    void refused(const QString& sentence);
    void failed(const QString& sentence);

private:
    void put(const RunRecord& run);
    void drainFeed();
    void ended(RunRecord run, const Result<remote::JobOutcome>& outcome);
    void judge(const RunRecord& run);
    void finished(RunRecord run);
    QString newId(const CheckRequest& request);
    remote::JobSpec specFor(const CheckRequest& request, const QString& id) const;
    RunRecord recordFor(const remote::JobSpec& spec) const;

    TaskRunner& m_runner;
    const Services& m_services;
    TaskSlot m_scanSlot;
    TaskSlot m_runSlot;
    TaskSlot m_judgeSlot;
    TaskSlot m_adoptSlot;
    std::vector<RunRecord> m_runs; // in the order in which they became known
    QString m_runningId;
    std::shared_ptr<RunFeed> m_feed;                // of the run under way; shared with its thread
    QStringDecoder m_decoder{QStringDecoder::Utf8}; // a piece of output may end within a letter
    QTimer m_feedTimer;
    int m_started = 0;
};

} // namespace ddp::ui
