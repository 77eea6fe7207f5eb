// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"
#include "ui/session/trace_session.h"
#include "ui/tasks/task_runner.h"

#include <QObject>
#include <QString>

class QAction;
class QWidget;

namespace ddp::ui {

class TimelineCanvas;

/// How the picture of the timeline leaves the program: as a file, or to the clipboard.
class ViewExport final : public QObject {
    Q_OBJECT

public:
    ViewExport(TimelineCanvas& canvas, const TraceSession& session, const Palette& palette,
               TaskRunner& runner, QWidget& window);

    QAction* exportAction() const { return m_export; }
    QAction* copyAction() const { return m_copy; }

    /// The ending says the format: .png, .svg or .pdf.
    void save(const QString& file);
    void copy() const;

Q_SIGNALS:
    void saved(const QString& file);
    void failed(const QString& sentence);

private:
    void chooseFile();
    QImage image() const;

    TimelineCanvas& m_canvas;
    const TraceSession& m_session;
    const Palette& m_palette;
    TaskRunner& m_runner;
    TaskSlot m_slot;
    QWidget& m_window;
    QAction* m_export;
    QAction* m_copy;
};

} // namespace ddp::ui
