// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace ddp::remote {

namespace {

bool hasControl(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
}

bool isWord(std::string_view name) {
    constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
           name.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool isVariable(std::string_view name) {
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
           name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
               std::string_view::npos;
}

tl::unexpected<Error> wrong(const std::string& sentence) {
    return fail(ErrorCode::Usage, sentence);
}

} // namespace

Result<void> checkCluster(const Cluster& cluster) {
    if (!isWord(cluster.name))
        return wrong(
            fmt::format("\"{}\" can not be the name of a cluster: take letters, digits, '-', '_' and "
                        "'.', 64 at most, beginning with a letter or a digit.",
                        cluster.name));
    const auto bad = [&](const std::string& what) {
        return wrong(fmt::format("The cluster {} can not have {}.", cluster.name, what));
    };
    if (cluster.host.empty() || cluster.host.front() == '-' || hasControl(cluster.host) ||
        cluster.host.find(' ') != std::string::npos)
        return bad(fmt::format("the host \"{}\"; give what you would write after `ssh`", cluster.host));
    const std::string folder = cluster.folder.string();
    const bool fromHome = folder == "~" || folder.starts_with("~/");
    if ((!fromHome && !cluster.folder.is_absolute()) || folder.find('\0') != std::string::npos)
        return bad(fmt::format("the folder \"{}\"; give a path that begins with / or ~/", folder));
    for (const std::string* word : {&cluster.partition, &cluster.account, &cluster.worker, &cluster.python})
        if (hasControl(*word))
            return bad(
                "a line break or another control character in its partition, account, worker or Python");
    for (const std::string& option : cluster.sbatchOptions)
        if (option.find('\0') != std::string::npos || !option.starts_with('-'))
            return bad(fmt::format("the word \"{}\" for sbatch; write options as one word, such as "
                                   "--qos=debug",
                                   option));
    for (const auto& [name, value] : cluster.environment)
        if (!isVariable(name) || value.find('\0') != std::string::npos)
            return bad(fmt::format("the variable \"{}\"", name));
    return {};
}

} // namespace ddp::remote
