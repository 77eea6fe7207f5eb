// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/time_limit.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the text answers of Slurm's commands have in common. All views point into the text that was given.
namespace ddp::remote::slurm {

/// Between the columns of squeue and sacct: it is in no name and no reason, other than `|` and the comma.
inline constexpr char kSeparator = '\x1f';

std::vector<std::string_view> lines(std::string_view text);
std::string_view trimmed(std::string_view text);

/// At most `limit` parts; the last one keeps what is left.
std::vector<std::string_view> split(std::string_view text, char separator, std::size_t limit = SIZE_MAX);

/// Parts at commas that are not inside brackets: `a[1,2],b` has two.
std::vector<std::string> splitList(std::string_view text);

/// Slurm's words for nothing: (null), N/A, None, Unknown and the like are empty.
std::string_view orNothing(std::string_view value);

std::optional<std::int64_t> integer(std::string_view text);

/// `2026-11-30T12:12:53`, which is UTC because the commands are asked so; seconds since 1970.
std::optional<std::int64_t> utcTime(std::string_view text);

/// `1-02:03:04`, `02:03:04`, `03:04`, `UNLIMITED`, `N/A`
TimeLimit timeLimit(std::string_view text);

/// The `Key=value` blocks of `scontrol show`. `visit` gets every key of every block; `starts` is true for the
/// first of a block. The keys in `wholeLine` hold text of people and take the rest of their line.
void visitBlocks(std::string_view text, std::string_view firstKey,
                 const std::vector<std::string_view>& wholeLine,
                 const std::function<void(bool starts, std::string_view key, std::string_view value)>& visit);

} // namespace ddp::remote::slurm
