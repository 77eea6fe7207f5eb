// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/connection_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace ddp::ui {

using remote::ConnectionPhase;
using remote::ConnectionState;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ConnectionText", text);
}

/// Whole seconds, rounded up; 0 when it is time.
qint64 secondsUntil(const ConnectionState& state, std::chrono::system_clock::time_point now) {
    if (!state.retryAt)
        return 0;
    return std::max<qint64>(0, std::chrono::ceil<std::chrono::seconds>(*state.retryAt - now).count());
}

} // namespace

QString connectionText(const QString& cluster, const ConnectionState& state,
                       std::chrono::system_clock::time_point now) {
    switch (state.phase) {
    case ConnectionPhase::Idle:
    case ConnectionPhase::NeedsUser:
        return tr("not connected to %1").arg(cluster);
    case ConnectionPhase::Connecting:
        return tr("connecting to %1 …").arg(cluster);
    case ConnectionPhase::Connected:
        return tr("connected to %1").arg(cluster);
    case ConnectionPhase::Lost:
        break;
    }
    const qint64 seconds = secondsUntil(state, now);
    return seconds > 0 ? tr("connection to %1 lost, tries again in %2 s").arg(cluster).arg(seconds)
                       : tr("connection to %1 lost, tries again").arg(cluster);
}

QString connectionSentence(const QString& cluster, const ConnectionState& state,
                           std::chrono::system_clock::time_point now) {
    const QString why = QString::fromStdString(state.why);
    switch (state.phase) {
    case ConnectionPhase::Idle:
        return tr("There is no connection to %1. Click here to connect.").arg(cluster);
    case ConnectionPhase::Connecting:
        return tr("The connection to %1 is being made; you may be asked to log in.").arg(cluster);
    case ConnectionPhase::Connected:
        return tr("One connection to %1 is open and kept alive. Click here to ask for its nodes and jobs "
                  "now.")
            .arg(cluster);
    case ConnectionPhase::NeedsUser:
        return tr("%1 Click here to try again.").arg(why);
    case ConnectionPhase::Lost:
        break;
    }
    const QString again =
        tr("It is tried again in %1 s. Click here to try now.").arg(secondsUntil(state, now));
    return why.isEmpty() ? again : why + u' ' + again;
}

} // namespace ddp::ui
