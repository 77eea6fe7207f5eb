// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stand-in with what inline functions of ProcessGroupGloo.hpp name. They are emitted in libtorch only; were
// one of them emitted here, the link would fail, since this function has no body.

#include <chrono>

namespace gloo {

class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

} // namespace gloo
