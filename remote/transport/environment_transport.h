// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <map>
#include <memory>
#include <string>

namespace ddp::remote {

/// The same machine, with these variables set before every command.
std::unique_ptr<Transport> makeEnvironmentTransport(std::unique_ptr<Transport> transport,
                                                    const std::map<std::string, std::string>& environment);

} // namespace ddp::remote
