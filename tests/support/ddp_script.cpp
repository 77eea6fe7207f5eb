// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ddp_script.h"

#include "tests/support/small_random.h"

#include <algorithm>
#include <otf2/OTF2_Definitions.h>

namespace ddp::test {

namespace {

using Kind = ScriptEvent::Kind;

enum Region : std::uint32_t {
    kStep,
    kForward,
    kBackward,
    kOptimizer,
    kModule,
    kTinyCall,
    kLaunchKernel,
    kLaunchKernelEx,
    kMemcpyAsync,
    kEventRecord,
    kStreamSynchronize,
    kBufferFlush,
    kMpiAllreduce,
    kMpiSendrecv,
    kComputeIdle,
    kDeviceSynchronize,
    kNccl,
    kKernels = kNccl + 3,
    kRegions = kKernels + 12
};

std::vector<ScriptRegion> makeRegions() {
    constexpr unsigned kKernelRole = 40; // OTF2 3.1; libotf2 3.0 does not know it
    std::vector<ScriptRegion> all;
    const auto add = [&](std::string name, std::string file, TruthClass workClass, unsigned role,
                         unsigned paradigm, std::string canonicalName = "") {
        if (canonicalName.empty())
            canonicalName = name;
        all.push_back(
            {{std::move(name), std::move(file), workClass}, std::move(canonicalName), role, paradigm});
    };
    const auto python = [&](const char* name, const char* file) {
        add(name, file, TruthClass::Host, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER);
    };
    const auto api = [&](const char* name, const char* file, unsigned role) {
        add(name, file, TruthClass::Host, role, OTF2_PARADIGM_CUDA);
    };
    const auto kernel = [&](std::string name, TruthClass workClass, std::string canonicalName) {
        add(std::move(name), "CUDA_KERNEL", workClass, kKernelRole, OTF2_PARADIGM_CUDA,
            std::move(canonicalName));
    };
    python("user:step", "/home/alice/train.py");
    python("__main__:forward", "/home/alice/train.py");
    python("torch._tensor:backward", "/usr/lib/python3/torch/_tensor.py");
    python("torch.optim.sgd:step", "/usr/lib/python3/torch/optim/sgd.py");
    python("torch.nn.modules.module.Module:_call_impl", "/usr/lib/python3/torch/nn/modules/module.py");
    python("torch._C:tiny", "/usr/lib/python3/torch/_C.py");
    api("cuLaunchKernel", "CUDRV", OTF2_REGION_ROLE_WRAPPER);
    api("cuLaunchKernelEx", "CUDRV", OTF2_REGION_ROLE_FUNCTION);
    api("cudaMemcpyAsync", "CUDART", OTF2_REGION_ROLE_DATA_TRANSFER);
    api("cuEventRecord", "CUDRV", OTF2_REGION_ROLE_FUNCTION);
    api("cuStreamSynchronize", "CUDRV", OTF2_REGION_ROLE_FUNCTION);
    api("BUFFER FLUSH", "CUDA_FLUSH", OTF2_REGION_ROLE_ARTIFICIAL);
    add("MPI_Allreduce", "MPI", TruthClass::Host, OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI);
    add("MPI_Sendrecv", "MPI", TruthClass::Host, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI);
    add("COMPUTE IDLE", "CUDA_IDLE", TruthClass::Ignored, OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_CUDA);
    add("DEVICE SYNCHRONIZE", "CUDA_SYNC", TruthClass::Ignored, OTF2_REGION_ROLE_IMPLICIT_BARRIER,
        OTF2_PARADIGM_CUDA);
    for (const char* name : {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllGather_RING_LL",
                             "ncclKernel_ReduceScatter_TREE_LL_Sum_float(ncclDevComm*)"})
        kernel(name, TruthClass::Communication, std::string("_Z") + name);
    constexpr int kVariants = kRegions - kKernels;
    for (int i = 0; i < kVariants; ++i) {
        // The last one carries the template arguments that real ones carry: more than a kilobyte.
        const std::string arguments = i == kVariants - 1 ? std::string(2'000, 'x') : std::to_string(i);
        kernel("void at::native::elementwise_kernel<" + arguments + ">(int, float*)", TruthClass::Compute,
               "_ZN2at6native18elementwise_kernelILi" + arguments + "EEEviPf");
    }
    return all;
}

SmallRandom randomOf(std::uint64_t seed, std::uint64_t who, std::uint64_t step) {
    return SmallRandom(seed * 0x9e3779b97f4a7c15u ^ who * 0xd1b54a32d192ed03u ^ step * 0x8cb92ba72f3d8dd7u);
}

} // namespace

const std::vector<ScriptRegion>& scriptRegions() {
    static const std::vector<ScriptRegion> regions = makeRegions();
    return regions;
}

bool launchesWithStream(std::uint32_t region) {
    return region == kLaunchKernel;
}
bool isCopyCall(std::uint32_t region) {
    return region == kMemcpyAsync;
}
bool isEventRecord(std::uint32_t region) {
    return region == kEventRecord;
}

void DdpScript::event(Kind kind, std::int64_t ns, std::uint64_t value) {
    m_events.push_back({kind, ns, 0, 0, value});
}

std::uint32_t DdpScript::enter(std::int64_t ns, std::uint32_t region) {
    const auto slice = static_cast<std::uint32_t>(m_regionOf.size());
    m_regionOf.push_back(region);
    m_events.push_back({Kind::Enter, ns, region, slice, 0});
    return slice;
}

void DdpScript::leave(std::int64_t ns, std::uint32_t slice) {
    m_events.push_back({Kind::Leave, ns, m_regionOf[slice], slice, 0});
}

void DdpScript::call(std::int64_t ns, std::int64_t length, std::uint32_t region) {
    leave(ns + length, enter(ns, region));
}

const std::vector<ScriptEvent>& DdpScript::step(Part part, std::uint64_t step) {
    m_events.clear();
    m_regionOf.clear();
    makePlan(step);
    switch (part) {
    case Part::MainThread:
        mainThread(step);
        break;
    case Part::Compute:
        compute(step);
        break;
    case Part::Nccl:
        if (!m_options.communicationOnComputeStream)
            stream(m_plan.collectives);
        break;
    case Part::Metrics:
        metrics();
        break;
    case Part::Autograd:
        autograd();
        break;
    case Part::Copies:
        copies();
        break;
    }
    return m_events;
}

// Kernels follow each other on their stream, collectives end at one time on all ranks and begin when the rank
// arrives; everything of a step lies inside it.
void DdpScript::makePlan(std::uint64_t step) {
    SmallRandom own = randomOf(m_options.seed, who(1), step);
    SmallRandom shared = randomOf(m_options.seed, 0, step);
    m_plan.begin = static_cast<std::int64_t>(step) * kStepNs;
    m_plan.kernels.clear();
    m_plan.collectives.clear();
    std::int64_t t = m_plan.begin + 100'000 + own.below(50'000);
    const int kernels = 4 + static_cast<int>(own.below(9));
    for (int i = 0; i < kernels; ++i) {
        t += own.below(4) == 0 ? own.below(30'000) : own.below(2'000);
        const std::int64_t length =
            2'000 + own.below(100'000) + (m_options.kernelsUnderCollectives ? 70'000 : 0);
        m_plan.kernels.push_back({m_plan.begin + 20'000 + i * 3'000 + own.below(1'000), t, t + length,
                                  kKernels + static_cast<std::uint32_t>(own.below(kRegions - kKernels))});
        t += length;
    }
    for (int i = 0; i < 2; ++i) {
        const std::int64_t end = m_plan.begin + 900'000 + i * 450'000 + shared.below(200'000);
        const std::int64_t needed = 50'000 + shared.below(50'000);
        const std::int64_t atRandom = own.below(kMostLateNs);
        const std::int64_t begin = end - needed - (m_options.lateNs.empty() ? atRandom : earliness());
        m_plan.collectives.push_back(
            {begin - 10'000, begin, end, kNccl + static_cast<std::uint32_t>(shared.below(3))});
        const std::int64_t copy = m_plan.begin + 50'000 + i * 1'650'000 + own.below(20'000);
        m_plan.copies[static_cast<std::size_t>(i)] = {copy - 15'000, copy, copy + 5'000 + own.below(30'000),
                                                      0};
    }
    if (m_options.overlappingKernels)
        overlapKernels(step);
    if (m_options.communicationOnComputeStream)
        giveWayToCollectives();
    std::erase_if(m_plan.kernels,
                  [&](const Kernel& kernel) { return kernel.end > m_plan.begin + 1'900'000; });
}

// Of which random numbers of a step: those of one role of this rank, and on further devices of the device.
std::uint64_t DdpScript::who(std::uint64_t role) const {
    return role + static_cast<std::uint64_t>(m_rank) + static_cast<std::uint64_t>(m_device) * 100'000;
}

// How long before the latest rank this one begins.
std::int64_t DdpScript::earliness() const {
    const auto rank = static_cast<std::size_t>(m_rank);
    return std::ranges::max(m_options.lateNs) - (rank < m_options.lateNs.size() ? m_options.lateNs[rank] : 0);
}

// Each has a region of its own, so that it can be told which of those that run has ended.
void DdpScript::overlapKernels(std::uint64_t step) {
    SmallRandom own = randomOf(m_options.seed, who(3'000), step);
    for (std::size_t i = 0; i < m_plan.kernels.size(); ++i) {
        Kernel& kernel = m_plan.kernels[i];
        kernel.region = kKernels + static_cast<std::uint32_t>(i) % (kRegions - kKernels);
        if (i == 0 || own.below(2) == 0)
            continue;
        const Kernel& before = m_plan.kernels[i - 1];
        kernel.begin = before.end - own.below(before.end - before.begin);
    }
}

void DdpScript::giveWayToCollectives() {
    std::int64_t free = m_plan.begin;
    for (Kernel& kernel : m_plan.kernels) {
        const std::int64_t length = kernel.end - kernel.begin;
        kernel.begin = std::max(kernel.begin, free);
        for (const Kernel& collective : m_plan.collectives)
            if (kernel.begin < collective.end && kernel.begin + length > collective.begin)
                kernel.begin = collective.end;
        kernel.end = free = kernel.begin + length;
    }
}

void DdpScript::mainThread(std::uint64_t step) {
    SmallRandom own = randomOf(m_options.seed, who(1'000), step);
    const std::int64_t begin = m_plan.begin;
    const auto stepSlice = enter(begin + 1'000, kStep);
    call(begin + 1'500, own.below(2), kTinyCall); // may begin and end at one tick
    const auto forward = enter(begin + 2'000, kForward);
    // Stacks of Python are deep now and then.
    std::vector<std::uint32_t> stack(1 + own.below(own.below(16) == 0 ? 60 : 6));
    for (std::size_t depth = 0; depth < stack.size(); ++depth)
        stack[depth] = enter(begin + 3'000 + static_cast<std::int64_t>(depth) * 50, kModule);
    for (std::size_t i = 0; i < m_plan.kernels.size() / 2; ++i)
        call(m_plan.kernels[i].launch, 800 + own.below(1'000), kLaunchKernel);
    call(begin + 38'500, 200, kEventRecord);
    for (std::size_t depth = stack.size(); depth > 0; --depth)
        leave(begin + 45'000 - static_cast<std::int64_t>(depth) * 50, stack[depth - 1]);
    leave(begin + 46'000, forward);
    const auto backward = enter(begin + 47'000, kBackward);
    if (m_options.mpi)
        mpi(begin + 60'000);
    leave(begin + 1'600'000, backward);
    const auto optimizer = enter(begin + 1'610'000, kOptimizer);
    call(m_plan.copies[1].launch, 5'000, kMemcpyAsync);
    leave(begin + 1'720'000, optimizer);
    call(begin + 1'750'000, 100'000 + own.below(40'000), kStreamSynchronize);
    leave(begin + 1'910'000, stepSlice);
    if (step % 8 == 7)
        call(begin + 1'950'000, 20'000, kBufferFlush);
}

void DdpScript::mpi(std::int64_t ns) {
    const auto next = static_cast<std::uint64_t>((m_rank + 1) % m_options.ranks);
    const auto previous = static_cast<std::uint64_t>((m_rank + m_options.ranks - 1) % m_options.ranks);
    const auto exchange = enter(ns, kMpiSendrecv);
    event(Kind::MpiSend, ns + 1'000, next);
    event(Kind::MpiRecv, ns + 9'000, previous);
    leave(ns + 10'000, exchange);
    const auto allreduce = enter(ns + 20'000, kMpiAllreduce);
    event(Kind::CollectiveBegin, ns + 20'000);
    event(Kind::CollectiveEnd, ns + 50'000, 4'096);
    leave(ns + 50'000, allreduce);
}

void DdpScript::autograd() {
    const auto backward = enter(m_plan.begin + 19'000, kBackward);
    for (std::size_t i = m_plan.kernels.size() / 2; i < m_plan.kernels.size(); ++i)
        call(m_plan.kernels[i].launch, 1'000, kLaunchKernel);
    for (const Kernel& collective : m_plan.collectives)
        call(collective.launch, 3'000, kLaunchKernelEx);
    leave(m_plan.begin + 1'590'000, backward);
}

void DdpScript::stream(const std::vector<Kernel>& kernels) {
    for (const Kernel& kernel : kernels) {
        const auto slice = enter(kernel.begin, kernel.region);
        if (m_options.kernelParameters)
            event(Kind::Parameters, kernel.begin,
                  static_cast<std::uint64_t>(kernel.end - kernel.begin) / 1'000);
        leave(kernel.end, slice);
    }
}

// COMPUTE IDLE lies on the first stream of the context and overlaps the kernels there: it reaches into the
// first one or over it, and may begin before the last one has ended.
void DdpScript::compute(std::uint64_t step) {
    SmallRandom own = randomOf(m_options.seed, who(2'000), step);
    stream(m_plan.kernels);
    if (m_options.communicationOnComputeStream)
        stream(m_plan.collectives);
    const Kernel& first = m_plan.kernels.front();
    const Kernel& last = m_plan.kernels.back();
    const std::int64_t into =
        own.below(4) == 0 ? first.end - first.begin + 500 : own.below(first.end - first.begin);
    call(m_plan.begin + 5'000, first.begin + into - m_plan.begin - 5'000, kComputeIdle);
    const std::int64_t idle =
        own.below(2) == 0 ? last.end - own.below((last.end - last.begin) / 2) : last.end + own.below(1'000);
    call(idle, m_plan.begin + 1'950'000 - idle, kComputeIdle);
    if (step % 4 == 3)
        call(m_plan.begin + 1'955'000, 5'000, kDeviceSynchronize);
    std::stable_sort(m_events.begin(), m_events.end(),
                     [](const ScriptEvent& a, const ScriptEvent& b) { return a.ns < b.ns; });
}

void DdpScript::copies() {
    for (std::size_t i = 0; i < m_plan.copies.size(); ++i) {
        const Kernel& copy = m_plan.copies[i];
        event(i == 0 ? Kind::RmaGet : Kind::RmaPut, copy.begin,
              static_cast<std::uint64_t>(copy.end - copy.begin) * 12);
        event(Kind::RmaDone, copy.end);
    }
}

void DdpScript::metrics() {
    event(Kind::Metric, m_plan.begin + 4'000, 64 << 20);
    event(Kind::Metric, m_plan.begin + 1'800'000, 16 << 20);
}

} // namespace ddp::test
