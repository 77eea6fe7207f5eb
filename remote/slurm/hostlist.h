// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote::slurm {

/// The names that Slurm writes short: `node[01-03,7],login` is node01, node02, node03, node7, login; several
/// brackets in one name multiply. More than 100,000 names are an error.
Result<std::vector<std::string>> expandHostlist(std::string_view list);

} // namespace ddp::remote::slurm
