// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/analysis_session.h"
#include "ui/session/palette.h"
#include "ui/session/settings.h"
#include "ui/session/trace_session.h"
#include "ui/session/user_rules.h"

#include <QObject>

#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace ddp::ui {

class TimelineView;

/// What of the trace is shown and how it counts: the filter, the colours of slices, the user's rules and the
/// clocks. Owns the actions and dialogs for it, and keeps what outlives the program.
class ViewOptions final : public QObject {
    Q_OBJECT

public:
    struct Parts {
        TraceSession& session;
        const AnalysisSession& analysis;
        TaskRunner& runner;
        const Palette& palette;
        Settings& settings;
        QString settingsFile;
        TimelineView& timeline;
        QWidget& window;
    };

    explicit ViewOptions(const Parts& parts, QObject* parent = nullptr);
    void addTo(QMenu& view);

Q_SIGNALS:
    void failed(const QString& sentence);

public Q_SLOTS:
    void loadRules();

private:
    void addColors(QMenu& view);
    void showRules();
    void showClocks();
    Result<void> takeRules(const std::vector<UserRule>& rules);
    void setColorBy(ColorBy by);
    void recolor();

    Parts m_parts;
    QString m_rulesFile;
    std::vector<UserRule> m_rules;
};

} // namespace ddp::ui
