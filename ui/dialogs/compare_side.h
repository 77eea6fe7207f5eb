// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/session/palette.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace ddp::ui {

class TimelineView;

/// One of the two runs of a comparison: what is open, how it is seen, and what is known of it.
class CompareSide final : public QObject {
    Q_OBJECT

public:
    /// The view belongs to who lays it out; it is to go before this object.
    CompareSide(TaskRunner& runner, const Palette& palette, const QString& name);

    /// Shows what another session has open; it is analysed here, unless `run` is that already.
    void show(const TraceSession& session, std::shared_ptr<const RunAnalysis> run);
    void open(const std::vector<std::filesystem::path>& paths, const ClassRules& rules, bool keep);

    TimelineView& view() const { return *m_shown; }
    ViewState& state() { return m_state; }
    const TraceSession& session() const { return m_session; }
    /// Null: not read, or not analysed yet.
    const std::shared_ptr<const RunAnalysis>& run() const { return m_run; }

Q_SIGNALS:
    void changed(); ///< of run()
    void failed(const QString& sentence);

private:
    void takeStore();
    void noteStop();
    void takeRun(std::shared_ptr<const RunAnalysis> run);

    TaskRunner& m_runner;
    TaskSlot m_slot;
    TraceSession m_session;
    ViewState m_state;
    TimelineView* m_shown;
    std::shared_ptr<const RunAnalysis> m_run;
    bool m_reading = false;
    std::shared_ptr<const RunAnalysis> m_given; // analysed elsewhere
};

} // namespace ddp::ui
