// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/cancel.h"

#include "remote/slurm/queue.h"

#include <fmt/format.h>

namespace ddp::remote::slurm {

SlurmCommand softCancelCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scancel", "--signal=TERM", "--full", fmt::format("{}", id.number)});
}

SlurmCommand plainCancelCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scancel", fmt::format("{}", id.number)});
}

} // namespace ddp::remote::slurm
