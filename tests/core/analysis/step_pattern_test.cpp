// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/step_pattern.h"

#include "tests/support/small_random.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

namespace ddp {
namespace {

using Word = std::vector<std::uint32_t>;

// A sequence of operations that a test puts together.
class Sequence {
public:
    // After `gap` of idle time.
    void add(std::uint32_t kind, std::int64_t gap = 10, std::int64_t length = 50) {
        m_now += gap;
        m_operations.push_back({{Nanoseconds(m_now), Nanoseconds(m_now + length)}, kind});
        m_now += length;
    }
    void add(const Word& word, std::int64_t gapBefore = 10) {
        for (std::size_t i = 0; i < word.size(); ++i)
            add(word[i], i == 0 ? gapBefore : 10);
    }
    // Marks that a step ends here.
    void end() { m_ends.push_back(m_now); }

    std::vector<std::int64_t> found() const {
        std::vector<std::int64_t> ends;
        for (const Nanoseconds end : repetitionEnds(m_operations))
            ends.push_back(end.count);
        return ends;
    }
    const std::vector<std::int64_t>& ends() const { return m_ends; }
    std::size_t size() const { return m_operations.size(); }

private:
    std::int64_t m_now = 0;
    std::vector<PatternOperation> m_operations;
    std::vector<std::int64_t> m_ends;
};

bool repeatsItself(const Word& word) {
    for (std::size_t period = 1; period < word.size(); ++period)
        if (word.size() % period == 0 &&
            std::equal(word.begin() + static_cast<std::ptrdiff_t>(period), word.end(), word.begin()))
            return true;
    return false;
}

// One that is not a repetition of a shorter one.
Word randomWord(test::SmallRandom& random) {
    Word word(2 + static_cast<std::size_t>(random.below(11)));
    do
        for (auto& kind : word)
            kind = static_cast<std::uint32_t>(random.below(3));
    while (repeatsItself(word));
    return word;
}

TEST(StepPattern, NothingRepeatsInLittle) {
    EXPECT_TRUE(repetitionEnds({}).empty());
    for (const Word& word : {Word{1}, Word{1, 1}, Word{1, 2}, Word{1, 2, 1, 2}, Word{1, 2, 3, 4, 5, 6, 7}}) {
        Sequence sequence;
        sequence.add(word);
        EXPECT_TRUE(sequence.found().empty());
    }
}

TEST(StepPattern, ThreeTimesIsAPattern) {
    Sequence sequence;
    for (int i = 0; i < 3; ++i) {
        sequence.add(Word{1, 1, 2});
        sequence.end();
    }
    EXPECT_EQ(sequence.found(), sequence.ends());
}

TEST(StepPattern, IsFoundBetweenWhatDoesNotRepeat) {
    test::SmallRandom random(1);
    for (int n = 0; n < 300; ++n) {
        const Word word = randomWord(random);
        const auto repetitions = 3 + random.below(20);
        const auto around = static_cast<std::int64_t>(word.size()) * repetitions / 2;
        Sequence sequence;
        std::uint32_t other = 100; // all different
        for (std::int64_t i = random.below(around + 1); i > 0; --i)
            sequence.add(other++);
        for (std::int64_t i = 0; i < repetitions; ++i) {
            sequence.add(word);
            sequence.end();
        }
        for (std::int64_t i = random.below(around + 1); i > 0; --i)
            sequence.add(other++);
        ASSERT_EQ(sequence.found(), sequence.ends()) << "try " << n;
    }
}

TEST(StepPattern, MoreThanHalfHasToRepeat) {
    Sequence sequence;
    for (int i = 0; i < 5; ++i)
        sequence.add(Word{1, 2});
    for (std::uint32_t i = 0; i < 11; ++i)
        sequence.add(100 + i);
    EXPECT_TRUE(sequence.found().empty());
}

TEST(StepPattern, SurvivesOperationsThatDoNotBelong) {
    test::SmallRandom random(2);
    for (int n = 0; n < 100; ++n) {
        const Word word = randomWord(random);
        Sequence sequence;
        std::uint32_t other = 100;
        for (int i = 0; i < 60; ++i) {
            // A validation or a checkpoint: inside every tenth repetition, which is none then.
            const bool disturbed = i % 10 == 9;
            for (std::size_t at = 0; at < word.size(); ++at) {
                if (disturbed && at == word.size() / 2)
                    sequence.add(other++);
                sequence.add(word[at], at == 0 ? 100 : 10);
            }
            if (!disturbed)
                sequence.end();
        }
        ASSERT_EQ(sequence.found(), sequence.ends()) << "try " << n;
    }
}

// Recording began in the middle of a step: where the long gap is, a step begins.
TEST(StepPattern, BeginsAfterTheLongGap) {
    test::SmallRandom random(3);
    for (int n = 0; n < 100; ++n) {
        const Word word = randomWord(random);
        Sequence sequence;
        const auto missing = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(word.size())));
        for (std::size_t i = missing; i < word.size(); ++i)
            sequence.add(word[i]);
        if (missing == 0)
            sequence.end();
        for (int i = 0; i < 8; ++i) {
            sequence.add(word, 200 + random.below(100));
            sequence.end();
        }
        ASSERT_EQ(sequence.found(), sequence.ends()) << "try " << n << ", missing " << missing;
    }
}

// All buckets of a step are reduced by one kernel: only the gaps tell the steps.
TEST(StepPattern, GapsTellEqualOperationsApart) {
    test::SmallRandom random(4);
    for (int n = 0; n < 100; ++n) {
        const auto buckets = 2 + random.below(8);
        const Word word = n % 2 == 0 ? Word{7} : Word{7, 8};
        Sequence sequence;
        for (int step = 0; step < 12; ++step) {
            for (std::int64_t i = 0; i < buckets; ++i)
                sequence.add(word, i == 0 ? 1'000 + random.below(800) : random.below(400));
            sequence.end();
        }
        ASSERT_EQ(sequence.found(), sequence.ends()) << "try " << n;
    }
}

TEST(StepPattern, GapsThatDifferNowAndThenAreNoSteps) {
    Sequence sequence;
    for (int i = 0; i < 60; ++i)
        sequence.add(7, i % 30 == 29 ? 100'000 : 10); // two pauses
    EXPECT_TRUE(sequence.found().empty());
}

TEST(StepPattern, EqualOperationsAloneSayNothing) {
    Sequence sequence;
    for (int i = 0; i < 40; ++i)
        sequence.add(7, 100 + i % 3);
    EXPECT_TRUE(sequence.found().empty());
    Sequence overlapping; // no gap at all
    for (int i = 0; i < 40; ++i)
        overlapping.add(7, -20);
    EXPECT_TRUE(overlapping.found().empty());
}

TEST(StepPattern, ZeroLengthAndEqualTimes) {
    Sequence sequence;
    for (int i = 0; i < 9; ++i)
        sequence.add(static_cast<std::uint32_t>(i % 3), 0, 0);
    EXPECT_EQ(sequence.found(), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(StepPattern, EndsNeverGoBack) {
    // The first operation of each pair lasts longer than the second.
    std::vector<PatternOperation> operations;
    for (std::int64_t i = 0; i < 5; ++i) {
        operations.push_back({{Nanoseconds(100 * i), Nanoseconds(100 * i + 150)}, 1});
        operations.push_back({{Nanoseconds(100 * i + 20), Nanoseconds(100 * i + 30)}, 2});
    }
    const auto ends = repetitionEnds(operations);
    ASSERT_EQ(ends.size(), 5u);
    EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
    EXPECT_EQ(ends.front(), Nanoseconds(150));
}

// Quadratic methods take minutes for these.
TEST(StepPattern, IsFastWhateverTheSequence) {
    constexpr std::size_t kMany = 200'000;
    std::vector<Word> hostile{Word(kMany, 1), Word(kMany, 1), Word(kMany), Word(kMany)};
    hostile[1].back() = 2;
    for (std::size_t i = 0; i < kMany; ++i)
        hostile[2][i] = i < kMany / 2 ? 1 : 2;
    Word a{1, 2}, b{1}; // Fibonacci's word is full of repetitions of every size
    while (a.size() < kMany) {
        Word next = a;
        next.insert(next.end(), b.begin(), b.end());
        b = std::exchange(a, std::move(next));
    }
    hostile[3] = a;
    for (const Word& word : hostile) {
        std::vector<PatternOperation> operations;
        std::int64_t now = 0;
        for (std::size_t i = 0; i < word.size(); ++i) {
            now += std::int64_t{1} << (i % 40); // and gaps with many cuts
            operations.push_back({{Nanoseconds(now), Nanoseconds(now)}, word[i]});
        }
        const auto before = std::chrono::steady_clock::now();
        repetitionEnds(operations);
        EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
    }
}

TEST(StepPattern, TimesAtTheLimits) {
    constexpr std::int64_t kLimit = (std::int64_t{1} << 62) - 1;
    std::vector<PatternOperation> operations;
    for (int i = 0; i < 6; ++i)
        operations.push_back({{Nanoseconds(i < 3 ? -kLimit : kLimit), Nanoseconds(kLimit)},
                              static_cast<std::uint32_t>(i % 2)});
    EXPECT_EQ(repetitionEnds(operations).size(), 3u);
}

} // namespace
} // namespace ddp
