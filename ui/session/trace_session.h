// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/import/open_run.h"
#include "ui/session/run_memory.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace ddp::ui {

/// What a run is called: by the first of its paths.
QString runTitle(const std::vector<std::filesystem::path>& paths);

/// The trace that is open, if any. Views keep this, never the store: after the next open it is another one.
class TraceSession final : public QObject {
    Q_OBJECT

public:
    explicit TraceSession(TaskRunner& runner, QObject* parent = nullptr);

    const std::shared_ptr<const TraceStore>& store() const { return m_store; }
    const QString& title() const { return m_title; }
    /// Where the open trace was read from; empty without one.
    const std::vector<std::filesystem::path>& paths() const { return m_paths; }
    bool loading() const { return m_runner.running(m_slot); }
    /// The same trace with the clocks that it was read with, before collectives refined them; null as
    /// store().
    const std::shared_ptr<const TraceStore>& asRead() const { return m_asRead; }
    /// What the rules say about its regions; null as store().
    const std::shared_ptr<const Classification>& classification() const { return m_classification; }
    const ClassRules& rules() const { return m_rules; }
    /// The trace is not read again, but its clocks may come out differently.
    void setRules(ClassRules rules);
    /// One per rank; what collectives can refine beyond them is refined. Kept for the next time where a
    /// memory was given.
    void setClocks(const std::vector<ClockInfo>& clocks);
    /// Clocks set by hand are remembered there. `memory` outlives the use of this, or null takes it away.
    void rememberClocks(RunMemory* memory) { m_memory = memory; }

    /// Reads in a task; an open trace stays until the new one is there. With `keep`, what was read stays in
    /// the cache folder, and is taken from there the next time.
    void open(const std::vector<std::filesystem::path>& paths, const QString& title, bool keep);
    /// Shows what another session has open, by the same rules.
    void show(const TraceSession& other);
    /// Shows a run that was read and analysed elsewhere.
    void show(const std::shared_ptr<const RunAnalysis>& run, const QString& title);
    /// Closes the trace; `reason` is what the empty timeline says.
    void close(const QString& reason);
    const QString& reason() const { return m_reason; }

Q_SIGNALS:
    void changed(); ///< another store, or none; the same trace with other clocks has the same file
    void failed(const QString& sentence);

private:
    struct Opened {
        std::shared_ptr<const TraceStore> asRead;
        std::shared_ptr<const TraceStore> store;
        std::shared_ptr<const Classification> classification;
    };
    static Result<Opened> refined(std::shared_ptr<const TraceStore> asRead,
                                  const std::shared_ptr<const TraceStore>& store, const ClassRules& rules,
                                  TaskContext& context);
    void take(Opened opened);
    void layAnew(const std::shared_ptr<const TraceStore>& store);
    void read(const std::vector<std::filesystem::path>& paths, const QString& title,
              const OpenOptions& options);
    void show(Opened opened, const QString& title);
    void verify(const std::vector<std::filesystem::path>& paths, const OpenOptions& options);

    TaskRunner& m_runner;
    RunMemory* m_memory = nullptr;
    TaskSlot m_slot;
    TaskSlot m_verifySlot;
    TaskSlot m_clockSlot;
    ClassRules m_rules = ClassRules::builtin();
    int m_rulesAge = 0; // counts the changes
    std::shared_ptr<const TraceStore> m_asRead;
    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const Classification> m_classification;
    QString m_title;
    std::vector<std::filesystem::path> m_paths;
    QString m_reason;
};

} // namespace ddp::ui
