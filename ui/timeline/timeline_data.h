// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/analysis_session.h"

namespace ddp::ui {

class TimelineCanvas;

/// Gets the timeline what takes a look at all counters, messages or collectives of a run, in tasks.
class TimelineData final : public QObject {
    Q_OBJECT

public:
    TimelineData(const TraceSession& traces, const AnalysisSession& analysis, TaskRunner& runner,
                 TimelineCanvas& canvas, QObject* parent = nullptr);

private:
    void takeStore();
    void takeAnalysis();

    const TraceSession& m_traces;
    const AnalysisSession& m_analysis;
    TaskRunner& m_runner;
    TimelineCanvas& m_canvas;
    std::shared_ptr<const RunAnalysis> m_indexed;
    TaskSlot m_recordsSlot;
    TaskSlot m_collectivesSlot;
};

} // namespace ddp::ui
