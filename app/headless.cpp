// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless.h"

#include "app/options.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QImageWriter>
#include <QPixmap>

#include <cstdio>

namespace ddp::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLookMs = 50;
// Several looks in a row: between two tasks there is a moment without one.
constexpr int kIdleLooks = 4;
constexpr qint64 kDeadlineMs = 15 * 60 * 1000;

void printVerdict(const ui::RunRecord& run) {
    const QString cause = run.report ? QString::fromStdString(run.report->diagnosis.cause) : QString();
    std::printf("verdict:  %s\n", qPrintable(ui::statusText(run, QDateTime::currentDateTime())));
    std::printf("cause:    %s\n", cause.isEmpty() ? "none" : qPrintable(cause));
    std::printf("sentence: %s\n", qPrintable(ui::verdictSentence(run)));
    std::printf("run:      %s\n", run.folder.c_str());
}

} // namespace

Headless::Headless(ui::MainWindow& window, const QString& picture, QObject* parent)
    : QObject(parent), m_window(window), m_picture(picture) {
    connect(&m_timer, &QTimer::timeout, this, &Headless::look);
    m_timer.start(kLookMs);
    m_since.start();
}

void Headless::look() {
    m_idleLooks = m_window.idle() ? m_idleLooks + 1 : 0;
    if (m_idleLooks < kIdleLooks && m_since.elapsed() < kDeadlineMs)
        return;
    m_timer.stop();
    QApplication::exit(finish());
}

int Headless::finish() {
    if (!m_window.idle()) {
        std::fprintf(stderr,
                     "ddpscope: The check did not end within 15 minutes, so there is nothing to show.\n");
        return 1;
    }
    // The first grab lays out what is new; its queued repaints are in the second one.
    m_window.grab();
    QApplication::processEvents();
    const QPixmap picture = m_window.grab();
    QImageWriter writer(m_picture);
    if (!writer.write(picture.toImage())) {
        std::fprintf(stderr,
                     "ddpscope: The picture %s can not be written: %s. Check the folder and the ending.\n",
                     qPrintable(m_picture), qPrintable(writer.errorString()));
        return kExitUnwritable;
    }
    if (const ui::RunRecord* run = m_window.shownRun())
        printVerdict(*run);
    std::printf("picture:  %s\n", qPrintable(QFileInfo(m_picture).absoluteFilePath()));
    if (std::fflush(stdout) != 0) {
        std::fprintf(stderr,
                     "ddpscope: The verdict could not be written to standard output: is the disk full?\n");
        return kExitUnwritable;
    }
    if (const ui::RunRecord* run = m_window.shownRun(); run && !run->failure.isEmpty()) {
        std::fprintf(stderr, "ddpscope: %s\n", qPrintable(run->failure));
        return 1;
    }
    if (!m_window.message().isEmpty()) {
        std::fprintf(stderr, "ddpscope: %s\n", qPrintable(m_window.message()));
        return kExitUnreadable;
    }
    return 0;
}

} // namespace ddp::app
