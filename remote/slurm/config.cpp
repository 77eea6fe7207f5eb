// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/config.h"

#include "remote/slurm/slurm_text.h"

namespace ddp::remote::slurm {

namespace {

std::optional<std::chrono::seconds> secondsOf(const Config& config, std::string_view key) {
    const auto found = config.all.find(key);
    if (found == config.all.end())
        return std::nullopt;
    const auto value = integer(split(found->second, ' ').front());
    return value ? std::optional(std::chrono::seconds(*value)) : std::nullopt;
}

std::string textOf(const Config& config, std::string_view key) {
    const auto found = config.all.find(key);
    return found == config.all.end() ? std::string() : std::string(orNothing(found->second));
}

} // namespace

Question<Config> configQuestion(const Site& site) {
    return {forSite(site, {"scontrol", "show", "config"}), parseConfig};
}

Result<Config> parseConfig(std::string_view out) {
    Config config;
    for (const std::string_view line : lines(out)) {
        const auto equals = line.find('=');
        if (equals == std::string_view::npos || equals == 0)
            continue;
        config.all.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    config.clusterName = textOf(config, "ClusterName");
    if (config.clusterName.empty())
        return fail(ErrorCode::Unreadable, "no ClusterName is in it.");
    if (const auto version = parseVersion("slurm " + textOf(config, "SLURM_VERSION")))
        config.version = *version;
    config.killWait = secondsOf(config, "KillWait");
    config.unkillableStepTimeout = secondsOf(config, "UnkillableStepTimeout");
    config.minJobAge = secondsOf(config, "MinJobAge");
    config.messageTimeout = secondsOf(config, "MessageTimeout");
    const std::string accounting = textOf(config, "AccountingStorageType");
    config.accounting = !accounting.empty() && !accounting.ends_with("/none");
    return config;
}

} // namespace ddp::remote::slurm
