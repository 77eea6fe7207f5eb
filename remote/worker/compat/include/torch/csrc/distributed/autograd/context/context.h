// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// reducer.hpp of libtorch up to 2.0 includes this header, which Debian and the old wheels do not ship. The
// folder is searched last (-idirafter), so the real one is used where it exists. Only what reducer.hpp names
// is here.

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace torch::distributed::autograd {

class DistAutogradContext {
public:
    using GradCallback = std::function<bool(at::Tensor&)>;
};

using ContextPtr = std::shared_ptr<DistAutogradContext>;

} // namespace torch::distributed::autograd
