// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/connection/connection.h"

#include <QString>

#include <chrono>

namespace ddp::ui {

/// The state of a connection in a few words for the status bar: "connected to atlas", "atlas: connection
/// lost, tries again in 12 s".
QString connectionText(const QString& cluster, const remote::ConnectionState& state,
                       std::chrono::system_clock::time_point now);
/// The same in whole sentences, with what can be done.
QString connectionSentence(const QString& cluster, const remote::ConnectionState& state,
                           std::chrono::system_clock::time_point now);

} // namespace ddp::ui
