// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/ddp_check.h"

#include "remote/worker/failure.h"

namespace ddp::worker {

namespace {

void sendZeroCount(const compat::ProcessGroup& group) {
    std::vector<at::Tensor> inputs{at::zeros({1}, at::kLong)};
    std::vector<std::vector<at::Tensor>> outputs(1);
    for (int rank = 0; rank < group->getSize(); ++rank)
        outputs[0].push_back(at::zeros({1}, at::kLong));
    group->allgather(outputs, inputs)->wait();
}

} // namespace

records::DdpCheck runDdpCheck(const compat::ProcessGroup& group, const std::vector<at::Tensor>& parameters) {
    if (parameters.empty()) {
        sendZeroCount(group);
        return {
            "skipped",
            "this rank has no parameters, with which libtorch's check can not be called; it sent the count "
            "0 by hand"};
    }
    try {
        c10d::verify_params_across_processes(group, parameters, {});
    } catch (const std::exception& error) {
        return {"raised", withoutBacktrace(error.what())};
    }
    return {"passed", {}};
}

} // namespace ddp::worker
