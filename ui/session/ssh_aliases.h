// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <filesystem>

namespace ddp::ui {

/// The names behind `Host` in a configuration of ssh and in what it includes, in their order, without
/// patterns: a choice of machines to connect to. A file that can not be read has none. Any thread.
QStringList sshAliases(const std::filesystem::path& configFile);

} // namespace ddp::ui
