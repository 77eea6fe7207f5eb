// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <utility>

namespace ddp::worker::compat {

/// A collective path that does not deliver: every all-gather really runs, but only the rank's own slot
/// reaches the caller's buffers; the peers' slots stay as they were. A broken path stays broken, so the
/// canary and libtorch's own check meet the same fault. Base is what carries the collectives: the process
/// group itself in 1.13, a backend of it from 2.0 on.
template <class Base>
class LossyBackend final : public Base {
public:
    explicit LossyBackend(c10::intrusive_ptr<Base> inner)
        : Base(inner->getRank(), inner->getSize()), m_inner(std::move(inner)) {}

    const std::string getBackendName() const override { return m_inner->getBackendName(); }

    c10::intrusive_ptr<c10d::Work> allgather(std::vector<std::vector<at::Tensor>>& outputs,
                                             std::vector<at::Tensor>& inputs,
                                             const c10d::AllgatherOptions& options) override {
        std::vector<std::vector<at::Tensor>> scratch;
        for (const auto& list : outputs) {
            scratch.emplace_back();
            for (const auto& tensor : list)
                scratch.back().push_back(at::empty_like(tensor));
        }
        auto work = m_inner->allgather(scratch, inputs, options);
        work->wait();
        const auto own = static_cast<std::size_t>(this->getRank());
        for (std::size_t i = 0; i < outputs.size(); ++i)
            outputs[i][own].copy_(scratch[i][own]);
        return work;
    }

    c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                             const c10d::AllreduceOptions& options) override {
        return m_inner->allreduce(tensors, options);
    }

    c10::intrusive_ptr<c10d::Work> broadcast(std::vector<at::Tensor>& tensors,
                                             const c10d::BroadcastOptions& options) override {
        return m_inner->broadcast(tensors, options);
    }

private:
    c10::intrusive_ptr<Base> m_inner;
};

} // namespace ddp::worker::compat
