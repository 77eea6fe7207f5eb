// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace ddp::worker {

/// Linear(4,4) without bias, BatchNorm1d(4), Linear(4,2): 16 + 8 + 10 = 34 scalars. Each scalar is a
/// parameter tensor of its own, since libtorch's check counts tensors and its message shall say "34 params".
/// All ranks start with the same values.
class TinyNet {
public:
    TinyNet();

    const std::vector<at::Tensor>& parameters() const { return m_parameters; }
    std::int64_t elements() const;
    at::Tensor forward(const at::Tensor& input) const;

private:
    at::Tensor assembled(std::size_t first, std::initializer_list<std::int64_t> shape) const;

    std::vector<at::Tensor> m_parameters;
};

/// The training data of a rank: other numbers on each rank, so that equal gradients prove an all-reduce.
struct Batch {
    at::Tensor input;
    at::Tensor target;
};
Batch makeBatch(int rank);

} // namespace ddp::worker
