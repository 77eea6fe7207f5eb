// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/trace_store.h"
#include "core/store/work_class.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ddp {

struct ClassRule;

/// Rules that give regions their class, in order: the first that fits wins. The form of the file is described
/// on top of resources/class_rules.json. Unchanging, any thread.
class ClassRules {
public:
    /// From the text of a rules file; an Error names `file` and the rule that is wrong.
    static Result<ClassRules> parse(std::string_view json, std::string_view file);
    /// Those that came with the program.
    static const ClassRules& builtin();

    /// These rules and then, for what they do not fit, `others`.
    ClassRules before(const ClassRules& others) const;

    std::size_t size() const { return m_rules.size(); }
    std::string_view id(std::size_t rule) const;
    const ClassRule& at(std::size_t rule) const { return *m_rules[rule]; }

private:
    std::vector<std::shared_ptr<const ClassRule>> m_rules;
};

/// The classes of all regions and, beside each, the rule that gave it.
struct Classification {
    static constexpr std::uint16_t kNoRule = 0xffff;
    WorkClasses classes;
    std::vector<std::uint16_t> streamRule; ///< place in the ClassRules, or kNoRule; by RegionId
    std::vector<std::uint16_t> threadRule;
};

/// Classes for every region of the run, whether it occurs or not; costs the regions, not the slices. A region
/// that is defined counts as one of the trace for `unless_any`.
Classification classify(const TraceStore& store, const ClassRules& rules);

} // namespace ddp
