// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as libcuda.so.1 does, for two GPUs. FAKE_CUDA_INIT in the environment is what cuInit returns.
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {

int cuInit(unsigned) {
    const char* code = std::getenv("FAKE_CUDA_INIT");
    return code ? std::atoi(code) : 0;
}

int cuGetErrorName(int, const char** name) {
    *name = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
    return 0;
}

int cuDriverGetVersion(int* version) {
    *version = 12040;
    return 0;
}

int cuModuleGetLoadingMode(int* mode) {
    *mode = 2;
    return 0;
}

int cuDeviceGetCount(int* count) {
    *count = 2;
    return 0;
}

int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char* name, int size, int device) {
    std::snprintf(name, static_cast<std::size_t>(size), "Fake GPU %d", device);
    return 0;
}

int cuDeviceGetUuid(unsigned char* uuid, int device) {
    std::memset(uuid, 0xab, 16);
    uuid[15] = static_cast<unsigned char>(device);
    return 0;
}

int cuDeviceGetPCIBusId(char* id, int size, int device) {
    std::snprintf(id, static_cast<std::size_t>(size), "0000:%02d:00.0", device);
    return 0;
}
}
