// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as libnvidia-ml.so.1 does. The GPU at bus 01 has three uncorrected errors, the one at bus 00 has no
// ECC.
#include <cstdio>
#include <cstring>

namespace {
char g_withEcc;
char g_withoutEcc;
} // namespace

extern "C" {

int nvmlInit_v2() {
    return 0;
}

int nvmlSystemGetDriverVersion(char* version, unsigned size) {
    std::snprintf(version, size, "550.54.15");
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
    *device = std::strcmp(id, "0000:01:00.0") == 0 ? &g_withEcc : &g_withoutEcc;
    return 0;
}

int nvmlDeviceGetTotalEccErrors(void* device, int errorType, int counterType, unsigned long long* count) {
    if (device != &g_withEcc || errorType != 1 || counterType != 0)
        return 3; // not supported
    *count = 3;
    return 0;
}

int nvmlDeviceGetRemappedRows(void* device, unsigned* correctable, unsigned* uncorrectable, unsigned* pending,
                              unsigned* failed) {
    if (device != &g_withEcc)
        return 3;
    *correctable = 0;
    *uncorrectable = 1;
    *pending = 1;
    *failed = 0;
    return 0;
}
}
