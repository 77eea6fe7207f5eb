// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/trace_truth.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

/// What happens in a made-up DDP training, step by step: the story that otf2_generator writes down.
namespace ddp::test {

/// The locations that every rank has.
enum class Part : std::uint8_t { MainThread, Compute, Nccl, Metrics, Autograd, Copies };
inline constexpr std::array kParts{Part::MainThread, Part::Compute,  Part::Nccl,
                                   Part::Metrics,    Part::Autograd, Part::Copies};

/// A region as the archive defines it.
struct ScriptRegion {
    TruthRegion truth;
    std::string canonicalName;
    unsigned role = 0;     ///< OTF2_RegionRole
    unsigned paradigm = 0; ///< OTF2_Paradigm
};
const std::vector<ScriptRegion>& scriptRegions();

struct ScriptEvent {
    enum class Kind : std::uint8_t {
        Enter,
        Leave,
        Parameters, ///< the seven of a kernel
        Metric,
        RmaGet,
        RmaPut,
        RmaDone,
        MpiSend,
        MpiRecv,
        CollectiveBegin,
        CollectiveEnd
    };
    Kind kind = Kind::Enter;
    std::int64_t ns = 0;      ///< since the run began, in true time
    std::uint32_t region = 0; ///< of Enter and Leave
    std::uint32_t slice = 0;  ///< of Enter and Leave: which slice of this step and location
    std::uint64_t value = 0;  ///< bytes, memory in use, peer
};

struct ScriptOptions {
    std::uint64_t seed = 1;
    int ranks = 1;
    bool mpi = false;
    bool kernelParameters = true;
    /// Per rank, up to 150,000: how much later than it could it begins each collective. What the latest one
    /// begins with is all that is needed for the transfer, so the skew is known: largest - smallest. Ranks
    /// beyond are never late. Empty: every rank is late at random.
    std::vector<std::int64_t> lateNs = {};
    bool kernelsUnderCollectives = false; ///< kernels last longer, so that most collectives hide under some
    bool overlappingKernels = false;      ///< about every second one begins before the one in front has ended
    bool communicationOnComputeStream = false; ///< where it runs, no kernel does
};

/// Deterministic in (options, rank, device, step): a step can be asked for again, for another location.
class DdpScript {
public:
    DdpScript(ScriptOptions options, int rank, int device = 0)
        : m_options(std::move(options)), m_rank(rank), m_device(device) {}

    static constexpr std::int64_t kStepNs = 2'000'000;
    static constexpr std::int64_t kMostLateNs = 150'000;

    /// The events of one step at one location, ordered by time; valid until the next call.
    const std::vector<ScriptEvent>& step(Part part, std::uint64_t step);

private:
    struct Kernel {
        std::int64_t launch, begin, end;
        std::uint32_t region;
    };
    struct Plan {
        std::int64_t begin = 0;
        std::vector<Kernel> kernels, collectives;
        std::array<Kernel, 2> copies{};
    };

    void makePlan(std::uint64_t step);
    void overlapKernels(std::uint64_t step);
    void giveWayToCollectives();
    std::int64_t earliness() const;
    std::uint64_t who(std::uint64_t role) const;
    void mainThread(std::uint64_t step);
    void mpi(std::int64_t ns);
    void autograd();
    void compute(std::uint64_t step);
    void stream(const std::vector<Kernel>& kernels);
    void copies();
    void metrics();

    void event(ScriptEvent::Kind kind, std::int64_t ns, std::uint64_t value = 0);
    std::uint32_t enter(std::int64_t ns, std::uint32_t region);
    void leave(std::int64_t ns, std::uint32_t slice);
    void call(std::int64_t ns, std::int64_t length, std::uint32_t region);

    ScriptOptions m_options;
    int m_rank;
    int m_device;
    Plan m_plan;
    std::vector<ScriptEvent> m_events;
    std::vector<std::uint32_t> m_regionOf; // per slice of the step
};

/// Whether a kernel launch names its stream, which cuLaunchKernelEx does not; which region is which.
bool launchesWithStream(std::uint32_t region);
bool isCopyCall(std::uint32_t region);
bool isEventRecord(std::uint32_t region);

} // namespace ddp::test
