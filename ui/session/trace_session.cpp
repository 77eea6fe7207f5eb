// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trace_session.h"

#include "core/import/open_run.h"

namespace ddp::ui {

TraceSession::TraceSession(TaskRunner& runner, QObject* parent) : QObject(parent), m_runner(runner) {}

void TraceSession::open(const std::vector<std::filesystem::path>& paths, const QString& title) {
    m_runner.start(
        m_slot, tr("Reading the trace of %1").arg(title),
        [paths](TaskContext& context) { return openRun(paths, context.stop, context.progress); }, this,
        [this, title](Result<std::shared_ptr<const TraceStore>> answer) {
            if (!answer) {
                if (answer.error().code != ErrorCode::Cancelled)
                    Q_EMIT failed(QString::fromStdString(answer.error().message));
                return;
            }
            m_store = std::move(*answer);
            m_title = title;
            m_reason.clear();
            Q_EMIT changed();
        });
}

void TraceSession::close(const QString& reason) {
    m_runner.drop(m_slot);
    m_store.reset();
    m_title.clear();
    m_reason = reason;
    Q_EMIT changed();
}

} // namespace ddp::ui
