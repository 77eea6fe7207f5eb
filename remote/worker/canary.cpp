// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/canary.h"

#include "remote/worker/checksum.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace ddp::worker {

namespace {

constexpr std::int64_t kMagic = 0x6464707363616e61;    // "ddpscana"
constexpr std::int64_t kSentinel = 0x5e5e5e5e5e5e5e5e; // no count, no rank, not zero and not all ones
constexpr useconds_t kPollMicroseconds = 1'000;
constexpr std::size_t kWords = 5;
using Payload = std::array<std::int64_t, kWords>; // magic, rank, tensors, elements, checksum of the four

std::int64_t checksumOf(const Payload& payload) {
    return static_cast<std::int64_t>(checksum(payload.data(), 4 * sizeof(std::int64_t)));
}

at::Tensor toTensor(const Payload& payload) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(kWords)}, at::kLong);
    std::copy(payload.begin(), payload.end(), tensor.data_ptr<std::int64_t>());
    return tensor;
}

records::Canary::Slot judged(int rank, const at::Tensor& buffer, const records::StoreView& store) {
    records::Canary::Slot slot;
    slot.rank = rank;
    slot.expected = store.peers.at(static_cast<std::size_t>(rank)).tensors;
    Payload payload{};
    std::copy_n(buffer.data_ptr<std::int64_t>(), kWords, payload.begin());
    if (std::all_of(payload.begin(), payload.end(), [](std::int64_t word) { return word == kSentinel; }))
        return slot;
    slot.received = payload[2];
    slot.intact = payload[0] == kMagic && payload[1] == rank && payload[4] == checksumOf(payload);
    return slot;
}

} // namespace

records::Canary runCanary(RankSession& session, const compat::ProcessGroup& group,
                          const records::StoreView& store, const records::Facts& own) {
    const RankPlace& place = session.place();
    Payload payload{kMagic, place.rank, own.tensors, own.elements, 0};
    payload[4] = checksumOf(payload);
    std::vector<at::Tensor> inputs{toTensor(payload)};
    std::vector<std::vector<at::Tensor>> outputs(1);
    for (int rank = 0; rank < place.worldSize; ++rank)
        outputs[0].push_back(at::full({static_cast<std::int64_t>(kWords)}, kSentinel, at::kLong));

    records::Canary canary;
    canary.run = true;
    const auto work = group->allgather(outputs, inputs);
    // Not wait(): what it does about a peer that never comes differs between backends and versions.
    const std::int64_t margin = std::min(secondsToNs(1), session.nsLeft() / 5);
    while (!work->isCompleted() && session.nsLeft() > margin)
        ::usleep(kPollMicroseconds);
    if (work->isCompleted()) {
        work->wait(); // throws what went wrong
        canary.completed = true;
    }
    for (int rank = 0; rank < place.worldSize; ++rank)
        canary.gathered.push_back(judged(rank, outputs[0][static_cast<std::size_t>(rank)], store));
    return canary;
}

bool allDelivered(const records::Canary& canary) {
    return canary.completed &&
           std::all_of(canary.gathered.begin(), canary.gathered.end(),
                       [](const auto& slot) { return slot.intact && slot.received == slot.expected; });
}

} // namespace ddp::worker
