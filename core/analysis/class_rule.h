// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/pattern.h"
#include "core/store/trace_store.h"
#include "core/store/work_class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp {

/// What a rule looks at, in lower case: prepared once for a region, however many rules are tried.
struct RegionTexts {
    std::string name;
    std::string file;
    std::string paradigm;
    RegionRole role = RegionRole::Other;
};

/// One rule of a class rules file; texts in lower case.
struct ClassRule {
    std::string id;
    WorkClass work = WorkClass::Other;
    bool onStream = true;
    bool onThread = true;
    std::string unlessAny; ///< id of the rules that must fit nothing in the trace; empty: none
    std::vector<std::string> nameIs;
    std::vector<std::string> nameBegins;
    std::vector<std::string> nameEnds;
    std::vector<std::string> nameContains;
    std::vector<Pattern> nameMatches;
    std::vector<std::string> files;
    std::vector<std::string> paradigms;
    std::uint32_t roles = 0; ///< bit of each RegionRole that fits; 0: any

    bool fits(const RegionTexts& region) const;

private:
    bool asksName() const;
    bool fitsName(std::string_view name) const;
};

} // namespace ddp
