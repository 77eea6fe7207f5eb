// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/checksums.h"

#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <string_view>

namespace ddp::remote {

namespace {

constexpr std::size_t kDigits = 64;
constexpr std::uint64_t kSlowest = 20u << 20; // bytes a second, of a disk of today

/// sha256sum puts a backslash in front of a line in which it wrote the name with \\, \n and \r.
std::string unescaped(std::string_view name) {
    std::string plain;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] != '\\' || i + 1 == name.size()) {
            plain += name[i];
            continue;
        }
        const char c = name[++i];
        plain += c == 'n' ? '\n' : (c == 'r' ? '\r' : c);
    }
    return plain;
}

} // namespace

Result<std::unordered_map<std::string, std::string>> checksums(Transport& transport,
                                                               const std::filesystem::path& folder,
                                                               const std::vector<CopyItem>& files,
                                                               std::stop_token stop) {
    std::unordered_map<std::string, std::string> sums;
    if (files.empty())
        return sums;
    Command command;
    std::uint64_t bytes = 0;
    for (const CopyItem& file : files) {
        command.input += file.relative.string() + '\0';
        bytes += file.size;
    }
    command.shell = fmt::format("cd -- {} && xargs -0 sha256sum --", shellQuote(folder.string()));
    command.deadline = std::chrono::minutes(5) + std::chrono::seconds(bytes / kSlowest);
    command.outputLimit = 2 * command.input.size() + files.size() * (kDigits + 4);
    const auto result = transport.run(command, std::move(stop));
    if (!result)
        return tl::unexpected<Error>(result.error());
    std::string_view rest = result->out;
    if (rest.empty())
        return fail(ErrorCode::Failed, fmt::format("{} made no checksums of the files in {}: {}",
                                                   transport.host(), folder.string(), result->err));
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const bool escaped = line.starts_with('\\');
        line.remove_prefix(escaped ? 1 : 0);
        if (line.size() < kDigits + 3)
            continue;
        const std::string_view name = line.substr(kDigits + 2);
        sums.insert_or_assign(escaped ? unescaped(name) : std::string(name),
                              std::string(line.substr(0, kDigits)));
    }
    return sums;
}

} // namespace ddp::remote
