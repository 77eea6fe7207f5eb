// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/kineto_trace.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <simdjson.h>
#include <stdexcept>

namespace ddp::test {

namespace {

namespace json = simdjson::ondemand;

std::string unpacked(const std::filesystem::path& file) {
    if (file.string().find('\'') != std::string::npos)
        throw std::runtime_error("a quote in the name of " + file.string());
    const std::string command = "gzip -dc '" + file.string() + "'";
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe)
        throw std::runtime_error("gzip can not be run");
    std::string text;
    std::array<char, 65536> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), n);
    if (pclose(pipe) != 0)
        throw std::runtime_error("gzip can not unpack " + file.string());
    return text;
}

std::string contentOf(const std::filesystem::path& file) {
    if (file.extension() == ".gz")
        return unpacked(file);
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw std::runtime_error(file.string() + " can not be read");
    return {std::istreambuf_iterator<char>(in), {}};
}

// Microseconds with up to three decimals, from their text: doubles are wrong in the last digit.
std::int64_t nanoseconds(std::string_view text) {
    std::int64_t ns = 0;
    int decimals = -1; // none before the point
    for (const char c : text.substr(0, text.find_last_not_of(" \t\r\n") + 1)) {
        if (c == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (c < '0' || c > '9' || (decimals == 3 && c != '0'))
            throw std::runtime_error("not a time in microseconds: " + std::string(text));
        if (decimals == 3)
            continue;
        ns = ns * 10 + (c - '0');
        decimals += decimals >= 0 ? 1 : 0;
    }
    for (int i = std::max(decimals, 0); i < 3; ++i)
        ns *= 10;
    return ns;
}

std::string textOf(json::object& object, std::string_view key) {
    std::string_view text;
    return object[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

void readAttributes(json::object& arguments, DeviceSlice& slice) {
    for (const char* name : {"Collective name", "dtype", "Process Group Name"})
        if (std::string text = textOf(arguments, name); !text.empty())
            slice.attributes.emplace_back(name, std::move(text));
    for (const char* name : {"In msg nelems", "Out msg nelems", "Group size", "Seq", "correlation"}) {
        std::int64_t number = 0;
        if (arguments[name].get_int64().get(number) == simdjson::SUCCESS)
            slice.attributes.emplace_back(name, number);
    }
}

DeviceRank readFile(const std::filesystem::path& file) {
    DeviceRank rank;
    rank.archive = file.filename().string();
    const simdjson::padded_string text(contentOf(file));
    json::parser parser;
    json::document document = parser.iterate(text);
    std::int64_t number = 0;
    if (document["distributedInfo"]["rank"].get_int64().get(number) == simdjson::SUCCESS)
        rank.rank = static_cast<int>(number);
    for (json::object event : document["traceEvents"].get_array()) {
        const std::string category = textOf(event, "cat");
        const bool kernel = category == "kernel";
        if (textOf(event, "ph") != "X" || (!kernel && category != "gpu_memcpy" && category != "gpu_memset"))
            continue;
        DeviceSlice& slice = rank.slices.emplace_back();
        slice.name = textOf(event, "name");
        slice.role = kernel ? RegionRole::Kernel : RegionRole::Transfer;
        slice.begin = nanoseconds(event["ts"].raw_json_token());
        slice.end = slice.begin + nanoseconds(event["dur"].raw_json_token());
        json::object arguments = event["args"];
        slice.device = static_cast<int>(arguments["device"].get_int64());
        slice.stream = static_cast<int>(arguments["stream"].get_int64());
        readAttributes(arguments, slice);
    }
    return rank;
}

} // namespace

std::shared_ptr<const TraceStore> readKineto(const std::vector<std::filesystem::path>& files,
                                             RankClocks clocks) {
    std::vector<DeviceRank> ranks;
    for (const auto& file : files)
        ranks.push_back(readFile(file));
    return storeOf("kineto", std::move(ranks), clocks);
}

} // namespace ddp::test
