// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddp::triage {

/// Takes ANSI escape sequences and NUL bytes out. `buffer` is only filled when there are any; the result
/// points into `line` or into `buffer`.
std::string_view withoutControls(std::string_view line, std::string& buffer);

/// A line without what a launcher put in front of it.
struct PlainLine {
    std::string_view text;
    std::optional<int> rank; ///< as the launcher says it, or as "[rank 0]" of the node check does
};

/// `[rank0]: `, `[default0]:`, `0: ` (srun --label) and `[1,2]<stdout>:` (mpirun), in any nesting. What
/// follows a bracketed prefix may begin at once.
PlainLine withoutPrefixes(std::string_view line);

std::string_view trimmed(std::string_view text);

/// The number at the begin of `text`, which is shortened by it; nothing when there is none or it is too
/// large.
std::optional<int> takeNumber(std::string_view& text);

/// The number that stands right after the first occurrence of `words`.
std::optional<std::int64_t> numberAfter(std::string_view line, std::string_view words);

} // namespace ddp::triage
