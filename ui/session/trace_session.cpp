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

QString runTitle(const std::vector<std::filesystem::path>& paths) {
    const std::filesystem::path& first = paths.front();
    const std::filesystem::path name =
        first.filename().empty() ? first.parent_path().filename() : first.filename();
    const QString title = QString::fromStdString(name.string());
    return paths.size() > 1 ? TraceSession::tr("%1 and %2 more").arg(title).arg(paths.size() - 1) : title;
}

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
            take(std::move(*answer), paths, title);
            if (options.cache && !options.renew)
                verify(paths, options);
        });
}

void TraceSession::show(std::shared_ptr<const TraceStore> store,
                        const std::vector<std::filesystem::path>& paths, const QString& title) {
    m_runner.drop(m_slot);
    m_runner.drop(m_verifySlot);
    take(std::move(store), paths, title);
}

void TraceSession::take(std::shared_ptr<const TraceStore> store,
                        const std::vector<std::filesystem::path>& paths, const QString& title) {
    m_store = std::move(store);
    m_paths = paths;
    m_title = title;
    m_reason.clear();
    Q_EMIT changed();
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
