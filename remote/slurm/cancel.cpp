// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/cancel.h"

#include "remote/slurm/queue.h"

#include <fmt/format.h>

namespace ddp::remote::slurm {

std::vector<SlurmCommand> softCancelCommands(const Site& site, const JobId& id) {
    const std::string number = fmt::format("{}", id.number);
    return {forSite(siteOf(site, id), {"scancel", "--signal=TERM", "--batch", number}),
            forSite(siteOf(site, id), {"scancel", "--signal=TERM", number})};
}

SlurmCommand plainCancelCommand(const Site& site, const JobId& id) {
    return forSite(siteOf(site, id), {"scancel", fmt::format("{}", id.number)});
}

} // namespace ddp::remote::slurm
