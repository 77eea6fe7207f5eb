// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/open_run.h"
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

    /// Reads in a task; an open trace stays until the new one is there. With `keep`, what was read stays in
    /// the cache folder, and is taken from there the next time.
    void open(const std::vector<std::filesystem::path>& paths, const QString& title, bool keep);
    /// Shows a run that was read elsewhere.
    void show(std::shared_ptr<const TraceStore> store, const std::vector<std::filesystem::path>& paths,
              const QString& title);
    /// Closes the trace; `reason` is what the empty timeline says.
    void close(const QString& reason);
    const QString& reason() const { return m_reason; }

Q_SIGNALS:
    void changed(); ///< another store, or none
    void failed(const QString& sentence);

private:
    void read(const std::vector<std::filesystem::path>& paths, const QString& title,
              const OpenOptions& options);
    void take(std::shared_ptr<const TraceStore> store, const std::vector<std::filesystem::path>& paths,
              const QString& title);
    void verify(const std::vector<std::filesystem::path>& paths, const OpenOptions& options);

    TaskRunner& m_runner;
    TaskSlot m_slot;
    TaskSlot m_verifySlot;
    std::shared_ptr<const TraceStore> m_store;
    QString m_title;
    std::vector<std::filesystem::path> m_paths;
    QString m_reason;
};

} // namespace ddp::ui
