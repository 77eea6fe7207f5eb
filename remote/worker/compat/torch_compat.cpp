// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/compat/torch_compat.h"

#include "remote/worker/compat/lossy_backend.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/version.h>

#include <cstdlib>
#include <type_traits>
#include <unordered_map>

namespace ddp::worker::compat {

namespace {

using GroupOfTorch = c10d::ProcessGroup;
using Gloo = c10d::ProcessGroupGloo;

// 1.13 has a Backend class, too, but nothing derives from it.
using CollectiveBase = std::conditional_t<std::is_base_of_v<GroupOfTorch, Gloo>, GroupOfTorch, c10d::Backend>;

template <class Group, class = void>
struct HasSetDefault : std::false_type {};
template <class Group>
struct HasSetDefault<
    Group, std::void_t<decltype(std::declval<Group&>().setDefaultBackend(Group::BackendType::GLOO))>>
    : std::true_type {};

// The class is a template parameter wherever versions differ: else the branch not taken would be compiled,
// too.
template <class Group, class Base>
c10::intrusive_ptr<Group> groupOf(c10::intrusive_ptr<Base> backend, const Store& store, int rank, int size) {
    if constexpr (std::is_base_of_v<Group, Base>) {
        return backend;
    } else {
        c10::intrusive_ptr<Group> group;
        if constexpr (std::is_constructible_v<Group, Store, int, int>)
            group = c10::make_intrusive<Group>(store, rank, size);
        else
            group = c10::make_intrusive<Group>(
                store, rank, size, c10::make_intrusive<typename Group::Options>(std::string("gloo")));
        group->setBackend(c10::DeviceType::CPU, Group::BackendType::GLOO, backend);
        if constexpr (HasSetDefault<Group>::value)
            group->setDefaultBackend(Group::BackendType::GLOO);
        return group;
    }
}

using Parameters = std::vector<at::Tensor>;
using Buckets = std::vector<std::vector<std::size_t>>;
using Limits = std::vector<std::size_t>;
using Flags = std::vector<bool>;
using Names = std::unordered_map<std::size_t, std::string>;
using Caps = std::vector<std::int64_t>;

template <class Reducer>
std::unique_ptr<Reducer> reducerOf(const Parameters& parameters, const Buckets& buckets, const Limits& limits,
                                   const ProcessGroup& group) {
    const Flags sparse(parameters.size(), false);
    const std::int64_t cap = c10d::kDefaultBucketBytesCap;
    const std::int64_t firstCap = c10d::kDefaultFirstBucketBytes;
    if constexpr (std::is_constructible_v<Reducer, Parameters, Buckets, ProcessGroup, Flags, std::int64_t,
                                          bool, bool, Names, std::int64_t, bool, bool, Caps>)
        return std::make_unique<Reducer>(parameters, buckets, group, sparse, cap, false, false, Names{},
                                         firstCap, false, false, Caps{firstCap, cap});
    else if constexpr (std::is_constructible_v<Reducer, Parameters, Buckets, ProcessGroup, Flags,
                                               std::int64_t, bool, bool, Names, std::int64_t, bool, bool>)
        return std::make_unique<Reducer>(parameters, buckets, group, sparse, cap, false, false, Names{},
                                         firstCap, false, false);
    else if constexpr (std::is_constructible_v<Reducer, Parameters, Buckets, Limits, ProcessGroup, Flags,
                                               std::int64_t, bool, bool, Names, std::int64_t>)
        return std::make_unique<Reducer>(parameters, buckets, limits, group, sparse, cap, false, false,
                                         Names{}, firstCap);
    else
        return std::make_unique<Reducer>(parameters, buckets, group, sparse, cap, false, false, Names{},
                                         firstCap);
}

} // namespace

std::string torchVersion() {
    return TORCH_VERSION;
}

ProcessGroup makeGlooGroup(const Store& store, const GlooGroup& group) {
    auto options = Gloo::Options::create(group.timeout);
    const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
    if (interface != nullptr && *interface != '\0')
        options->devices.push_back(Gloo::createDeviceForInterface(interface));
    else if (group.loopback)
        options->devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
    else
        options->devices.push_back(Gloo::createDefaultDevice());
    options->threads = 2; // as DistributedDataParallel gets them
    c10::intrusive_ptr<CollectiveBase> backend =
        c10::make_intrusive<Gloo>(store, group.rank, group.worldSize, options);
    if (group.dropDelivery)
        backend = c10::make_intrusive<LossyBackend<CollectiveBase>>(std::move(backend));
    return groupOf<GroupOfTorch>(std::move(backend), store, group.rank, group.worldSize);
}

std::unique_ptr<c10d::Reducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                           const ProcessGroup& group) {
    const auto [buckets, limits] =
        c10d::compute_bucket_assignment_by_size(parameters,
                                                {static_cast<std::size_t>(c10d::kDefaultFirstBucketBytes),
                                                 static_cast<std::size_t>(c10d::kDefaultBucketBytesCap)},
                                                std::vector<bool>(parameters.size(), false));
    return reducerOf<c10d::Reducer>(parameters, buckets, limits, group);
}

} // namespace ddp::worker::compat
