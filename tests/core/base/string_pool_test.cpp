// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"
#include "core/base/time.h"

#include <gtest/gtest.h>

namespace ddp {
namespace {

TEST(StringPool, KeepsEveryTextOnceAndItsViewsForLife) {
    StringPool pool;
    const StringId first = pool.intern("ncclDevKernel");
    const std::string_view view = pool.view(first);
    for (int i = 0; i < 10'000; ++i)
        pool.intern("region " + std::to_string(i));
    EXPECT_EQ(pool.intern("ncclDevKernel"), first);
    EXPECT_EQ(pool.size(), 10'001u);
    EXPECT_EQ(view, "ncclDevKernel");
    EXPECT_EQ(view.data(), pool.view(first).data());
}

TEST(StringPool, TellsTextsWithNulBytesApart) {
    StringPool pool;
    const StringId a = pool.intern(std::string_view("a\0b", 3));
    EXPECT_NE(a, pool.intern("a"));
    EXPECT_NE(pool.intern(""), pool.intern("a"));
    EXPECT_EQ(pool.view(a).size(), 3u);
}

TEST(TimeRange, IsHalfOpen) {
    const TimeRange range{Nanoseconds(10), Nanoseconds(20)};
    EXPECT_TRUE(range.contains(Nanoseconds(10)));
    EXPECT_FALSE(range.contains(Nanoseconds(20)));
    EXPECT_EQ(range.length(), Nanoseconds(10));
    EXPECT_TRUE(range.clippedTo({Nanoseconds(20), Nanoseconds(30)}).empty());
}

} // namespace
} // namespace ddp
