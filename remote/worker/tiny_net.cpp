// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/tiny_net.h"

namespace ddp::worker {

namespace {

constexpr std::size_t kFirstWeight = 0;   // 4 x 4
constexpr std::size_t kNormWeight = 16;   // 4
constexpr std::size_t kNormBias = 20;     // 4
constexpr std::size_t kSecondWeight = 24; // 2 x 4
constexpr std::size_t kSecondBias = 32;   // 2
constexpr std::size_t kCount = 34;
constexpr std::int64_t kBatchSize = 8;

/// Own numbers and not libtorch's generator, whose sequence differs between its versions.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15ULL + 1) {}
    /// In [-0.5, 0.5).
    float next() {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<float>(m_state >> 40) / static_cast<float>(1ULL << 24) - 0.5F;
    }

private:
    std::uint64_t m_state;
};

at::Tensor filled(Numbers& numbers, std::int64_t rows, std::int64_t columns) {
    at::Tensor tensor = at::empty({rows, columns}, at::kFloat);
    for (std::int64_t i = 0; i < rows * columns; ++i)
        tensor.data_ptr<float>()[i] = numbers.next();
    return tensor;
}

} // namespace

TinyNet::TinyNet() {
    Numbers numbers(34);
    for (std::size_t i = 0; i < kCount; ++i) {
        float value = numbers.next();
        if (i >= kNormWeight && i < kSecondWeight)
            value = i < kNormBias ? 1.0F : 0.0F;
        m_parameters.push_back(at::full({1}, value, at::kFloat).set_requires_grad(true));
    }
}

std::int64_t TinyNet::elements() const {
    std::int64_t count = 0;
    for (const auto& parameter : m_parameters)
        count += parameter.numel();
    return count;
}

at::Tensor TinyNet::assembled(std::size_t first, std::initializer_list<std::int64_t> shape) const {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    const auto begin = m_parameters.begin() + static_cast<std::ptrdiff_t>(first);
    return at::cat(std::vector<at::Tensor>(begin, begin + count))
        .view(at::IntArrayRef(shape.begin(), shape.size()));
}

at::Tensor TinyNet::forward(const at::Tensor& input) const {
    const at::Tensor hidden = at::linear(input, assembled(kFirstWeight, {4, 4}));
    const at::Tensor normed = at::batch_norm(hidden, assembled(kNormWeight, {4}), assembled(kNormBias, {4}),
                                             {}, {}, true, 0.1, 1e-5, false);
    return at::linear(at::relu(normed), assembled(kSecondWeight, {2, 4}), assembled(kSecondBias, {2}));
}

Batch makeBatch(int rank) {
    Numbers numbers(static_cast<std::uint64_t>(rank) + 1);
    at::Tensor input = filled(numbers, kBatchSize, 4);
    return {input, filled(numbers, kBatchSize, 2)};
}

} // namespace ddp::worker
