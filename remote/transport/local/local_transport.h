// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <memory>

namespace ddp::remote {

/// This machine, by the same interface as one behind SSH.
std::unique_ptr<Transport> makeLocalTransport();

} // namespace ddp::remote
