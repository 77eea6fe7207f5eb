// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ddp::worker {

class RankSession;

/// The whole node check of one rank. Defined in node_check.cpp, behind which libtorch begins.
[[noreturn]] void runNodeCheck(RankSession& session);

} // namespace ddp::worker
