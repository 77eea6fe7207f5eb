// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

namespace ddp::app {

/// `--render`: reads and analyses the traces and writes the picture of their timeline. Gives the exit code;
/// what is wrong is one line on stderr. Needs a QApplication.
int renderPicture(const Options& options);

} // namespace ddp::app
