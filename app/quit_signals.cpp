// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quit_signals.h"

#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace ddp::app {

namespace {

// A handler may do next to nothing: it writes one byte, the event loop reads it.
int g_pipe[2] = {-1, -1};
volatile std::sig_atomic_t g_seen = 0;

void handle(int number) {
    if (g_seen)
        _exit(128 + number);
    g_seen = 1;
    const char byte = static_cast<char>(number);
    [[maybe_unused]] const auto written = write(g_pipe[1], &byte, 1);
}

} // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // out of file handles: the signals keep their default, which ends the program
    m_notifier = std::make_unique<QSocketNotifier>(g_pipe[0], QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        if (read(g_pipe[0], &byte, 1) == 1)
            Q_EMIT quitWanted(byte);
    });
    struct sigaction action {};
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

QuitSignals::~QuitSignals() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    m_notifier.reset();
    for (int& end : g_pipe) {
        if (end >= 0)
            close(end);
        end = -1;
    }
}

} // namespace ddp::app
