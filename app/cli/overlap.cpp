// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"

namespace ddp::cli {

void addOverlap(CLI::App&, Outcome&) {}

} // namespace ddp::cli
