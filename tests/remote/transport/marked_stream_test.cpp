// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/marked_stream.h"

#include <gtest/gtest.h>

using namespace ddp::remote;

namespace {
constexpr const char* kStream = "Welcome\nlast login\n\nB 12\none\n\ntwo\nE 3\nlate output";
}

TEST(MarkedStream, TheSameWhereverItIsCut) {
    const std::string stream = kStream;
    for (std::size_t size = 1; size < stream.size(); ++size) {
        MarkedStream marked("B", "E", 1000);
        for (std::size_t at = 0; at < stream.size(); at += size)
            marked.feed(std::string_view(stream).substr(at, size));
        EXPECT_EQ(marked.begin(), 12);
        EXPECT_EQ(marked.end(), 3);
        EXPECT_EQ(marked.take(), "one\n\ntwo") << size;
        EXPECT_FALSE(marked.truncated());
        EXPECT_EQ(marked.noise(), "Welcome\nlast login\n");
    }
}

TEST(MarkedStream, NothingBetween) {
    MarkedStream marked("B", "E", 1000);
    marked.feed("\nB 1\n\nE 0\n");
    EXPECT_EQ(marked.end(), 0);
    EXPECT_EQ(marked.take(), "");
}

TEST(MarkedStream, BeyondTheLimitTheEndIsStillSeen) {
    MarkedStream marked("B", "E", 4);
    marked.feed("\nB 1\n123456789");
    marked.feed("\nE 7\n");
    EXPECT_EQ(marked.end(), 7);
    EXPECT_EQ(marked.take(), "1234");
    EXPECT_TRUE(marked.truncated());
}

TEST(MarkedStream, WithoutAnEndThereIsNone) {
    MarkedStream marked("B", "E", 100);
    marked.feed("no shell here\n");
    EXPECT_FALSE(marked.begin());
    marked.feed("\nB 1\nE 0\n");
    EXPECT_TRUE(marked.begin());
    EXPECT_FALSE(marked.end());
}
