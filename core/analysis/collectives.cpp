// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives.h"

namespace ddp {

RunCollectives findCollectives(const TraceStore&, const RunActivity&, const RunSteps&, std::stop_token) {
    return {};
}

} // namespace ddp
