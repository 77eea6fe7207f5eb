// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/services.h"

namespace ddp::app {

/// The concrete parts of the program: the only place that names them across layers. The worker is the one
/// beside this program; jobs run below $XDG_CACHE_HOME/ddpscope, runs are kept below $XDG_DATA_HOME/ddpscope.
ui::Services makeServices();

} // namespace ddp::app
