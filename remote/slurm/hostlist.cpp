// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/hostlist.h"

#include "remote/slurm/slurm_text.h"

#include <fmt/format.h>

namespace ddp::remote::slurm {

namespace {

constexpr std::size_t kMostNames = 100000;

tl::unexpected<Error> unreadable(std::string_view list) {
    return fail(ErrorCode::Unreadable, fmt::format("`{}` is no list of node names.", list.substr(0, 200)));
}

/// `01-03` or `7`: the numbers as they are written, with their leading zeros.
bool appendRange(std::string_view range, std::vector<std::string>& numbers) {
    const auto dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
    const auto from = integer(first);
    const auto to = integer(last);
    if (!from || !to || *from < 0 || *to < *from || static_cast<std::size_t>(*to - *from) >= kMostNames)
        return false;
    for (auto number = *from; number <= *to; ++number)
        numbers.push_back(fmt::format("{:0{}}", number, first.size()));
    return true;
}

bool appendName(std::string_view name, std::vector<std::string>& names) {
    std::vector<std::string> begun{""};
    while (!name.empty()) {
        const auto open = name.find('[');
        for (std::string& prefix : begun)
            prefix += name.substr(0, open);
        if (open == std::string_view::npos)
            break;
        const auto close = name.find(']', open);
        if (close == std::string_view::npos)
            return false;
        std::vector<std::string> numbers;
        for (const std::string_view range : split(name.substr(open + 1, close - open - 1), ','))
            if (!appendRange(range, numbers))
                return false;
        if (begun.size() * numbers.size() > kMostNames)
            return false;
        std::vector<std::string> longer;
        longer.reserve(begun.size() * numbers.size());
        for (const std::string& prefix : begun)
            for (const std::string& number : numbers)
                longer.push_back(prefix + number);
        begun = std::move(longer);
        name.remove_prefix(close + 1);
    }
    names.insert(names.end(), begun.begin(), begun.end());
    return names.size() <= kMostNames;
}

} // namespace

Result<std::vector<std::string>> expandHostlist(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string& name : splitList(orNothing(trimmed(list))))
        if (!appendName(name, names))
            return unreadable(list);
    return names;
}

} // namespace ddp::remote::slurm
