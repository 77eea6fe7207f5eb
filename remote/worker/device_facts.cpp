// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/device_facts.h"

#include <dlfcn.h>

#include <cstdio>

namespace ddp::worker {

namespace {

// Only what is called here, as in cuda.h and nvml.h: those headers are not there where the worker is built
// without CUDA, and these signatures are a stable binary interface.
constexpr int kSuccess = 0;
constexpr int kNvmlUncorrected = 1;
constexpr int kNvmlVolatile = 0;
constexpr int kCudaLoadingEager = 1;
constexpr int kCudaLoadingLazy = 2;

struct Uuid {
    unsigned char bytes[16];
};
struct NvmlDevice;

/// A library that stays open: what it gave out may be used until the process ends.
class Library {
public:
    explicit Library(const char* name) : m_handle(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
    bool isOpen() const { return m_handle != nullptr; }
    template <class Function>
    Function* find(const char* name) const {
        return m_handle ? reinterpret_cast<Function*>(::dlsym(m_handle, name)) : nullptr;
    }

private:
    void* m_handle;
};

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string uuidText(const Uuid& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char byte[3];
        std::snprintf(byte, sizeof byte, "%02x", uuid.bytes[i]);
        text += (i == 4 || i == 6 || i == 8 || i == 10) ? "-" : "";
        text += byte;
    }
    return text;
}

void note(records::Device& device, const std::string& text) {
    device.note += (device.note.empty() ? "" : "; ") + text;
}

std::string cudaError(const Library& cuda, int code) {
    const char* name = nullptr;
    if (const auto getName = cuda.find<int(int, const char**)>("cuGetErrorName"))
        getName(code, &name);
    return name != nullptr ? name : "CUDA error " + std::to_string(code);
}

/// Driver API, no context is made. Returns the PCI bus id, by which NVML finds the same GPU again.
std::string readCuda(const Library& cuda, int localRank, DeviceFacts& facts) {
    const auto init = cuda.find<int(unsigned)>("cuInit");
    const auto count = cuda.find<int(int*)>("cuDeviceGetCount");
    const auto get = cuda.find<int(int*, int)>("cuDeviceGet");
    if (!init || !count || !get) {
        facts.problem = "libcuda.so.1 has no cuInit: it is not NVIDIA's driver library";
        return {};
    }
    if (const int code = init(0); code != kSuccess) {
        facts.problem = "the NVIDIA driver does not start: cuInit says " + cudaError(cuda, code);
        return {};
    }
    int version = 0;
    if (const auto driver = cuda.find<int(int*)>("cuDriverGetVersion");
        driver && driver(&version) == kSuccess)
        facts.device.cudaVersion = versionText(version);
    int mode = 0;
    if (const auto loading = cuda.find<int(int*)>("cuModuleGetLoadingMode");
        loading && loading(&mode) == kSuccess)
        facts.moduleLoading = mode == kCudaLoadingEager ? "EAGER" : mode == kCudaLoadingLazy ? "LAZY" : "";
    if (const int code = count(&facts.deviceCount); code != kSuccess) {
        facts.problem = "the GPUs can not be counted: cuDeviceGetCount says " + cudaError(cuda, code);
        return {};
    }
    int device = 0;
    if (localRank >= facts.deviceCount || get(&device, localRank) != kSuccess) {
        facts.problem = "local rank " + std::to_string(localRank) +
                        " has no GPU of its own: the driver shows " + std::to_string(facts.deviceCount) +
                        " (CUDA_VISIBLE_DEVICES may hide some)";
        return {};
    }
    char name[256] = {};
    if (const auto getName = cuda.find<int(char*, int, int)>("cuDeviceGetName");
        getName && getName(name, sizeof name - 1, device) == kSuccess)
        facts.device.name = name;
    Uuid uuid{};
    auto getUuid = cuda.find<int(Uuid*, int)>("cuDeviceGetUuid_v2"); // the _v2 is right for MIG, too
    if (getUuid == nullptr)
        getUuid = cuda.find<int(Uuid*, int)>("cuDeviceGetUuid");
    if (getUuid && getUuid(&uuid, device) == kSuccess)
        facts.device.uuid = uuidText(uuid);
    char bus[64] = {};
    if (const auto getBus = cuda.find<int(char*, int, int)>("cuDeviceGetPCIBusId");
        getBus && getBus(bus, sizeof bus - 1, device) == kSuccess)
        return bus;
    return {};
}

void readNvml(const Library& nvml, const std::string& busId, records::Device& device) {
    if (!nvml.isOpen())
        return note(device,
                    "libnvidia-ml.so.1 not found, so driver version, ECC and row remapping are unknown");
    const auto init = nvml.find<int()>("nvmlInit_v2");
    if (!init || init() != kSuccess)
        return note(device, "NVML does not start, so driver version, ECC and row remapping are unknown");
    char version[96] = {};
    if (const auto get = nvml.find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
        get && get(version, sizeof version - 1) == kSuccess)
        device.driverVersion = version;
    NvmlDevice* handle = nullptr;
    const auto byBus = nvml.find<int(const char*, NvmlDevice**)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (busId.empty() || !byBus || byBus(busId.c_str(), &handle) != kSuccess)
        return note(device, "NVML does not know this GPU, so ECC and row remapping are unknown");
    unsigned long long errors = 0;
    const auto ecc =
        nvml.find<int(NvmlDevice*, int, int, unsigned long long*)>("nvmlDeviceGetTotalEccErrors");
    if (ecc && ecc(handle, kNvmlUncorrected, kNvmlVolatile, &errors) == kSuccess)
        device.eccVolatileUncorrected = static_cast<std::int64_t>(errors);
    else
        note(device, "ECC is off or not supported (N/A)");
    unsigned correctable = 0;
    unsigned uncorrectable = 0;
    unsigned pending = 0;
    unsigned failed = 0;
    const auto rows =
        nvml.find<int(NvmlDevice*, unsigned*, unsigned*, unsigned*, unsigned*)>("nvmlDeviceGetRemappedRows");
    if (rows && rows(handle, &correctable, &uncorrectable, &pending, &failed) == kSuccess) {
        device.rowRemapPending = pending != 0;
        device.rowRemapFailed = failed != 0;
    } else {
        note(device, "row remapping is not supported (N/A)");
    }
}

} // namespace

DeviceFacts readDeviceFacts(int localRank) {
    DeviceFacts facts;
    const Library cuda("libcuda.so.1");
    if (!cuda.isOpen()) {
        facts.problem = "no NVIDIA driver: libcuda.so.1 not found";
        facts.device.note = facts.problem;
        return facts;
    }
    const std::string busId = readCuda(cuda, localRank, facts);
    if (!facts.problem.empty())
        note(facts.device, facts.problem);
    readNvml(Library("libnvidia-ml.so.1"), busId, facts.device);
    return facts;
}

} // namespace ddp::worker
