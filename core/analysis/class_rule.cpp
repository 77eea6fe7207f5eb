// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/class_rule.h"

#include <algorithm>

namespace ddp {

namespace {

bool isOneOf(const std::vector<std::string>& texts, std::string_view text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

} // namespace

bool ClassRule::asksName() const {
    return !nameIs.empty() || !nameBegins.empty() || !nameEnds.empty() || !nameContains.empty() ||
           !nameMatches.empty();
}

bool ClassRule::fitsName(std::string_view name) const {
    // Names of templates can be of any length.
    constexpr std::size_t kLongest = 1000;
    const auto any = [](const auto& texts, auto test) {
        return std::any_of(texts.begin(), texts.end(), test);
    };
    return isOneOf(nameIs, name) ||
           any(nameBegins, [&](const std::string& text) { return name.starts_with(text); }) ||
           any(nameEnds, [&](const std::string& text) { return name.ends_with(text); }) ||
           any(nameContains,
               [&](const std::string& text) { return name.find(text) != std::string_view::npos; }) ||
           any(nameMatches,
               [&](const Pattern& pattern) { return pattern.search(name.substr(0, kLongest), {}); });
}

bool ClassRule::fits(const RegionTexts& region) const {
    return (roles == 0 || (roles >> static_cast<unsigned>(region.role) & 1u) != 0) &&
           (files.empty() || isOneOf(files, region.file)) &&
           (paradigms.empty() || isOneOf(paradigms, region.paradigm)) &&
           (!asksName() || fitsName(region.name));
}

} // namespace ddp
