// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/demangle.h"

#include <gtest/gtest.h>

namespace ddp {
namespace {

TEST(Demangle, MakesLinkersNamesReadable) {
    EXPECT_EQ(demangled("_ZN2at6native18elementwise_kernelILi128ELi4EEEvi"),
              "void at::native::elementwise_kernel<128, 4>(int)");
}

TEST(Demangle, LeavesOtherNamesAsTheyAre) {
    for (const char* name : {"", "i", "main", "_Z", "_Zbroken", "ncclKernel_AllReduce", "aten::mm"})
        EXPECT_EQ(demangled(name), name);
}

} // namespace
} // namespace ddp
