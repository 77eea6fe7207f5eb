// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/record_reader.h"

#include "core/records/line_reader.h"
#include "core/records/utf8.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>

namespace ddp::records {
namespace {

using test::TempFolder;
using ::testing::HasSubstr;

RankRecords readText(const std::string& text) {
    const TempFolder folder;
    auto read = readRecords(folder.write("records.jsonl", text));
    if (!read) {
        ADD_FAILURE() << read.error().message;
        return {};
    }
    return *read;
}

std::string errorOf(const std::filesystem::path& file) {
    const auto read = readRecords(file);
    EXPECT_FALSE(read);
    if (read)
        return {};
    EXPECT_EQ(read.error().code, ErrorCode::Unreadable);
    EXPECT_THAT(read.error().message, HasSubstr(file.string()));
    return read.error().message;
}

TEST(RecordReader, ReadsBackWhatTheWriterWrites) {
    const Start start{4,        2,      "node \"01\"", 77,      "hardware", "hang", "nccl",
                      "cuda:2", "LAZY", "0.1.0",       "2.1\n", 1234567,    12.5};
    const Device device{"A100", "GPU-1", std::nullopt, "12.2", 3, false, std::nullopt, "tab\there"};
    const StoreView store{{{0, 34, "canary"}, {1, std::nullopt, std::nullopt}}};
    const Canary canary{true, false, {{0, 34, 34, true}, {1, std::nullopt, std::nullopt, false}}};
    const Step step{7, 0.25, true, true, std::nullopt};
    const auto records = readText(
        toLine(start, 2, 10) + toLine(device, 2, 20) + toLine(Stage{"canary", "begin", ""}, 2, 30) +
        toLine(Facts{34, 35}, 2, 40) + toLine(store, 2, 50) + toLine(canary, 2, 60) +
        toLine(DdpCheck{"raised", "why"}, 2, 70) + toLine(step, 2, 80) +
        toLine(ErrorRecord{"training", "what", "peer"}, 2, 90) + toLine(End{30, 7, "failed"}, 2, 100));
    EXPECT_EQ(records.rank, 2);
    EXPECT_EQ(records.unreadableLines, 0);
    EXPECT_FALSE(records.truncatedTail);
    ASSERT_TRUE(records.start);
    EXPECT_EQ(records.start->value.worldSize, 4);
    EXPECT_EQ(records.start->value.host, "node \"01\"");
    EXPECT_EQ(records.start->value.torchVersion, "2.1\n");
    EXPECT_EQ(records.start->value.stageDeadlineSeconds, 12.5);
    EXPECT_EQ(records.start->line, 1);
    EXPECT_EQ(records.start->timeNs, 10);
    ASSERT_TRUE(records.device);
    EXPECT_EQ(records.device->value.eccVolatileUncorrected, 3);
    EXPECT_EQ(records.device->value.driverVersion, std::nullopt);
    EXPECT_EQ(records.device->value.rowRemapPending, false);
    EXPECT_EQ(records.device->value.rowRemapFailed, std::nullopt);
    EXPECT_EQ(records.device->value.note, "tab\there");
    ASSERT_TRUE(records.facts);
    EXPECT_EQ(records.facts->value.elements, 35);
    ASSERT_TRUE(records.store);
    EXPECT_EQ(records.store->value.peers.at(0).tensors, 34);
    EXPECT_EQ(records.store->value.peers.at(1).tensors, std::nullopt);
    ASSERT_TRUE(records.canary);
    EXPECT_FALSE(records.canary->value.completed);
    EXPECT_EQ(records.canary->value.gathered.at(1).received, std::nullopt);
    ASSERT_EQ(records.steps.size(), 1U);
    EXPECT_EQ(records.steps[0].value.gradientsEqual, true);
    EXPECT_EQ(records.steps[0].value.parametersEqual, std::nullopt);
    ASSERT_EQ(records.errors.size(), 1U);
    EXPECT_EQ(records.errors[0].line, 9);
    ASSERT_TRUE(records.end);
    EXPECT_EQ(records.end->value.exitCode, 30);
}

TEST(RecordReader, DamageIsCountedAndSkipped) {
    const auto records =
        readText("not json\n" + toLine(Facts{34, 34}, 0, 1) + "{\"schema\":1,\"kind\":\"end\"\n" +
                 "[1,2]\n{}\n\n" + toLine(Facts{5, 5}, 1, 2) + // another rank's line
                 toLine(End{0, 1, "ok"}, 0, 3));
    EXPECT_EQ(records.unreadableLines, 5);
    EXPECT_EQ(records.facts->value.tensors, 34);
    EXPECT_EQ(records.end->value.exitCode, 0);
}

TEST(RecordReader, UnknownKindsAndKeysAreSkipped) {
    const auto records =
        readText("{\"schema\":1,\"kind\":\"nvlink\",\"rank\":0,\"time_ns\":5,\"lanes\":[1]}\n"
                 "{\"schema\":1,\"kind\":\"facts\",\"rank\":0,\"time_ns\":6,\"tensors\":34,"
                 "\"elements\":34,\"bytes\":136}\n");
    EXPECT_EQ(records.unreadableLines, 0);
    EXPECT_EQ(records.facts->value.tensors, 34);
}

TEST(RecordReader, ATruncatedLastLineIsSaid) {
    const std::string line = toLine(End{0, 1, "ok"}, 0, 3);
    const auto cut = readText(toLine(Facts{34, 34}, 0, 1) + line.substr(0, line.size() / 2));
    EXPECT_TRUE(cut.truncatedTail);
    EXPECT_EQ(cut.unreadableLines, 0);
    EXPECT_FALSE(cut.end);
    // Only the line end is missing: what it says is whole.
    const auto whole = readText(toLine(Facts{34, 34}, 0, 1) + line.substr(0, line.size() - 1));
    EXPECT_TRUE(whole.truncatedTail);
    EXPECT_TRUE(whole.end);
}

TEST(RecordReader, BytesThatAreNoUtf8AreRepaired) {
    const auto records = readText(toLine(ErrorRecord{"canary", "Ger\xE4t nicht bereit", "node"}, 0, 1));
    ASSERT_EQ(records.errors.size(), 1U);
    EXPECT_EQ(records.errors[0].value.what, "Ger\xEF\xBF\xBDt nicht bereit");
}

TEST(RecordReader, ANewerSchemaIsRefused) {
    const TempFolder folder;
    const auto file =
        folder.write("records.jsonl", toLine(Facts{34, 34}, 0, 1) +
                                          "{\"schema\":2,\"kind\":\"facts\",\"rank\":0,\"time_ns\":6}\n");
    const std::string message = errorOf(file);
    EXPECT_THAT(message, HasSubstr("schema 2"));
    EXPECT_THAT(message, HasSubstr("newer ddpscope"));
}

TEST(RecordReader, WhatCanNotBeReadIsNamed) {
    const TempFolder folder;
    EXPECT_THAT(errorOf(folder.path() / "none.jsonl"), HasSubstr("does not exist"));
    EXPECT_THAT(errorOf(folder.path()), HasSubstr("folder"));
    EXPECT_THAT(errorOf(folder.write("empty.jsonl", "")), HasSubstr("empty"));
    const auto pipe = folder.path() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(errorOf(pipe), HasSubstr("regular file"));
    if (geteuid() != 0) {
        const auto locked = folder.write("locked.jsonl", "x");
        chmod(locked.c_str(), 0);
        EXPECT_THAT(errorOf(locked), HasSubstr("permission"));
    }
}

TEST(RecordReader, AHugeLineIsOneDamagedLine) {
    const auto records = readText(toLine(Facts{34, 34}, 0, 1) + std::string(std::size_t{20} << 20, 'x') +
                                  "\n" + toLine(End{0, 1, "ok"}, 0, 3));
    EXPECT_EQ(records.unreadableLines, 1);
    ASSERT_TRUE(records.end);
    EXPECT_EQ(records.end->line, 3);
}

TEST(RecordReader, AnEndMarkerWithoutItsCodeProvesNothing) {
    const auto records =
        readText("{\"schema\":1,\"kind\":\"end\",\"rank\":0,\"time_ns\":6,\"steps\":3}\n"
                 "{\"schema\":1,\"kind\":\"facts\",\"rank\":0,\"time_ns\":6,\"tensors\":null}\n");
    EXPECT_FALSE(records.end);
    EXPECT_FALSE(records.facts);
    EXPECT_EQ(records.unreadableLines, 2);
}

TEST(RecordReader, ALossThatIsNoNumberStaysUnknown) {
    const auto records = readText(toLine(Step{0, std::nan(""), false, true, true}, 0, 1));
    ASSERT_EQ(records.steps.size(), 1U);
    EXPECT_TRUE(std::isnan(records.steps[0].value.loss));
    EXPECT_FALSE(records.steps[0].value.lossFinite);
}

TEST(LineReader, CutsLongLinesIntoPieces) {
    const TempFolder folder;
    const auto file = folder.write("log", "ab\n" + std::string(25, 'x') + "\n\nlast");
    auto reader = LineReader::open(file, 10);
    ASSERT_TRUE(reader);
    std::vector<std::string> seen;
    LinePiece piece;
    while (reader->next(piece))
        seen.push_back(std::to_string(piece.line) + (piece.first ? "" : "+") + std::string(piece.text) +
                       (piece.ended ? "$" : ""));
    EXPECT_THAT(seen,
                ::testing::ElementsAre("1ab$", "2xxxxxxxxxx", "2+xxxxxxxxxx", "2+xxxxx$", "3$", "4last"));
}

TEST(Utf8, RepairsAndShortens) {
    EXPECT_EQ(repairedUtf8("a\xC3\xA4\xFF"), "a\xC3\xA4\xEF\xBF\xBD");
    EXPECT_EQ(repairedUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); // a surrogate
    EXPECT_EQ(shortened("abcdef", 6), "abcdef");
    EXPECT_EQ(shortened("\xC3\xA4\xC3\xA4\xC3\xA4", 5), "\xC3\xA4\xE2\x80\xA6");
}

} // namespace
} // namespace ddp::records
