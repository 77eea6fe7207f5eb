// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/analysis_session.h"
#include "ui/session/run_memory.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"

#include <QJsonObject>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace ddp::ui {

class TimelineCanvas;

/// A run that is opened again is seen as it was left: visible time, scroll, folded ranks, and the filter. One
/// that is new here begins with as many ranks folded as do not fit.
class ViewMemory final : public QObject {
    Q_OBJECT

public:
    /// To be made after whatever hands stores and analyses on to the canvas, for it comes last.
    ViewMemory(RunMemory& memory, const TraceSession& session, const AnalysisSession& analysis,
               ViewState& view, TimelineCanvas& canvas, QObject* parent = nullptr);
    ~ViewMemory() override;

    /// Keeps what changed since; done a moment after each change as well.
    void flush();

private:
    void takeStore();
    void takeAnalysis();
    void note();
    void restore(const QJsonObject& seen);
    void noteFilter();

    RunMemory& m_memory;
    const TraceSession& m_session;
    const AnalysisSession& m_analysis;
    ViewState& m_view;
    TimelineCanvas& m_canvas;
    std::shared_ptr<const TraceStore> m_store; // whose view was restored
    std::vector<std::filesystem::path> m_paths;
    std::optional<QJsonObject> m_seen; // not yet kept
    std::optional<QJsonObject> m_filter;
    std::optional<int> m_scroll; // to go to when all rows are there
    bool m_new = false;          // nothing is known of it, and not all rows are there
    QTimer m_pause;
};

} // namespace ddp::ui
