// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace_session.h"

#include "core/analysis/run_analysis.h"

namespace ddp::ui {

namespace {

/// With the clocks that the analysis rests on, so that what is drawn and what is counted are in one time.
Result<std::shared_ptr<const TraceStore>> readRun(const std::vector<std::filesystem::path>& paths,
                                                  const OpenOptions& options, TaskContext& context) {
    auto store = openRun(paths, options, context.stop, context.progress);
    if (!store)
        return store;
    return refineClocks(*store, classify(**store, ClassRules::builtin()).classes, context.stop);
}

} // namespace

TraceSession::TraceSession(TaskRunner& runner, QObject* parent) : QObject(parent), m_runner(runner) {}

void TraceSession::open(const std::vector<std::filesystem::path>& paths, const QString& title, bool keep) {
    OpenOptions options;
    options.cache = keep;
    read(paths, title, options);
}

void TraceSession::read(const std::vector<std::filesystem::path>& paths, const QString& title,
                        const OpenOptions& options) {
    m_runner.drop(m_verifySlot);
    m_runner.start(
        m_slot, tr("Reading the trace of %1").arg(title),
        [paths, options](TaskContext& context) { return readRun(paths, options, context); }, this,
        [this, paths, title, options](Result<std::shared_ptr<const TraceStore>> answer) {
            if (!answer) {
                if (answer.error().code != ErrorCode::Cancelled)
                    Q_EMIT failed(QString::fromStdString(answer.error().message));
                return;
            }
            m_store = std::move(*answer);
            m_title = title;
            m_paths = paths;
            m_reason.clear();
            Q_EMIT changed();
            if (options.cache && !options.renew)
                verify(paths, options);
        });
}

/// Opening a large file does not wait for its checksums; a kept one that turns out to be damaged is read
/// again.
void TraceSession::verify(const std::vector<std::filesystem::path>& paths, const OpenOptions& options) {
    if (m_store->file().size() <= StoreFile::kSmallBytes)
        return; // done when it was opened
    m_runner.start(
        m_verifySlot, tr("Checking what was kept of %1").arg(m_title),
        [store = m_store](TaskContext& context) { return Result<bool>(store->verifyColumns(context.stop)); },
        this,
        [this, paths, options](Result<bool> intact) {
            if (intact && *intact)
                return;
            OpenOptions anew = options;
            anew.renew = true;
            read(paths, m_title, anew);
        });
}

void TraceSession::close(const QString& reason) {
    m_runner.drop(m_slot);
    m_runner.drop(m_verifySlot);
    m_store.reset();
    m_title.clear();
    m_paths.clear();
    m_reason = reason;
    Q_EMIT changed();
}

} // namespace ddp::ui
