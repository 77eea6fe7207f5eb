// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/scorep_config.h"

#include <fstream>

namespace ddp {

std::map<std::string, std::string> readScorepConfig(const std::filesystem::path& file) {
    constexpr std::size_t kMostLines = 10'000; // Score-P writes about a hundred; a foreign file may have any
    constexpr std::size_t kMostBytes = 1 << 20;
    std::map<std::string, std::string> settings;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error) ||
        std::filesystem::file_size(file, error) > kMostBytes)
        return settings;
    std::ifstream stream(file);
    std::string line;
    for (std::size_t i = 0; i < kMostLines && std::getline(stream, line); ++i) {
        const auto equals = line.find('=');
        if (equals == std::string::npos || equals == 0 || line.front() == '#')
            continue;
        std::string value = line.substr(equals + 1);
        if (value.ends_with('\r'))
            value.pop_back();
        if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') &&
            value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        settings.emplace(line.substr(0, equals), std::move(value));
    }
    return settings;
}

} // namespace ddp
